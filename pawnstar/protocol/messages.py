"""Pieces of what a session tells its user: a user's own text in it, each on one line."""

from pawnstar.evaluation.nnue.net_file import NetRefused
from pawnstar.resources import ChosenNet, on_one_line


def shortened(text: str, most: int = 60) -> str:
    """A user's text as it is repeated in a message: printable, and not endless."""
    clean = "".join(character if character.isprintable() else "?" for character in text)
    return clean if len(clean) <= most else clean[:most] + "…"


def unread(text: str) -> str:
    """Why a word was not read as a number."""
    return f"'{shortened(text)}' is no whole number" if text else "no number"


def unopened(name: str, error: Exception) -> str:
    """That a net's file cannot be opened, and why where that is more than that it is not there."""
    why = ""
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        why = " (its name is written without quotation marks)"
    elif isinstance(error, OSError) and not isinstance(error, FileNotFoundError):
        why = f" ({error.strerror or error})"
    return f"NNUE: cannot open net file '{name}'{why}"


def fault_text(error: Exception) -> str:
    """An unexpected exception on one line."""
    return shortened(f"{type(error).__name__}: {error}", 200)


def out_of_memory(error: MemoryError) -> str:
    """Why there is no memory."""
    return str(error) or "out of memory"


def net_missing(net: ChosenNet) -> str:
    """That the net which the environment names is not there."""
    return f"NNUE: net '{net.missing}' not found; using the shipped net"


def net_unusable(net: ChosenNet, error: NetRefused | OSError) -> list[str]:
    """Why the net to start with cannot be used, for which the program ends."""
    if isinstance(error, NetRefused):
        return [str(error), f"FATAL: the NNUE net '{net.origin}' was refused."]
    return [f"FATAL: cannot open net file '{on_one_line(str(net.path))}' ({error.strerror or error})."]
