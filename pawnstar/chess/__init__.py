"""The rules of chess: boards, moves, their generation and notation. No evaluation, no search, no input or output."""
