"""The list of subcommands."""

import ast

import click
import pytest
from modes import package_folder
from programs import run_python

from pawnstar.subcommands import SUBCOMMANDS, command_group


def test_every_command_is_listed() -> None:
    """A file of the folder that defines ``command`` would else be there for nobody."""
    found = set()
    for path in package_folder().joinpath("commands").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "command" for node in tree.body):
            found.add(f"pawnstar.commands.{path.stem}")
    assert found == set(SUBCOMMANDS.values())


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_a_command_has_the_name_that_it_is_listed_under(name: str) -> None:
    assert command_group().commands[name].name == name


def test_the_group_knows_its_names_without_importing_them() -> None:
    commands = command_group().commands
    assert (list(commands), len(commands)) == (list(SUBCOMMANDS), len(SUBCOMMANDS))
    assert "perft" in commands
    assert "per" not in commands
    assert commands.get("per") is None
    with pytest.raises(click.UsageError, match="No such command 'pert'"):
        command_group().main(["pert"], standalone_mode=False)


@pytest.mark.processes
def test_a_command_does_not_import_the_others() -> None:
    code = (
        "import sys; from pawnstar.subcommands import command_group; command_group().commands['net-info']; "
        "print(*sorted(name for name in sys.modules if name.startswith('pawnstar.commands.')))"
    )
    result = run_python(code)
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == ["pawnstar.commands.files", "pawnstar.commands.net_info"]
