"""Where the shipped files are found, the net and the opening book, and how such files are read.

A file is looked for in the working directory, beside the command, in the command's parent folder, and at last in the
package itself (an installed package carries copies; a source tree has them in its root).
"""

import os
import stat
import sys
from pathlib import Path
from typing import Final, NamedTuple

from pawnstar.evaluation.nnue.network import Network

NET: Final = "nnue/pawnstar-p1.bin"
BOOK: Final = "pawnstar.book"
EMBEDDED: Final = "embedded"

# More is neither a net nor a book, in bytes.
LARGEST_FILE: Final = 1 << 28

_LONGEST_PATH: Final = 5000  # characters; no system opens more
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


def read_regular_file(path: str | os.PathLike[str]) -> bytes:
    """A net's or a book's contents; raises OSError for devices and pipes, which might never end, and huge files."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE:
            raise OSError(f"not a regular file of at most {LARGEST_FILE >> 20} MB")
        return file.read()


def on_one_line(text: str) -> str:
    """A file's name as it is repeated in a message: whole, but without characters that would end or garble the line."""
    if len(text) > _LONGEST_PATH:
        text = text[:_LONGEST_PATH] + "…"
    return "".join("?" if character < " " or "\x7f" <= character <= "\x9f" else character for character in text)


class ChosenNet(NamedTuple):
    """The file of the net to start with, and what to call it.

    ``missing`` is what PAWNSTAR_EVALFILE names where there is no such file (then the shipped net is chosen), else None.
    """

    path: Path
    origin: str
    missing: str | None = None


def chosen_net() -> ChosenNet:
    """The net to start with: PAWNSTAR_EVALFILE, else the shipped net's file, else the package's copy."""
    wanted = os.environ.get("PAWNSTAR_EVALFILE")
    if wanted and is_file(Path(wanted)):
        return ChosenNet(Path(wanted), on_one_line(wanted))
    return ChosenNet(*find(NET), on_one_line(wanted) if wanted else None)


def load_network(net: ChosenNet) -> Network:
    """The network in the chosen file. Raises OSError where it cannot be read and NetRefused where it does not fit.

    A refused file is never replaced by another: a match on weights that nobody asked for would be worth nothing.
    """
    return Network(read_regular_file(net.path), net.origin)
