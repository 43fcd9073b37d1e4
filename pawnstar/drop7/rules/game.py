"""Whole games: the two drivers that hand out discs, and the policies that need no search."""

from __future__ import annotations

from mypy_extensions import i64

from pawnstar.drop7.rules.board import Board, rise_blocked
from pawnstar.drop7.rules.rng import Source, disc_of, headless_disc, headless_reveal_seed
from pawnstar.drop7.rules.rules import MOVES_PER_RISE, Move, Rules
from pawnstar.drop7.rules.state import State
from pawnstar.drop7.rules.words import MASK32, SOLID_ROW
from pawnstar.system.interrupts import let_others_in


class Game:
    """A game in progress. ``headless`` games derive every disc and reveal from the seed and the move number.

    >>> game = Game(1)
    >>> game.state.next_disc
    5
    >>> game.play(3).after.next_disc
    4
    """

    def __init__(self, seed: int, single_stream: bool = False) -> None:
        """Start a game.

        Args:
            seed: 32-bit seed of the game.
            single_stream: draw everything from one generator in order of use, instead of by move number.
        """
        self.seed: int = seed
        self.single_stream: bool = single_stream
        self.source: Source = Source(seed & MASK32)
        self.rules: Rules = Rules()
        first = disc_of(self.source.bits()) if single_stream else headless_disc(seed & MASK32, 0)
        self.state: State = State.start(int(first))

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return game_at, (self.seed, self.single_stream, int(self.source.state), self.state)

    def clone(self) -> Game:
        """An independent game at the same point, with the same future."""
        return game_at(self.seed, self.single_stream, int(self.source.state), self.state.clone())

    def play(self, column: int) -> Move:
        """Play a column.

        Raises:
            ValueError: the game is over, or the column does not exist or is full.
        """
        if not self.single_stream:
            self.source.reseed(headless_reveal_seed(self.seed & MASK32, self.state.moves_played))
        move = self.rules.play(self.state, column, self.source)
        if move is None:
            raise ValueError(f"column {column} cannot be played")
        if not self.single_stream and not move.after.over:
            move.after.next_disc = int(headless_disc(self.seed & MASK32, move.after.moves_played))
        self.state = move.after
        return move


def game_at(seed: int, single_stream: bool, source_state: int, state: State) -> Game:
    """A game that has come so far."""
    game = Game(seed, single_stream)
    game.source.reseed(source_state)
    game.state = state
    return game


def center_column(pair0: i64, pair1: i64, pair2: i64, pair3: i64) -> i64:
    """First column with room in search order; the caller knows that there is one."""
    # COLUMN_ORDER unrolled: a loop over it costs a game seven per cent more instructions.
    if (pair1 >> 56) == 0:
        return 3
    if (pair1 >> 24) & 15 == 0:
        return 2
    if (pair2 >> 24) & 15 == 0:
        return 4
    if (pair0 >> 56) == 0:
        return 1
    if (pair2 >> 56) == 0:
        return 5
    if (pair0 >> 24) & 15 == 0:
        return 0
    return 6


def play_center_games(first_seed: i64, games: i64, most_moves: i64) -> tuple[i64, i64, i64]:
    """Play headless games, always dropping into the first open column of the search order.

    Returns the total of moves, of waves and of scores.
    """
    rules = Rules()
    source = Source(0)
    moves: i64 = 0
    waves: i64 = 0
    score: i64 = 0
    game: i64 = 0
    while game < games:
        seed: i64 = (first_seed + game) & MASK32
        rules.set_board(SOLID_ROW, SOLID_ROW, SOLID_ROW, 8)
        rules.clock = MOVES_PER_RISE
        rules.over = False
        played: i64 = 0
        while not rules.over and played < most_moves:
            pair0: i64 = rules.pair0
            pair1: i64 = rules.pair1
            pair2: i64 = rules.pair2
            pair3: i64 = rules.pair3
            source.reseed(headless_reveal_seed(seed, played))
            rules.drop(
                pair0,
                pair1,
                pair2,
                pair3,
                headless_disc(seed, played),
                rules.clock,
                center_column(pair0, pair1, pair2, pair3),
                source,
            )
            played += 1
            waves += rules.waves
            score += rules.delta
            if played & 0xFFF == 0:
                let_others_in()
        moves += played
        if game & 0xF == 0:
            let_others_in()
        game += 1
    return moves, waves, score


class Frame:
    """One picture of a move: the board, the cells about to pop (a row board), and what happens.

    ``event`` is ``drop``, ``wave``, ``rise`` or ``end``; ``depth`` and ``points`` belong to waves.
    """

    def __init__(self, event: str, board: Board, popping: int = 0, depth: int = 0, points: int = 0) -> None:
        self.event: str = event
        self.board: Board = board
        self.popping: int = popping
        self.depth: int = depth
        self.points: int = points

    def __reduce__(self) -> tuple[object, ...]:
        """Copies and pickles name the fields: compiled classes have no instance dictionary."""
        return Frame, (self.event, self.board, self.popping, self.depth, self.points)


def frames(state: State, column: int, source: Source) -> list[Frame]:
    """The pictures of a legal move, from the disc in its place to the board at rest; ``source`` reveals the covers."""
    rules = Rules()
    board = state.board
    rules.set_board(board.pair0, board.pair1, board.pair2, board.pair3)
    rules.add_disc(state.next_disc, column)
    pictures = [Frame("drop", rules.board())]
    depth = _waves(rules, 1, source, pictures)
    if state.clock == 1 and not rise_blocked(rules.pair0, rules.pair1, rules.pair2, rules.pair3):
        rules.rise()
        pictures.append(Frame("rise", rules.board()))
        _waves(rules, depth, source, pictures)
    pictures.append(Frame("end", rules.board()))
    return pictures


def _waves(rules: Rules, first_depth: int, source: Source, pictures: list[Frame]) -> int:
    depth = first_depth
    while True:
        before = rules.board()
        rules.delta = 0
        if not rules.wave(depth, source):
            return depth
        pictures.append(Frame("wave", before, int(rules.popping), depth, int(rules.delta)))
        depth += 1
