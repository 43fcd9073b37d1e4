"""Compiled or plain: which one runs, and a plain twin of a compiled module to compare it with."""

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pawnstar
from pawnstar.chess import bits

# A bool, not the module's constant: type checkers must not take one mode's tests for unreachable.
COMPILED = bool(bits.COMPILED)


def package_folder() -> Path:
    """Where the package under test was imported from."""
    return Path(str(pawnstar.__file__)).resolve().parent


class _PlainFinder:
    """Finds the modules of the package as plain source, though a compiled extension lies beside it."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.split(".", maxsplit=1)[0] != "pawnstar":
            return None
        base = package_folder().joinpath(*fullname.split(".")[1:])
        if base.is_dir():
            return importlib.util.spec_from_file_location(
                fullname, base / "__init__.py", submodule_search_locations=[str(base)]
            )
        return importlib.util.spec_from_file_location(fullname, base.with_suffix(".py"))


def _take_out() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == "pawnstar" or name.startswith("pawnstar.")]
    return {name: sys.modules.pop(name) for name in names}


_twins: dict[str, ModuleType] = {}


def plain_twin(name: str) -> ModuleType:
    """The module ``name`` loaded from its .py file, and with it, as twins too, all modules of the package it imports.

    Objects of the twins and of the modules under test do not mix: a twin's Position is another class. In plain mode a
    twin is merely a second copy.
    """
    if name in _twins:
        return _twins[name]
    under_test = _take_out()
    sys.modules.update(_twins)
    sys.meta_path.insert(0, _PlainFinder)
    try:
        importlib.import_module(name)
    finally:
        sys.meta_path.remove(_PlainFinder)
        _twins.update(_take_out())
        sys.modules.update(under_test)
    return _twins[name]
