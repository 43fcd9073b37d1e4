"""The floors of the house (docs/architecture.md): what may import what, read from the sources."""

import ast
import re
from pathlib import Path

import pytest
from modes import package_folder
from nets import ROOT

# What each folder, and each module beside the folders, may import of the package. What is missing here is forbidden.
MAY_IMPORT = {
    "freshness": set(),
    "version": set(),
    "settings": set(),
    "system": {"settings"},
    "chess": {"system"},
    "evaluation": {"chess", "system"},
    "search": {"chess", "evaluation", "settings", "system"},
    "parallel": {"chess", "evaluation", "search", "settings", "system"},
    "engine": {"chess", "evaluation", "parallel", "search", "settings", "system"},
    "resources": {"evaluation"},
    "protocol": {"chess", "engine", "evaluation", "resources", "search", "settings", "system", "version"},
    "api": {"chess", "engine", "evaluation", "resources", "search", "settings"},
    "pawnstar": {"api", "chess", "engine", "evaluation", "freshness", "search", "version"},
    "command_line": {"system"},
    "matches": {"pawnstar"},
    "commands": {"api", "chess", "command_line", "engine", "evaluation", "matches", "protocol", "resources", "version"},
    "drop7": {"command_line", "system", "version"},
    "subcommands": {"command_line", "version"},
    "cli": {"command_line", "drop7", "protocol", "subcommands", "system"},
    "__main__": {"cli"},
}

# Only these print, or end the program.
MAY_PRINT = {"protocol", "commands", "drop7", "command_line", "cli", "__main__"}


def sources() -> list[Path]:
    """All modules of the package, as paths below its folder."""
    folder = package_folder()
    return sorted(path.relative_to(folder) for path in folder.glob("**/*.py"))


def room_of(module: str) -> str:
    """The folder, or the module beside the folders, that a dotted name of the package lies in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (parts[1] in MAY_IMPORT) else "pawnstar"


def imports(path: Path) -> set[str]:
    """The rooms that a module imports, wherever in its text; its own left out."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(package_folder().joinpath(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return {room_of(name) for name in found if name.split(".")[0] == "pawnstar"} - {home(path)}


def home(path: Path) -> str:
    """The room that a module of the package lies in; each ``__main__`` is an entry point, wherever it stands."""
    if path.stem == "__main__":
        return "__main__"
    return path.parts[0] if len(path.parts) > 1 else "pawnstar" if path.stem == "__init__" else path.stem


def test_every_room_is_named() -> None:
    assert {home(path) for path in sources()} == set(MAY_IMPORT)


def test_the_page_has_the_same_table() -> None:
    page = ROOT.joinpath("docs", "architecture.md").read_text(encoding="utf-8")
    told: dict[str, set[str]] = {}
    for rooms, below in re.findall(r"^\| (`[^|]+) \| ([^|]+) \|$", page, re.MULTILINE):
        for room in re.findall(r"`(\w+)/?`", rooms):
            told[room] = set(re.findall(r"`(\w+)`", below))
    assert told == MAY_IMPORT


@pytest.mark.parametrize("path", sources(), ids=str)
def test_imports_go_down(path: Path) -> None:
    assert imports(path) <= MAY_IMPORT[home(path)], "see docs/architecture.md for what may import what"


def test_no_circle() -> None:
    """The table itself permits none: a room can be taken away once all that it may import is gone."""
    left = {room: set(below) for room, below in MAY_IMPORT.items()}
    while left:
        ground = {room for room, below in left.items() if not below & set(left)}
        assert ground, f"a circle among {sorted(left)}"
        for room in ground:
            del left[room]


@pytest.mark.parametrize("path", [path for path in sources() if home(path) not in MAY_PRINT], ids=str)
def test_only_the_outer_rooms_print(path: Path) -> None:
    for node in ast.walk(ast.parse(package_folder().joinpath(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("print", "input", "sys.exit", "exit"), f"{path}:{node.lineno} calls {called}"


def names_of(path: Path) -> set[str]:
    """The dotted names that a module imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(package_folder().joinpath(path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


def test_what_all_protocols_stand_on_knows_none_of_them() -> None:
    """Of what lies beside the protocols' folders only the program, which picks one; and the session writes nothing."""
    shared = [path for path in sources() if path.parts[:-1] == ("protocol",) and path.stem != "program"]
    assert Path("protocol/session.py") in shared
    for path in shared:
        assert not any(name.startswith("pawnstar.protocol.uci") for name in names_of(path)), path
    text = ("output", "messages", "words", "input", "display")
    for name in names_of(Path("protocol/session.py")):
        assert not name.startswith(tuple(f"pawnstar.protocol.{module}" for module in text)), name


def test_the_reference_search_knows_no_other() -> None:
    """Bit-exactness hangs on no flag: what it imports of the search is named here, no other search among it."""
    reference = ("reference", "reference_deepening")
    names = {name for module in reference for name in names_of(Path("search") / f"{module}.py")}
    found = {
        module.removeprefix("pawnstar.search.").split(".")[0]
        for module in (name.rsplit(".", 1)[0] for name in names)
        if module.startswith("pawnstar.search.")
    }
    assert found - set(reference) == {
        "clock",
        "histories",
        "info",
        "root_moves",
        "scores",
        "tables",
        "team",
        "worker",
    }


def test_no_folder_is_too_full() -> None:
    """More than fourteen files in a folder are not seen at a glance, nor more than 700 lines in a file."""
    folders: dict[Path, int] = {}
    for path in sources():
        if path.stem != "__init__":
            folders[path.parent] = folders.get(path.parent, 0) + 1
        lines = package_folder().joinpath(path).read_text(encoding="utf-8").count("\n")
        assert lines <= 700, f"{path}: {lines} lines"
    # The rules stay together: each of their files is a term of the field.
    assert {folder for folder, count in folders.items() if count > 14} == {Path("chess")}
