"""What a search has learnt about moves, and the order in which it tries them.

Quiet moves are credited by side and squares, by the reply to the move before (countermove), and by the pair of both
(continuation history); two killers a ply are remembered. All of it is forgotten between root searches.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i32, i64

from pawnstar.chess.bits import COMPILED, truncated
from pawnstar.chess.exchange import see
from pawnstar.chess.moves import IDENTITY, from_to, is_loud, piece_to
from pawnstar.chess.position import Position
from pawnstar.search.scores import SCORE_SHIFT

# Move ordering: disjoint bands of scores that fit the move's 23 bits.
GOOD_CAPTURE: Final = 1 << 20
FIRST_KILLER: Final = (1 << 19) + 1
SECOND_KILLER: Final = 1 << 19
COUNTERMOVE: Final = (1 << 19) - 1
MOST_HISTORY: Final = (1 << 19) - 2
HISTORY_MAX: Final = 16384
HISTORY_BONUS_MAX: Final = 400

_FROM_TO: Final = 64 * 64  # pairs of squares
_PIECE_TO: Final = 7 * 64  # kinds of piece, none among them, times squares
# A move's place in its list while it is ordered, in reverse: 511, 510, … in bits 25-33.
_FIRST_PLACE: Final = 0x3FE000000
_NEXT_PLACE: Final = 0x2000000


class Histories:
    """The histories of one searching thread, for a stack of so many plies."""

    def __init__(self, plies: i64) -> None:
        self.killers: vec[i64] = vec[i64]([i64(0)] * (2 * plies))
        self.quiet: vec[i32] = vec[i32]([i32(0)] * (2 * _FROM_TO))
        self.countermoves: vec[i64] = vec[i64]([i64(0)] * _PIECE_TO)
        self.continuation: vec[i16] = vec[i16]([i16(0)] * (_PIECE_TO * _PIECE_TO))

    def forget(self) -> None:
        """Set all to zero.

        In place where that is cheap: fresh memory for each search costs a hundred page faults, which on a busy virtual
        machine take longer than the budget of a fast game's move (games were lost on time that way).
        """
        if COMPILED:
            index: i64 = 0
            killers = self.killers
            while index < len(killers):
                killers[index] = 0
                index += 1
            quiet = self.quiet
            index = 0
            while index < len(quiet):
                quiet[index] = 0
                index += 1
            countermoves = self.countermoves
            index = 0
            while index < len(countermoves):
                countermoves[index] = 0
                index += 1
            continuation = self.continuation
            index = 0
            while index < len(continuation):
                continuation[index] = 0
                index += 1
        else:
            self.killers = vec[i64]([i64(0)] * len(self.killers))
            self.quiet = vec[i32]([i32(0)] * (2 * _FROM_TO))
            self.countermoves = vec[i64]([i64(0)] * _PIECE_TO)
            self.continuation = vec[i16]([i16(0)] * (_PIECE_TO * _PIECE_TO))

    def score_moves(self, position: Position, moves: vec[i64], start: i64, end: i64, ply: i64, previous: i64) -> i64:
        """Put ordering scores into moves[start:end]; returns how many of them are loud (captures, promotions).

        ``previous`` is the move that led here. Below the score goes the move's place in reverse, so that all words
        differ and the greatest is the first of those with the best score: picking greatest words one by one equals a
        stable sort.
        """
        quiet = self.quiet
        continuation = self.continuation
        side = position.side * _FROM_TO
        reply = piece_to(previous)
        counter = self.countermoves[reply] & IDENTITY
        row = reply * _PIECE_TO
        killer1 = self.killers[2 * ply]
        killer2 = self.killers[2 * ply + 1]
        loud: i64 = 0
        index = start
        place: i64 = _FIRST_PLACE
        while index < end:
            move = moves[index]
            if is_loud(move):
                loud += 1
                score = see(position, move)
                if score >= 0:
                    score += GOOD_CAPTURE
            elif move == killer1:
                score = FIRST_KILLER
            elif move == killer2:
                score = SECOND_KILLER
            elif move == counter:
                score = COUNTERMOVE
            else:
                score = i64(quiet[side + from_to(move)]) + i64(continuation[row + piece_to(move)])
                if score > MOST_HISTORY:
                    score = MOST_HISTORY
            moves[index] = move | place | score << SCORE_SHIFT
            place -= _NEXT_PLACE
            index += 1
        return loud

    def credit(self, side: i64, previous: i64, move: i64, bonus: i64) -> None:
        """Move the history of ``move`` by ``bonus``, with gravity towards 0; quiet moves' continuation too."""
        quiet = self.quiet
        index = side * _FROM_TO + from_to(move)
        size = bonus if bonus >= 0 else -bonus
        entry = i64(quiet[index])
        quiet[index] = i32(entry + bonus - truncated(entry * size, HISTORY_MAX))
        if not is_loud(move):
            continuation = self.continuation
            index = piece_to(previous) * _PIECE_TO + piece_to(move)
            entry = i64(continuation[index])
            continuation[index] = i16(entry + bonus - truncated(entry * size, HISTORY_MAX))

    def count(self, side: i64, move: i64) -> None:
        """Add 1 to the history of ``move``, without gravity."""
        quiet = self.quiet
        index = side * _FROM_TO + from_to(move)
        quiet[index] = quiet[index] + 1

    def remember(self, ply: i64, previous: i64, move: i64) -> bool:
        """Make a quiet move that cut the ply's first killer and the reply to the previous move.

        Returns whether it was not the first killer already.
        """
        killers = self.killers
        move &= IDENTITY
        self.countermoves[piece_to(previous)] = move
        if killers[2 * ply] == move:
            return False
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = move
        return True


def score_captures(position: Position, moves: vec[i64], start: i64, end: i64) -> None:
    """Put exchange values into moves[start:end], which are all loud, as ``Histories.score_moves`` does."""
    index = start
    place: i64 = _FIRST_PLACE
    while index < end:
        move = moves[index]
        moves[index] = move | place | see(position, move) << SCORE_SHIFT
        place -= _NEXT_PLACE
        index += 1


def pick_best(moves: vec[i64], at: i64, end: i64) -> i64:
    """The greatest word of moves[at:end], whose place the word at ``at`` takes."""
    best = moves[at]
    picked = at
    candidate = at + 1
    while candidate < end:
        if moves[candidate] > best:
            best = moves[candidate]
            picked = candidate
        candidate += 1
    moves[picked] = moves[at]
    return best


def history_bonus(depth: i64) -> i64:
    """The credit of a good move: its depth squared, at least 1 and at most 400."""
    bonus: i64 = 1
    if depth > 1:
        bonus = depth * depth
    if bonus > HISTORY_BONUS_MAX:
        bonus = HISTORY_BONUS_MAX
    return bonus
