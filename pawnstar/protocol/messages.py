"""Pieces of what a session tells its user: a user's own text in it, each on one line."""

from typing import Final

_LONGEST_PATH: Final = 5000  # characters; no system opens more


def shortened(text: str, most: int = 60) -> str:
    """A user's text as it is repeated in a message: printable, and not endless."""
    clean = "".join(character if character.isprintable() else "?" for character in text)
    return clean if len(clean) <= most else clean[:most] + "…"


def on_one_line(text: str) -> str:
    """A file's name as it is repeated in a message: whole, but without characters that would end or garble the line."""
    if len(text) > _LONGEST_PATH:
        text = text[:_LONGEST_PATH] + "…"
    return "".join("?" if character < " " or "\x7f" <= character <= "\x9f" else character for character in text)


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
