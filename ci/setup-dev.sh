#!/usr/bin/env bash
# Set a machine up for work on Pawnstar (Linux, macOS): check each thing that building, testing and profiling need, and
# install what is missing. Safe to run again.
#
#   ci/setup-dev.sh            check and install
#   ci/setup-dev.sh --check    only report; the exit status is 1 where something needed is missing
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

check=false
case "${1:-}" in
--check) check=true ;;
"") ;;
*)
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

# One is enough. The first that is there makes .venv; the first is installed where none is.
pythons="3.13 3.14 3.12 3.11"
main=""
missing=0

ok() { printf '  ok        %s\n' "$1"; }
lacking() { # name, advice
    printf '  MISSING   %s: %s\n' "$1" "$2"
    missing=$((missing + 1))
}
optional() { printf '  optional  %s: %s\n' "$1" "$2"; }

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        return 1
    fi
}

refreshed=false
# Install a package by the system's manager; its name by manager: apt, dnf, brew ("-": not there).
install() {
    $check && return 1
    if have apt-get; then
        [ "$1" = - ] && return 1
        if ! $refreshed; then
            as_root apt-get update -qq || return 1
            refreshed=true
        fi
        DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq "$1" >/dev/null
    elif have dnf; then
        [ "$2" = - ] && return 1
        as_root dnf install -y -q "$2"
    elif have brew; then
        [ "$3" = - ] && return 1
        brew install --quiet "$3"
    else
        return 1
    fi
}

# The interpreter of a version: on the path, or kept by pyenv; nothing where there is none.
interpreter() {
    local folder
    if have "python$1" && "python$1" -c "" 2>/dev/null; then
        command -v "python$1"
        return
    fi
    if have pyenv; then
        for folder in "$(pyenv root)/versions/$1".*/bin; do
            if [ -x "$folder/python$1" ]; then
                echo "$folder/python$1"
                return
            fi
        done
    fi
}

tool() { # command, needed|optional, what for, apt, dnf, brew
    if have "$1" || [ -x "/usr/games/$1" ]; then
        ok "$1"
    elif install "$4" "$5" "$6" && { have "$1" || [ -x "/usr/games/$1" ]; }; then
        ok "$1 (installed)"
    elif [ "$2" = needed ]; then
        lacking "$1" "$3"
    else
        optional "$1" "$3"
    fi
}

echo "Tools:"
tool git optional "commits, hooks, and the number of commits in the version" git git git
if have cc || have gcc || have clang; then
    ok "C compiler"
elif install gcc gcc - && have gcc; then
    ok "C compiler (installed)"
else
    lacking "C compiler" "Debian: apt install gcc; Fedora: dnf install gcc; macOS: xcode-select --install"
fi
tool valgrind optional "profiles compiled code (callgrind)" valgrind valgrind -
tool stockfish optional "the yardstick of ci/measure" stockfish stockfish stockfish
tool shellcheck optional "checks the shell scripts" shellcheck ShellCheck shellcheck

echo "Interpreters:"
for version in $pythons; do
    if [ -n "$(interpreter "$version")" ]; then
        main=$version
        break
    fi
done
if [ -z "$main" ]; then
    for version in $pythons; do
        $check && break
        if have pyenv; then
            pyenv install --skip-existing "$version"
        else
            # What the system has for a package of its own; else only pyenv or the like can help.
            install "python$version" "python$version" "python@$version" 2>/dev/null
        fi
        if [ -n "$(interpreter "$version")" ]; then
            main=$version
            break
        fi
    done
fi
if [ -z "$main" ]; then
    lacking "CPython 3.11, 3.12, 3.13 or 3.14" "pyenv install ${pythons%% *}, or a package of your system"
fi
for version in $pythons; do
    python=$(interpreter "$version")
    if [ -z "$python" ]; then
        [ -z "$main" ] || optional "CPython $version" "ci/test takes it where it is there; CI tests with 3.11, 3.12 and 3.13"
        continue
    fi
    ok "CPython $version ($python)"
    headers='import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
    if ! "$python" -c "$headers"; then
        install "python$version-dev" "python$version-devel" - 2>/dev/null
        "$python" -c "$headers" || lacking "headers of $version" "Debian: python$version-dev; Fedora: python$version-devel"
    fi
    if ! "$python" -c "import ensurepip, venv" 2>/dev/null; then
        install "python$version-venv" - - 2>/dev/null
        "$python" -c "import ensurepip, venv" 2>/dev/null || lacking "venv of $version" "Debian: python$version-venv"
    fi
done

echo "Working environment (.venv):"
python=""
[ -z "$main" ] || python=$(interpreter "$main")
if [ ! -x .venv/bin/python ] && ! $check && [ -n "$python" ]; then
    "$python" -m venv .venv
fi
if [ ! -x .venv/bin/python ]; then
    lacking ".venv" "made by this script with the first interpreter above"
else
    # pip itself compares what is there with what is wanted, without asking an index.
    satisfied() {
        .venv/bin/python -m pip install --disable-pip-version-check --quiet --no-index --dry-run \
            -r ci/requirements-dev.txt >/dev/null 2>&1
    }
    if ! satisfied && ! $check; then
        .venv/bin/python -m pip install --disable-pip-version-check --quiet -r ci/requirements-dev.txt
    fi
    if satisfied; then
        ok "packages of ci/requirements-dev.txt"
    else
        lacking "packages" ".venv/bin/pip install -r ci/requirements-dev.txt"
    fi
fi

echo "Git hooks:"
if ! git rev-parse --git-dir >/dev/null 2>&1; then
    optional "hooks" "this is no git repository"
else
    # Both that .pre-commit-config.yaml asks for.
    hooked() {
        grep -qs pre-commit "$(git rev-parse --git-path hooks/pre-commit)" &&
            grep -qs pre-commit "$(git rev-parse --git-path hooks/commit-msg)"
    }
    if ! hooked && ! $check && [ -x .venv/bin/pre-commit ]; then
        .venv/bin/pre-commit install >/dev/null
    fi
    if hooked; then
        ok "pre-commit, commit-msg"
    else
        lacking "hooks" ".venv/bin/pre-commit install"
    fi
fi

if [ "$missing" -gt 0 ]; then
    echo "$missing missing."
    exit 1
fi
echo "Ready. In this tree: PYTHON=.venv/bin/python ci/mode compiled; PYTHONPATH=. .venv/bin/pytest; ci/test"
