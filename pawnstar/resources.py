"""Where the shipped files are found: the net and the opening book.

A file is looked for in the working directory, beside the command, in the command's parent folder, and at last in the
package itself (an installed package carries copies; a source tree has them in its root).
"""

import sys
from pathlib import Path
from typing import Final

NET: Final = "nnue/pawnstar-p1.bin"
BOOK: Final = "pawnstar.book"
EMBEDDED: Final = "embedded"

_PACKAGE: Final = Path(__file__).resolve().parent


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have, or a folder closed to us, means no."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def candidates(name: str) -> list[Path]:
    """The places outside the package where a shipped file may lie, in the order they are tried."""
    try:
        command = Path(sys.argv[0] or ".").resolve().parent
    except OSError:  # the working directory is gone
        return []
    return [Path(name), command / name, command.parent / name]


def embedded(name: str) -> Path:
    """The package's own copy."""
    inside = _PACKAGE / "data" / Path(name).name
    return inside if inside.exists() else _PACKAGE.parent / name


def find(name: str) -> tuple[Path, str]:
    """The file to use and what to call it in messages: its path, or ``embedded``."""
    for path in candidates(name):
        if is_file(path):
            return path, str(path)
    return embedded(name), EMBEDDED
