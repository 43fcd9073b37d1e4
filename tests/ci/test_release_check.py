"""What must not be released is refused."""

import importlib.util
import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from pawnstar.version import version as pawnstar_version

pytestmark = pytest.mark.processes

SCRIPT = Path(__file__).resolve().parents[2] / "ci" / "release_check.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_check", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["release_check"] = module
    spec.loader.exec_module(module)
    return module


release_check = _load()


def git(root: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *identity, *arguments], cwd=root, capture_output=True, text=True, check=True
    ).stdout.strip()


def commit(root: Path, text: str, mark: str = "1.1") -> None:
    (root / "file").write_text(text)
    (root / "pawnstar").mkdir(exist_ok=True)
    (root / "pawnstar" / "version.py").write_text(f'MARK: Final = "{mark}"\n')
    git(root, "add", "file", "pawnstar")
    git(root, "commit", "-q", "-m", text)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two commits on main, no mark yet."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed: releases are made where it is")
    root = tmp_path / "tree"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    commit(root, "one")
    commit(root, "two")
    return root


def run(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> tuple[int, str, str]:
    status = release_check.main(["--root", str(root), *arguments])
    captured = capsys.readouterr()
    return status, captured.out.strip(), captured.err.strip()


def refusal(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> str:
    status, out, error = run(capsys, root, *arguments)
    assert status == 1
    assert out == ""
    assert error.startswith("release refused: ")
    assert "\n" not in error
    return error.removeprefix("release refused: ")


def test_the_version_is_the_mark_and_the_commits_since(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    assert run(capsys, tree, "version") == (0, "1.1.0", "")
    commit(tree, "three")
    commit(tree, "four")
    assert run(capsys, tree, "version") == (0, "1.1.2", "")
    assert run(capsys, tree, "source", "--main", "main") == (0, "1.1.2", "")


def test_a_released_version_s_tag_is_no_mark(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    commit(tree, "three")
    git(tree, "tag", "-a", "v1.1.1", "-m", "1.1.1")
    commit(tree, "four")
    assert run(capsys, tree, "version") == (0, "1.1.2", "")


def test_a_mark_on_main_is_released(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit(tree, "three", mark="0.1")
    git(tree, "tag", "-a", "v0.1", "-m", "0.1")
    assert run(capsys, tree, "source", "--mark", "v0.1", "--main", "main") == (0, "0.1.0", "")


@pytest.mark.parametrize("mark", ["1.1", "v1", "v1.1.0", "v1.1-rc1", "v01.1", "v1.1 ", "version1.1", "v1.x"])
def test_a_mark_of_another_form_is_refused(tree: Path, capsys: pytest.CaptureFixture[str], mark: str) -> None:
    assert "vMAJOR.MINOR" in refusal(capsys, tree, "source", "--mark", mark, "--main", "main")


def test_a_mark_that_is_not_there_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no tag 'v1.1'" in refusal(capsys, tree, "source", "--mark", "v1.1", "--main", "main")


def test_a_mark_without_annotation_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "v1.1")
    assert "not annotated" in refusal(capsys, tree, "source", "--mark", "v1.1", "--main", "main")


def test_a_mark_of_another_commit_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    commit(tree, "three")
    assert "not the one" in refusal(capsys, tree, "source", "--mark", "v1.1", "--main", "main")


def test_a_commit_that_is_not_on_main_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "checkout", "-q", "-b", "other")
    commit(tree, "three")
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    assert "is not on main" in refusal(capsys, tree, "source", "--mark", "v1.1", "--main", "main")


def test_a_missing_main_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    assert "no branch 'origin/main'" in refusal(capsys, tree, "source")


def test_a_version_released_before_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    git(tree, "tag", "v1.1.0")
    assert "1.1.0 has been released" in refusal(capsys, tree, "source", "--mark", "v1.1", "--main", "main")


def test_a_tree_without_a_mark_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "reachable" in refusal(capsys, tree, "source", "--main", "main")


@pytest.mark.parametrize("since", [0, 1])
def test_a_mark_other_than_the_written_one_is_refused(
    tree: Path, capsys: pytest.CaptureFixture[str], since: int
) -> None:
    """A clone without tags takes the written one: it said 0.0.0 before there was one."""
    git(tree, "tag", "-a", "v1.2", "-m", "1.2")
    for number in range(since):
        commit(tree, f"more {number}")
    error = refusal(capsys, tree, "source", *(["--mark", "v1.2"] if since == 0 else []), "--main", "main")
    assert error == f"the version is 1.2.{since} by git's tags, but pawnstar/version.py says 1.1"


@pytest.mark.parametrize("text", ["", 'MARK: Final = "1"\n', 'MARK: Final = "1.1.0"\n'])
def test_a_tree_without_a_written_mark_is_refused(tree: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    (tree / "pawnstar" / "version.py").write_text(text)
    git(tree, "commit", "-q", "-a", "-m", "broken")
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    assert "no MARK" in refusal(capsys, tree, "source", "--main", "main")


def test_no_tag_of_this_tree_is_ahead_of_what_is_written() -> None:
    """The mark is raised in the commit that gets the tag, or before it. A clone without tags has none to compare."""
    root = SCRIPT.parents[1]
    written = tuple(int(part) for part in release_check.written_mark(root).split("."))
    try:
        tagged = release_check.source_version(root)
    except (release_check.Refused, OSError) as error:
        pytest.skip(f"nothing to compare with: {error}")
    assert tuple(int(part) for part in tagged.split(".")[:2]) <= written


def test_a_changed_tree_is_refused(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(tree, "tag", "-a", "v1.1", "-m", "1.1")
    (tree / "file").write_text("changed")
    assert "changed" in refusal(capsys, tree, "source", "--main", "main")


# Files.


def wheel(folder: Path, tags: str, version: str = "1.1.0", inside: str = "1.1.0") -> None:
    with zipfile.ZipFile(folder / f"pawnstar-{version}-{tags}.whl", "w") as archive:
        archive.writestr(
            f"pawnstar-{version}.dist-info/METADATA", f"Metadata-Version: 2.4\nVersion: {inside}\n\ntext\n"
        )


def sdist(folder: Path, version: str = "1.1.0") -> None:
    with tarfile.open(folder / f"pawnstar-{version}.tar.gz", "w:gz") as archive:
        for name in ("PKG-INFO", "pawnstar.egg-info/PKG-INFO"):
            data = f"Metadata-Version: 2.4\nVersion: {version}\n\ntext\n".encode()
            member = tarfile.TarInfo(f"pawnstar-{version}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Everything that a release holds."""
    folder = tmp_path / "dist"
    folder.mkdir()
    sdist(folder)
    wheel(folder, "py3-none-any")
    for python in ("cp311", "cp312", "cp313", "cp314"):
        wheel(folder, f"{python}-{python}-manylinux_2_27_x86_64.manylinux_2_28_x86_64")
        wheel(folder, f"1v3-{python}-{python}-manylinux_2_28_x86_64")
        wheel(folder, f"{python}-{python}-manylinux_2_28_aarch64")
        wheel(folder, f"{python}-{python}-macosx_11_0_arm64")
        wheel(folder, f"{python}-{python}-win_amd64")
        wheel(folder, f"1v3-{python}-{python}-win_amd64")
    return folder


def test_a_whole_release_passes(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = run(capsys, release, "files", str(release), "--version", "1.1.0")
    assert (status, error) == (0, "")
    assert len(out.splitlines()) == 26
    assert "cp313 manylinux_x86_64 v3" in out.splitlines()


def test_a_missing_wheel_is_refused(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (release / "pawnstar-1.1.0-1v3-cp312-cp312-win_amd64.whl").unlink()
    arguments = ("files", str(release), "--version", "1.1.0")
    assert refusal(capsys, release, *arguments) == "missing: cp312 win_amd64 v3"
    assert run(capsys, release, *arguments, "--partial")[0] == 0


def test_another_version_in_the_name_is_refused(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "version 1.1.0 in its name" in refusal(capsys, release, "files", str(release), "--version", "1.1.1")


def test_another_version_in_the_metadata_is_refused(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wheel that was renamed, or built without the tags: the mark alone inside."""
    wheel(release, "py3-none-any", inside="1.1")
    assert "version 1.1 in its metadata" in refusal(capsys, release, "files", str(release), "--version", "1.1.0")


@pytest.mark.parametrize("name", ["notes.txt", "pawnstar-1.1.0-cp313-cp313-linux_x86_64.whl"])
def test_a_file_that_nobody_expects_is_refused(release: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A wheel for plain ``linux`` was not repaired: it runs where it was built, perhaps."""
    (release / name).write_bytes(b"")
    assert "no file of a release" in refusal(capsys, release, "files", str(release), "--version", "1.1.0")


def test_two_wheels_of_a_kind_are_refused(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel(release, "cp313-cp313-macosx_14_0_arm64")
    assert "a second cp313 macosx_arm64" in refusal(capsys, release, "files", str(release), "--version", "1.1.0")


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no file" in refusal(capsys, tmp_path, "files", str(tmp_path), "--version", "1.1.0", "--partial")


def test_the_installed_program_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, tmp_path, "installed", "--version", pawnstar_version())[0] == 0
    assert "--version says" in refusal(capsys, tmp_path, "installed", "--version", "99.99.99")
