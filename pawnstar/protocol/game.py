"""The game that a protocol's commands speak of: the current position and how it came about."""

from pawnstar.chess.coordinate import parse_coordinate
from pawnstar.chess.fen import START_FEN, read_fen, start_position
from pawnstar.chess.position import Position, make_move


class Game:
    """The current position and all earlier ones, oldest first."""

    def __init__(self) -> None:
        self.position: Position = start_position()
        self.history: list[Position] = []
        # The engine's answer, where its being played made the current position; else 0.
        self.answer = 0

    def set_up(self, fen: str = START_FEN) -> list[str]:
        """Begin anew from a FEN; returns what was wrong with it."""
        reading = read_fen(fen)
        self.position = reading.position
        self.history = []
        self.answer = 0
        return reading.messages()

    def play(self, move: int) -> None:
        """Play a legal move."""
        child = Position()
        make_move(self.position, child, move)
        self.history.append(self.position)
        self.position = child
        self.answer = 0

    def play_answer(self, move: int) -> None:
        """Play the engine's own move, and remember that it was the engine's."""
        self.play(move)
        self.answer = move

    def play_text(self, text: str) -> bool:
        """Play a move given in coordinate notation; False, and nothing played, where it is not legal."""
        move = parse_coordinate(self.position, text)
        if move == 0:
            return False
        self.play(move)
        return True
