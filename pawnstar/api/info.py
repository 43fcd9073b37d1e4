"""What a search tells, as its user reads it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pawnstar.api import hints
from pawnstar.api.moves import Move, unpacked
from pawnstar.api.score import Color, Score
from pawnstar.search.info import Report, report_fields
from pawnstar.search.info import SearchInfo as EngineInfo
from pawnstar.search.info import SearchResult as EngineResult


@dataclass(frozen=True, slots=True)
class SearchInfo(Report[Move]):
    """One report of a running search.

    ``depth`` and ``seldepth`` in plies; ``score`` a ``Score``: an int of centipawns for the side to move, beyond
    ±31,000 a forced mate; ``time`` in milliseconds; ``nodes`` searched; ``nps`` nodes a second; ``hashfull`` in
    permille; ``pv`` the principal variation, the best line found. A report with ``currmove`` tells that the
    ``currmove_number``-th root move is about to be searched, and one with a ``message`` is a remark in words; neither
    says anything of the score. ``multipv`` numbers the line among several, ``bound`` says whether the score is
    ``"exact"`` or the true one's ``"lower"`` or ``"upper"`` bound, and ``tbhits`` counts positions found in tablebases:
    today all reports are of one exact line, without tablebases.

    >>> import pawnstar
    >>> info = pawnstar.SearchInfo(depth=9, score=pawnstar.Score(31897))
    >>> info.mate, info.cp
    (2, None)
    """

    score: Score = Score(0)  # noqa: RUF009  (it never changes)

    def __post_init__(self) -> None:
        if not isinstance(self.score, Score):
            object.__setattr__(self, "score", Score(self.score))

    @property
    def mate(self) -> int | None:
        """Moves to the forced mate, negative when being mated; None where the score is no mate.

        >>> import pawnstar
        >>> pawnstar.SearchInfo(score=pawnstar.Score(-31898)).mate
        -1
        """
        return self.score.mate()

    @property
    def cp(self) -> int | None:
        """The score in centipawns for the side to move; None where it is a mate.

        >>> import pawnstar
        >>> pawnstar.SearchInfo(score=pawnstar.Score(25)).cp
        25
        """
        return self.score.cp()

    @property
    def has_score(self) -> bool:
        """Whether the report tells a score and a line, and not only what is being done.

        >>> import pawnstar
        >>> pawnstar.SearchInfo(message="book move").has_score
        False
        """
        return self.currmove is None and not self.message


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search.

    ``best_move`` is None where there is no legal move, ``ponder_move`` (the reply expected) where none is known;
    ``score`` a ``Score``: an int of centipawns for the side to move, beyond ±31,000 a forced mate; ``pv`` the best
    line; ``depth`` in plies; ``nodes`` searched; ``time`` in milliseconds. ``source`` tells how the move was found:
    ``"search"``, ``"book"``, ``"forced"`` (the only legal move) or ``"none"``.

    >>> import pawnstar
    >>> pawnstar.SearchResult(best_move=None, score=pawnstar.Score(-31900), source="none").mate
    0
    """

    best_move: Move | None
    ponder_move: Move | None = None
    score: Score = Score(0)  # noqa: RUF009  (it never changes)
    pv: tuple[Move, ...] = ()
    depth: int = 0
    nodes: int = 0
    time: int = 0
    source: Literal["search", "book", "forced", "none"] = "search"

    def __post_init__(self) -> None:
        if not isinstance(self.score, Score):
            object.__setattr__(self, "score", Score(self.score))

    @property
    def mate(self) -> int | None:
        """Moves to the forced mate, negative when being mated, 0 on a mated board; None where the score is no mate.

        >>> import pawnstar
        >>> pawnstar.SearchResult(pawnstar.Move.from_uci("e2e4"), score=pawnstar.Score(31899)).mate
        1
        """
        return self.score.mate()

    @property
    def cp(self) -> int | None:
        """The score in centipawns for the side to move; None where it is a mate.

        >>> import pawnstar
        >>> pawnstar.SearchResult(pawnstar.Move.from_uci("e2e4"), score=pawnstar.Score(31)).cp
        31
        """
        return self.score.cp()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise hints.missing(self, name, hints.RESULT)


def info_of(info: EngineInfo, turn: Color) -> SearchInfo:
    """The engine's report with its moves unpacked; ``turn`` was to move."""
    values = report_fields(info)
    values["score"] = Score(info.score, turn)
    values["pv"] = tuple(unpacked(move) for move in info.pv)
    values["currmove"] = unpacked(info.currmove) if info.currmove else None
    return SearchInfo(**values)


def result_of(result: EngineResult, turn: Color) -> SearchResult:
    """The engine's result with its moves unpacked; ``turn`` was to move."""
    return SearchResult(
        best_move=unpacked(result.best_move) if result.best_move else None,
        ponder_move=unpacked(result.ponder_move) if result.ponder_move else None,
        score=Score(result.score, turn),
        pv=tuple(unpacked(move) for move in result.pv),
        depth=result.depth,
        nodes=result.nodes,
        time=result.time,
        source=result.source,
    )
