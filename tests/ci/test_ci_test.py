"""Which interpreters ``ci/test`` takes: those it finds, one is enough, and it says which it left out."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nets import ROOT

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="ci/test is for bash; on Windows tox is run by itself"),
    pytest.mark.processes,
]

THIS = f"{sys.version_info[0]}.{sys.version_info[1]}"
VERSIONS = ["3.13", "3.14", "3.12", "3.11"]
OTHERS = [version for version in VERSIONS if version != THIS]

# Stands in for an interpreter: it passes as its version, and makes an environment whose tox only says what it was told.
FAKE = """#!/bin/bash
case "$1" in
-) [ "${0##*/python}" = "$2" ] && echo "+ $0" || echo "- it is another version";;
-m) mkdir -p .venv-test/bin
    tox=.venv-test/bin/tox
    printf '#!/bin/bash\\nexit 0\\n' >.venv-test/bin/pip
    printf '#!/bin/bash\\nexec %s "$@"\\n' "$0" >.venv-test/bin/python
    printf '#!/bin/bash\\necho "made with %s"; echo "TOXENV $TOXENV"; echo "arguments $*"; exit 7\\n' "$0" >$tox
    chmod +x .venv-test/bin/*;;
esac
"""


class Machine:
    """A machine with nothing but what is put there."""

    def __init__(self, root: Path) -> None:
        self.tree = root / "tree"
        self.bin = root / "bin"
        (self.tree / "ci").mkdir(parents=True)
        self.bin.mkdir()
        shutil.copy(ROOT / "ci" / "test", self.tree / "ci" / "test")
        for name in ("bash", "chmod", "dirname", "ls", "mkdir"):
            (self.bin / name).symlink_to(str(shutil.which(name)))

    def add(self, version: str, text: str = FAKE, folder: Path | None = None) -> Path:
        path = (folder or self.bin) / f"python{version}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def add_pyenv(self) -> Path:
        root = self.tree.parent / "pyenv"
        (self.bin / "pyenv").write_text(f"#!/bin/bash\necho '{root}'\n")
        (self.bin / "pyenv").chmod(0o755)
        return root / "versions"

    def run(self, *arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
        kept = {
            name: value for name, value in os.environ.items() if name not in ("TOXENV", "PAWNSTAR_REQUIRED_PYTHONS")
        }
        return subprocess.run(
            [str(shutil.which("bash")), str(self.tree / "ci" / "test"), *arguments],
            env={**kept, "PATH": str(self.bin), **changes},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def environments(*versions: str) -> str:
    """The first version runs all, compiled, and in plain Python under coverage; the oldest runs in plain Python too."""
    first, *others = numbers = [version.replace(".", "") for version in versions]
    compiled = [f"py{first}-compiled-all", *(f"py{number}-compiled" for number in others)]
    return ",".join(["lint", "coverage", *compiled, f"py{numbers[-1]}-pure", "docs"])


@pytest.mark.parametrize("version", VERSIONS)
def test_one_interpreter_is_enough(machine: Machine, version: str) -> None:
    """ci/test wanted three interpreters, which no ordinary machine has; lint, coverage and documents wanted 3.13."""
    path = machine.add(version)
    done = machine.run("--", "-x")
    lines = done.stdout.splitlines()
    assert done.returncode == 7, done.stderr
    assert f"made with {path}" in lines
    assert f"TOXENV {environments(version)}" in lines
    assert f"arguments run-parallel --discover {path} --parallel 2 --parallel-no-spinner -- -x" in lines
    left_out = [other for other in VERSIONS if other != version]
    for other in left_out:
        assert f"ci/test: CPython {other} is left out: not on the path, not in pyenv" in lines
    assert lines[-1] == f"ci/test: left out, because not found: {' '.join(left_out)}"
    assert "ci/test: git is not installed: the tests of release tags are left out" in lines


def test_all_that_are_found_are_taken(machine: Machine) -> None:
    for version in VERSIONS:
        machine.add(version)
    done = machine.run()
    assert f"TOXENV {environments(*VERSIONS)}" in done.stdout.splitlines()
    assert "left out:" not in done.stdout


@pytest.mark.parametrize("required", OTHERS)
def test_a_required_interpreter_that_is_missing_is_an_error(machine: Machine, required: str) -> None:
    """What CI sets: there a missing one must not pass in silence."""
    machine.add(THIS)
    done = machine.run(PAWNSTAR_REQUIRED_PYTHONS=f"{THIS} {required}")
    assert done.returncode == 1
    assert done.stderr == f"ci/test: required, but not found (PAWNSTAR_REQUIRED_PYTHONS): {required}\n"
    assert "TOXENV" not in done.stdout


def test_no_interpreter_is_an_error(machine: Machine) -> None:
    machine.add("3.10")
    done = machine.run()
    assert done.returncode == 1
    assert done.stderr.startswith("ci/test: no CPython from 3.11 to 3.14")


def test_what_ci_runs_requires_three() -> None:
    assert re.search(r'PAWNSTAR_REQUIRED_PYTHONS="3\.11 3\.12 3\.13"', (ROOT / ".ci" / "run").read_text())


def test_pyenv_s_interpreters_are_found_behind_shims_that_fail(machine: Machine) -> None:
    """A shim lies on the path for each version, and ends with 127 where pyenv's settings do not choose it."""
    kept = machine.add("3.12", folder=machine.add_pyenv() / "3.12.9" / "bin")
    machine.add("3.12", "#!/bin/bash\nexit 127\n")
    machine.add("3.13", "#!/bin/bash\nexit 127\n")
    done = machine.run()
    assert f"TOXENV {environments('3.12')}" in done.stdout.splitlines()
    assert f"ci/test: CPython 3.12: {kept}" in done.stdout.splitlines()
    assert f"ci/test: CPython 3.13 is left out: {machine.bin / 'python3.13'}: it does not start" in done.stdout


def test_the_environments_that_the_caller_names_are_kept(machine: Machine) -> None:
    machine.add(THIS)
    assert "TOXENV py311-pure" in machine.run(TOXENV="py311-pure").stdout.splitlines()


def real(machine: Machine, name: str) -> Path:
    """The interpreter that runs this test, as one of the machine's."""
    path = machine.bin / name
    path.write_text(f'#!/bin/bash\nif [ "$1" = - ]; then exec {sys.executable} "$@"; fi\n' + FAKE.partition("\n")[2])
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", [f"python{THIS}", "python3", "python"])
def test_a_real_interpreter_is_known_by_any_name(machine: Machine, name: str) -> None:
    real(machine, name)
    done = machine.run(PAWNSTAR_REQUIRED_PYTHONS=OTHERS[0])  # which ends it before anything is installed
    assert f"ci/test: CPython {THIS}: {sys.executable}" in done.stdout.splitlines()


def test_a_real_interpreter_without_headers_is_left_out(machine: Machine, tmp_path: Path) -> None:
    """Debian's python3 without python3-dev."""
    real(machine, f"python{THIS}")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import sysconfig\nsysconfig.get_path = lambda name: '/nowhere'\n"
    )
    done = machine.run(PYTHONPATH=str(tmp_path / "site"))
    assert done.returncode == 1
    advice = f"it has no Python.h; Debian, Ubuntu: apt install python{THIS}-dev"
    assert f"CPython {THIS} is left out: {machine.bin / f'python{THIS}'}: {advice}" in done.stdout
