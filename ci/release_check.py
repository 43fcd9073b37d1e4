"""What a release must satisfy: the mark, the commit, the version, the files. The release workflow only calls this.

    python ci/release_check.py version                       the version of this commit
    python ci/release_check.py source --mark v1.1            refuse what must not be released; print the version
    python ci/release_check.py files FOLDER --version 1.1.0  compare each file's version; refuse a missing kind of file
    python ci/release_check.py installed --version 1.1.0     what the installed program says of itself

The version is ``MAJOR.MINOR.BUILD``: the nearest annotated tag ``vMAJOR.MINOR`` and the number of commits since. The
mark that is written in ``pawnstar/version.py``, for sources without tags, must be the same. A release makes the tag
``vMAJOR.MINOR.BUILD``, which is how a version is known to have been released.

A refusal is one line on standard error and the exit status 1.
"""

from __future__ import annotations

import argparse
import email.parser
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

MARK = re.compile(r"v(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
WRITTEN = re.compile(r'^MARK: Final = "([^"]*)"$', re.MULTILINE)
WHEEL = re.compile(
    r"(?P<name>[^-]+)-(?P<version>[^-]+)(-(?P<build>\d[^-]*))?-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl"
)
PYTHONS = ("cp311", "cp312", "cp313", "cp314")
# What a release holds for each Python: how a platform's name begins and ends, and the build tag.
COMPILED_WHEELS = (
    ("manylinux", "_x86_64", None),
    ("manylinux", "_x86_64", "1v3"),
    ("manylinux", "_aarch64", None),
    ("macosx", "_arm64", None),
    ("win", "_amd64", None),
    ("win", "_amd64", "1v3"),
)


class Refused(Exception):
    """Something that must not be released; the message says what and why."""


def git(*arguments: str, root: Path) -> str:
    """The output of a git command; raises CalledProcessError where it fails."""
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def succeeds(*arguments: str, root: Path) -> bool:
    """Whether a git command ends with status 0."""
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False).returncode == 0


def source_version(root: Path) -> str:
    """The version of the commit checked out; refused where no annotated mark is reachable."""
    arguments = ("describe", "--long", "--match", "v*.*", "--exclude", "v*.*.*")
    if not succeeds(*arguments, root=root):
        raise Refused("no annotated tag vMAJOR.MINOR is reachable from this commit (a shallow clone has none)")
    mark, distance, _ = git(*arguments, root=root).rsplit("-", 2)
    if MARK.fullmatch(mark) is None:
        raise Refused(f"the nearest mark is '{mark}', which is not of the form vMAJOR.MINOR")
    return f"{mark[1:]}.{distance}"


def written_mark(root: Path) -> str:
    """The mark that the source tree holds; refused where it holds none."""
    try:
        found = WRITTEN.search((root / "pawnstar" / "version.py").read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"pawnstar/version.py cannot be read: {error.strerror}") from None
    if found is None or MARK.fullmatch(f"v{found[1]}") is None:
        raise Refused("pawnstar/version.py holds no MARK of the form MAJOR.MINOR")
    return found[1]


def check_source(root: Path, mark: str | None, main: str) -> str:
    """Refuse a mark of another form or not the written one, a commit not on main, a version released before.

    Returns the version.
    """
    if mark is not None:
        if MARK.fullmatch(mark) is None:
            raise Refused(f"'{mark}' is not of the form vMAJOR.MINOR")
        if not succeeds("rev-parse", "--verify", "--quiet", f"refs/tags/{mark}", root=root):
            raise Refused(f"there is no tag '{mark}' here")
        if git("cat-file", "-t", f"refs/tags/{mark}", root=root) != "tag":
            raise Refused(f"the tag '{mark}' is not annotated (git tag -a)")
        if git("rev-parse", f"{mark}^{{commit}}", root=root) != git("rev-parse", "HEAD", root=root):
            raise Refused(f"the commit checked out is not the one that '{mark}' marks")
    if not succeeds("rev-parse", "--verify", "--quiet", f"{main}^{{commit}}", root=root):
        raise Refused(f"there is no branch '{main}' here")
    if not succeeds("merge-base", "--is-ancestor", "HEAD", main, root=root):
        raise Refused(f"commit {git('rev-parse', '--short', 'HEAD', root=root)} is not on {main}")
    if git("status", "--porcelain", "--untracked-files=no", root=root):
        raise Refused("files of the source tree were changed since the commit")
    version = source_version(root)
    if mark is not None and version != f"{mark[1:]}.0":
        raise Refused(f"'{mark}' gives version {version}: another mark lies on the same commit")
    if version.rpartition(".")[0] != written_mark(root):
        raise Refused(f"the version is {version} by git's tags, but pawnstar/version.py says {written_mark(root)}")
    if succeeds("rev-parse", "--verify", "--quiet", f"refs/tags/v{version}", root=root):
        raise Refused(f"version {version} has been released: there is a tag v{version}")
    return version


