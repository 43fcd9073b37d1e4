"""When the engines' scores decide a game before the rules do: resignation and draw by adjudication."""

from __future__ import annotations

from pawnstar.matches.settings import Rules


def adjudicated(scores: list[int | None], rules: Rules, move_number: int) -> tuple[str, str] | None:
    """The result and its reason where the engines' scores (White's view, one a ply) decide the game, else None."""
    if rules.resign_moves:
        last = scores[-2 * rules.resign_moves :]
        if len(last) == 2 * rules.resign_moves:
            if all(score is not None and score >= rules.resign_score for score in last):
                return "1-0", "Black resigns by adjudication"
            if all(score is not None and score <= -rules.resign_score for score in last):
                return "0-1", "White resigns by adjudication"
    if rules.draw_moves and move_number >= rules.draw_after:
        last = scores[-2 * rules.draw_moves :]
        if len(last) == 2 * rules.draw_moves and all(s is not None and abs(s) <= rules.draw_score for s in last):
            return "1/2-1/2", "draw by adjudication"
    return None
