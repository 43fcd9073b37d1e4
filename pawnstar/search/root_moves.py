"""The moves at the root, and what searches have found behind each."""


class RootMove:
    """A move at the root: scores in centipawns for the side to move, nodes of all its searches by one thread."""

    def __init__(self, move: int) -> None:
        self.move = move
        # The score of the last search: an upper bound where the move was no better than one before it.
        self.score = 0
        # The score of the iteration before.
        self.previous = 0
        # The principal variation that begins with it, as it was when the move was last the best.
        self.pv: tuple[int, ...] = (move,)
        self.nodes = 0


def sort_moves(moves: list[RootMove]) -> None:
    """Best scores first; moves with equal scores keep their order."""
    moves.sort(key=lambda root_move: -root_move.score)
