"""The recorded files that tests compare with, for use while tests are collected."""

from pathlib import Path

GOLDENS = Path(__file__).resolve().parents[1] / "goldens"
PAWNSTAR = GOLDENS / "pawnstar"


def golden_lines(*parts: str, comments: bool = False) -> list[str]:
    """The lines of ``goldens/pawnstar/...``, empty ones and (unless wanted) comments (``#``) left out."""
    text = PAWNSTAR.joinpath(*parts).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and (comments or not line.startswith("#"))]


def golden_table(*parts: str) -> list[list[str]]:
    """The rows of a tab-separated file of ``goldens/pawnstar/...``, split into columns."""
    return [line.split("\t") for line in golden_lines(*parts)]
