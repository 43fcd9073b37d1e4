"""What a search tells: while it runs (``SearchInfo``) and at its end (``SearchResult``).

Not compiled: a few are made a second, and the API's ``SearchInfo`` extends the report.
"""

from dataclasses import dataclass, fields
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from pawnstar.search.scores import is_mate, mate_in

Move = TypeVar("Move")
Bound: TypeAlias = Literal["exact", "lower", "upper"]


@dataclass(frozen=True, slots=True)
class Report(Generic[Move]):
    """One report of a running search, whatever a move is to its reader. Its fields are written here alone.

    ``depth`` and ``seldepth`` in plies; ``score`` in centipawns for the side to move, beyond +-31000 a forced mate;
    ``time`` in milliseconds; ``nps`` nodes per second; ``hashfull`` in permille; ``pv`` the line expected. A report
    with ``currmove`` tells which root move (the ``currmove_number``-th) is about to be searched, and one with a
    ``message`` is a remark in words; neither says anything about the score.

    ``multipv`` numbers the lines of a search for several, the best is 1; ``bound`` tells whether the score is exact or
    the true one at least (``lower``) or at most (``upper``) that; ``tbhits`` counts positions found in tablebases. This
    search makes reports of one exact line, without tablebases.
    """

    depth: int = 0
    seldepth: int = 0
    score: int = 0
    time: int = 0
    nodes: int = 0
    nps: int = 0
    hashfull: int = 0
    pv: tuple[Move, ...] = ()
    currmove: Move | None = None
    currmove_number: int = 0
    message: str = ""
    multipv: int = 1
    bound: Bound = "exact"
    tbhits: int = 0


def report_fields(report: Report[Any]) -> dict[str, Any]:
    """A report's fields by name, as keywords for another class of reports."""
    return {one.name: getattr(report, one.name) for one in fields(Report)}


class SearchInfo(Report[int]):
    """A report as the engine makes it: moves are packed."""

    __slots__ = ()

    @property
    def mate(self) -> int | None:
        """Moves to mate, negative when being mated; None where the score is no mate."""
        return mate_in(self.score)

    @property
    def cp(self) -> int | None:
        """The score in centipawns; None where it is a mate."""
        return None if is_mate(self.score) else self.score


def no_report(info: SearchInfo) -> None:
    """The receiver of reports that nobody wants."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search: ``best_move`` is 0 where there is no legal move, ``ponder_move`` where none is expected.

    ``source`` tells how the move was found: ``search``, ``book``, ``forced`` (the only legal move), or ``none``.
    """

    best_move: int = 0
    ponder_move: int = 0
    score: int = 0
    pv: tuple[int, ...] = ()
    depth: int = 0
    nodes: int = 0
    time: int = 0
    source: Literal["search", "book", "forced", "none"] = "search"