def metadata_version(path: Path) -> str:
    """The version in the metadata of a wheel or sdist."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            (name,) = (name for name in archive.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
            text = archive.read(name).decode()
    else:
        with tarfile.open(path) as archive_file:
            (member,) = (member for member in archive_file if re.fullmatch(r"[^/]+/PKG-INFO", member.name))
            stream = archive_file.extractfile(member)
            assert stream is not None
            text = stream.read().decode()
    return str(email.parser.Parser().parsestr(text, headersonly=True)["Version"])


def described(path: Path) -> str:
    """What a file of the release is, as ``missing_files`` names it; the empty string for a wheel of no known kind."""
    match = WHEEL.fullmatch(path.name)
    if match is None:
        return "sdist" if path.name.endswith(".tar.gz") else ""
    if match["platform"] == "any":
        return "plain wheel"
    for start, end, build in COMPILED_WHEELS:
        platforms = match["platform"].split(".")
        if match["build"] == build and all(name.startswith(start) and name.endswith(end) for name in platforms):
            return wheel_description(match["python"], start, end, build)
    return ""


def wheel_description(python: str, start: str, end: str, build: str | None) -> str:
    """A compiled wheel in words."""
    return f"{python} {start}{end}" + (f" {build[1:]}" if build else "")


def wanted_files() -> list[str]:
    """Everything that a release holds, in words."""
    wheels = [wheel_description(python, *wheel) for wheel in COMPILED_WHEELS for python in PYTHONS]
    return ["sdist", "plain wheel", *wheels]


def check_files(folder: Path, version: str, partial: bool = False) -> list[str]:
    """Refuse a version that differs, a file nobody expects, and, unless ``partial``, one that is missing.

    Returns what each file is, in words, sorted.
    """
    found: list[str] = []
    for path in sorted(folder.iterdir()):
        match = WHEEL.fullmatch(path.name)
        named = match["version"] if match else path.name.removesuffix(".tar.gz").rpartition("-")[2]
        kind = described(path)
        if not kind:
            raise Refused(f"'{path.name}' is no file of a release")
        if named != version:
            raise Refused(f"'{path.name}' has version {named} in its name, not {version}")
        if metadata_version(path) != version:
            raise Refused(f"'{path.name}' has version {metadata_version(path)} in its metadata, not {version}")
        if kind in found:
            raise Refused(f"'{path.name}' is a second {kind}")
        found.append(kind)
    missing = [kind for kind in wanted_files() if kind not in found]
    if missing and not partial:
        raise Refused(f"missing: {', '.join(missing)}")
    if not found:
        raise Refused(f"'{folder}' holds no file")
    return sorted(found)


def check_installed(version: str) -> None:
    """Refuse an installed program that says another version, on its command line or to a GUI."""
    command = [sys.executable, "-P", "-m", "pawnstar"]
    result = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise Refused(f"the installed program does not run: {result.stderr.strip().rpartition(chr(10))[2]}")
    said = result.stdout.split()[-1]
    if said != version:
        raise Refused(f"pawnstar --version says {said}, not {version}")
    answer = subprocess.run(command, input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
    if f"id name Pawnstar {version}" not in answer.splitlines():
        raise Refused(f"the program does not call itself 'Pawnstar {version}' under UCI")


def main(arguments: list[str] | None = None) -> int:
    """Run one check."""
    parser = argparse.ArgumentParser(description="Check what is about to be released.")
    parser.add_argument("--root", type=Path, default=Path("."), help="the source tree (default: the working directory)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("version", help="print the version of this commit")
    source = commands.add_parser("source", help="refuse what must not be released; print the version")
    source.add_argument("--mark", help="the tag that was pushed")
    source.add_argument("--main", default="origin/main", help="the branch that releases come from")
    files = commands.add_parser("files", help="compare the version of every file")
    files.add_argument("folder", type=Path)
    files.add_argument("--version", required=True)
    files.add_argument("--partial", action="store_true", help="some kinds of file may be missing")
    installed = commands.add_parser("installed", help="compare what the installed program says")
    installed.add_argument(
        "--version",
        default=os.environ.get("PAWNSTAR_VERSION"),
        required="PAWNSTAR_VERSION" not in os.environ,
        help="the version expected (default: the variable PAWNSTAR_VERSION)",
    )
    options = parser.parse_args(arguments)
    try:
        if options.command == "version":
            print(source_version(options.root))
        elif options.command == "source":
            print(check_source(options.root, options.mark, options.main))
        elif options.command == "installed":
            check_installed(options.version)
        else:
            for kind in check_files(options.folder, options.version, options.partial):
                print(kind)
    except Refused as refusal:
        print(f"release refused: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
