"""What a search tells: while it runs (``SearchInfo``) and at its end (``SearchResult``)."""

from dataclasses import dataclass

from pawnstar.engine.scores import is_mate, mate_in


@dataclass(frozen=True)
class SearchInfo:
    """One report of a running search.

    ``depth`` and ``seldepth`` in plies; ``score`` in centipawns for the side to move, beyond +-31000 a forced mate
    (see ``mate``); ``time`` in milliseconds; ``nps`` nodes per second; ``hashfull`` in permille; ``pv`` packed moves.
    A report with ``currmove`` tells which root move (the ``currmove_number``-th) is about to be searched, and one with
    a ``message`` is a remark in words; neither says anything about the score.
    """

    depth: int = 0
    seldepth: int = 0
    score: int = 0
    time: int = 0
    nodes: int = 0
    nps: int = 0
    hashfull: int = 0
    pv: tuple[int, ...] = ()
    currmove: int = 0
    currmove_number: int = 0
    message: str = ""

    @property
    def mate(self) -> int | None:
        """Moves to mate, negative when being mated; None where the score is no mate."""
        return mate_in(self.score)

    @property
    def cp(self) -> int | None:
        """The score in centipawns; None where it is a mate."""
        return None if is_mate(self.score) else self.score


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search: ``best_move`` is 0 where there is no legal move, ``ponder_move`` where none is expected.

    ``source`` tells how the move was found: ``search``, ``book``, ``forced`` (the only legal move), or ``none``.
    """

    best_move: int
    ponder_move: int
    score: int
    pv: tuple[int, ...]
    depth: int
    nodes: int
    time: int
    source: str = "search"
