"""Commands that only look: they change nothing, and are answered at once, while a search runs, too."""

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import write_fen
from pawnstar.engine.book import Book
from pawnstar.protocol.display import board_text, counters_table, zobrist_text
from pawnstar.protocol.output import Output
from pawnstar.protocol.session import Session


class Look:
    """The commands, each without arguments; they show the position that is being searched."""

    def __init__(self, session: Session, output: Output) -> None:
        self._session = session
        self._output = output

    def _tell_answer(self) -> None:
        """Say that the board shows the engine's own answer, where it does: UCI lets one expect the position before."""
        answer = self._session.game.answer
        if answer != 0:
            self._output.info(f"the engine's own move {move_text(answer)} has been played; 'position' sets up another")

    def evaluation(self, rest: str) -> None:
        """``eval``: the search's evaluation."""
        self._tell_answer()
        self._output.line(f"evaluation {self._session.evaluate()} (nnue)")

    def network_output(self, rest: str) -> None:
        """``nnue``: the network's output as it is."""
        self._output.line(f"nnue {self._session.engine.network_evaluation(self._session.game.position)}")

    def fen(self, rest: str) -> None:
        """``getboard``."""
        self._tell_answer()
        self._output.line(write_fen(self._session.game.position))

    def board(self, rest: str) -> None:
        """``d``."""
        self._tell_answer()
        self._output.line(board_text(self._session.game.position))

    def key(self, rest: str) -> None:
        """``zobrist``."""
        self._output.line(zobrist_text(self._session.game.position))

    def counters(self, rest: str) -> None:
        """``dbg``."""
        self._output.line(counters_table(self._session.engine.counters()))

    def book_moves(self, rest: str) -> None:
        """``bookmoves``."""
        book: Book | None = self._session.engine.book
        choices = book.choices(self._session.game.position) if book is not None else []
        if book is None or not choices:
            return
        lines = ["MOVE   COUNT"]
        lines += sorted(f"{move_text(move):<8} {count:3}" for move, count in choices)
        lines += sorted(
            f"{move_text(move) + '?':<8} {count:3}  (questionable, never played)"
            for move, count in book.questionable(self._session.game.position)
        )
        self._output.line("\n".join(lines))
