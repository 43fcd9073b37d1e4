"""Openings of a match: what is read, and that what cannot be played is refused with its place."""

import codecs
import random
from pathlib import Path

import chess
import pytest

from pawnstar.matches.openings import OpeningsError, default_openings, random_opening, read_openings

KINGS = "4k3/8/8/8/8/8/4P3/4K3"


def read(tmp_path: Path, text: str | bytes, name: str = "x.pgn", plies: int | None = None) -> list[str]:
    """The positions behind the openings of a file of such contents."""
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [opening.board().fen() for opening in read_openings(path, plies)]


def game(moves: str, **tags: str) -> str:
    """A game as PGN."""
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + f"\n{moves} *\n\n"


def test_random_openings_are_legal_and_repeat_with_their_seed() -> None:
    dice = random.Random(1)
    openings = [random_opening(dice, 6) for _ in range(50)]
    assert len({opening.board().fen() for opening in openings}) > 45
    assert all(len(opening.moves) == 6 and not opening.board().is_game_over() for opening in openings)
    assert random_opening(random.Random(1), 6) == openings[0]
    assert random_opening(dice, 0).board() == chess.Board()


def test_default_openings_are_legal_and_differ() -> None:
    openings = default_openings()
    boards = {opening.board().fen() for opening in openings}
    assert len(boards) == len(openings) == 26
    assert all(len(opening.moves) == 8 for opening in openings)


def test_openings_from_files(tmp_path: Path) -> None:
    epd = tmp_path / "x.epd"
    epd.write_text(
        '# a comment\n\nr3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm Ra8+; id "1";\n4k3/8/8/8/8/8/4P3/4K3 b - - 3 17\n'
    )
    openings = read_openings(epd)
    assert [opening.board().fen() for opening in openings] == [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17",
    ]
    pgn = tmp_path / "x.pgn"
    pgn.write_text('[Event "1"]\n\n1. e4 e5 2. Nf3 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 Kd7 *\n')
    openings = read_openings(pgn, plies=2)
    assert [len(opening.moves) for opening in openings] == [2, 2]
    assert openings[1].board().fen() == "8/3k4/8/8/4P3/8/8/4K3 w - - 1 2"
    assert sorted(read_openings(None, seed=4), key=str) == sorted(default_openings(), key=str)
    assert read_openings(None, seed=4) != default_openings()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\nrubbish\n", "line 2: neither FEN nor EPD"),
        ("x.epd", "4k3/8/8/8/8/8/4P3/8 w - - 0 1\n", "line 1: not a legal position"),
        ("x.epd", "\n", "no opening in it"),
        ("x.epd", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1\n", "opening 1: the game is over"),
        ("x.pgn", "1. e4 e5 2. Ke3 *\n", "game 1: illegal san"),
    ],
)
def test_faulty_openings_are_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(OpeningsError, match=message):
        read_openings(tmp_path / name)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1",  # the side not to move is in check
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1",  # rights without a rook
        "4k3/8/8/8/8/8/8/RK6 w Q - 0 1",  # rights of Chess960
        "4k3/8/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e3 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",  # seven ranks
        "",
    ],
)
def test_illegal_positions_are_refused_in_both_kinds_of_files(tmp_path: Path, fen: str) -> None:
    """A PGN's FEN was not looked at: White lost such games at once, "failed in 1 games"."""
    first = game("1. e4 e5")
    with pytest.raises(OpeningsError, match="pgn, game 2: "):
        read(tmp_path, first + game("", FEN=fen) + first)
    with pytest.raises(OpeningsError, match="epd, line 3: " if fen else "no opening in it"):
        read(tmp_path, f"\n# two\n{fen}\n", "x.epd")


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("Horde", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1"),
        ("Antichess", None),
        ("Atomic", None),
        ("Chess960", "nrbbqkrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKRN w KQkq - 0 1"),
        ("fischerandom", None),
        ("Crazyhouse", None),
        ("Three-check", None),
        ("King of the Hill", None),
        ("Racing Kings", None),
        ("wild/5", None),
        ("Xiangqi", None),
    ],
)
def test_variants_are_refused(tmp_path: Path, variant: str, fen: str | None) -> None:
    """They were played as ordinary chess, Horde without a white king; some were refused by accident."""
    tags = {"Variant": variant} if fen is None else {"Variant": variant, "FEN": fen}
    with pytest.raises(OpeningsError, match=f"game 2: variant {variant}; only ordinary chess"):
        read(tmp_path, game("1. e4", Variant="Standard") + game("1. a3", **tags))


def test_ordinary_chess_under_its_other_names_is_read(tmp_path: Path) -> None:
    names = ("Standard", "standard", "Chess", "From Position", "")
    assert len(read(tmp_path, "".join(game("1. e4", Variant=name) for name in names))) == len(names)


@pytest.mark.parametrize("null", ["--", "Z0", "0000", "@@@@"])
def test_null_moves_are_refused_or_cut_off(tmp_path: Path, null: str) -> None:
    """Engines got `moves e2e4 0000 d2d4`, and thought about another position."""
    text = game("1. d4 d5") + game(f"1. e4 {null} 2. d4 d5")
    with pytest.raises(OpeningsError, match="pgn, game 2: a null move at ply 2; --plies 1 ends the opening"):
        read(tmp_path, text)
    assert read(tmp_path, text, plies=1)[1] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize("moves", ["1. e4 e5 2. Ke3", "1. e4 e5 2. Nf6", "1. e4 e5 2. R1a3", "1. e4 e5 2. b8=Q"])
def test_illegal_moves_are_refused(tmp_path: Path, moves: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(OpeningsError, match="pgn, game 2: illegal san"):
        read(tmp_path, game("1. e4") + game(moves))
    assert not caplog.records  # python-chess wrote it to standard error, once more


def test_variations_and_comments_are_passed_over(tmp_path: Path) -> None:
    """A line that is not played may hold what is none."""
    text = game("1. e4 { } $1 (1. d4 -- (1. Ke5) 2. Ke3) 1... e5 (1... Qh4 2. --) 2. Nf3!? ; end")
    assert read(tmp_path, text) == ["rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        ("1. e4 e5 2. Sf3 Sc6", "line 5: 'Sf3' is no move"),  # German
        ("1. e4 e5\n2. \u2658f3", "line 6: '2.'|line 6: '\u2658f3' is no move"),
        ("1. e4 e5 2. \u041af3", "line 5: '\u041af3' is no move"),
        ("1. e4 e5 2. nf3", "line 5: 'nf3' is no move"),
        ("1. e4 d5 2. Dd3", "line 5: 'Dd3' is no move"),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. o-o", "line 5: 'o-o' is no move"),
        ("1. e4 what e5", "line 5: 'what' is no move"),
        ("1. e4 {never ends e5", "line 5: a comment is not closed"),
        ("1. e4 } e5", "line 5: a comment is not closed"),
        ("1. e4 (1. d4 d5", "line 6: a variation is not closed"),
        ("1. e4 e5\n\n2. Nf3 Nc6", "line 7: moves behind an empty line"),
        ('1. e4 e5 *\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4', "line 6: a tag right behind moves"),
        ("1. e4 e5 1-0\n1. d4 d5", "line 6: moves right behind a result"),
    ],
)
def test_what_would_be_passed_over_is_refused(tmp_path: Path, moves: str, fault: str) -> None:
    """Of a German `Sf3` the move f3 was read and played; and games were joined or cut without a word."""
    with pytest.raises(OpeningsError, match=f"pgn, (?:{fault})"):
        read(tmp_path, game("1. e4") + game(moves) + game("1. c4 {a comment}", Event="next"))


def test_marks_and_remarks_are_no_faults(tmp_path: Path) -> None:
    text = game(
        "1.e4!! Nf6?! $14 2. e5 += N d5 3. exd6e.p. e.p. 3... Qxd6+- { x\n\n[%clk 1:00] } ; D f3\n4.Nc3 D 1/2-1/2"
    )
    assert read(tmp_path, text + game("1. Ng1-f3 Ng8-f6", Event="(x} {"))[0].startswith("rnb1kb1r/ppp1pppp/3q1n2/")


def test_absurd_marks_are_refused_with_their_game(tmp_path: Path) -> None:
    """Python reads no number of so many digits; the message named neither file nor game."""
    with pytest.raises(OpeningsError, match="pgn, game 2: "):
        read(tmp_path, game("1. d4") + game(f"1. e4 ${'9' * 5000}"))


def test_old_ends_of_lines(tmp_path: Path) -> None:
    """Carriage returns alone, as old Macintosh programs wrote them: there was no move in such a file."""
    assert len(read(tmp_path, (game("1. e4") + game("1. d4", Event="x")).replace("\n", "\r"))) == 2
    assert len(read(tmp_path, f"{KINGS} w - - 0 1\r{KINGS} b - - 0 1\r", "x.epd")) == 2


@pytest.mark.parametrize("counters", ["3", "0 1 9", "a b"])
def test_counters_that_are_none_are_refused_in_pgn_too(tmp_path: Path, counters: str) -> None:
    with pytest.raises(OpeningsError, match="game 1: "):
        read(tmp_path, game("1. e4", FEN=f"{KINGS} w - - {counters}"))


@pytest.mark.parametrize("text", ["", "\n \n", "% nothing\n", "\ufeff"])
def test_empty_files_are_refused(tmp_path: Path, text: str) -> None:
    for name in ("x.pgn", "x.epd"):
        with pytest.raises(OpeningsError, match="no opening in it" if text[:1] != "%" or name == "x.pgn" else "line 1"):
            read(tmp_path, text, name)


@pytest.mark.parametrize("text", ["no games here\n", '[Event "?"]\n\n*\n', "a,b,c\n1,2,3\n"])
def test_games_without_anything_are_refused(tmp_path: Path, text: str) -> None:
    """Any text with the ending .pgn was an opening: the start position."""
    with pytest.raises(OpeningsError, match="game 1: neither moves nor a FEN"):
        read(tmp_path, text)
    assert read(tmp_path, game("", FEN=f"{KINGS} w - - 0 1")) == [f"{KINGS} w - - 0 1"]
    assert read(tmp_path, game("1. e4"), plies=0) == [chess.STARTING_FEN]


@pytest.mark.parametrize(
    "line",
    [
        "rubbish",
        KINGS,
        f"{KINGS} w",
        f"{KINGS} w - - 3",  # one counter of two
        f"{KINGS} w - - -1 1",
        f"{KINGS} w - - 0 1 7",  # a seventh field
        f"{KINGS} w - - 0 99999999999999999999",
        f"{KINGS} x - - 0 1",
        f"{KINGS} w ?? - 0 1",
        f"{KINGS} w - z9 0 1",
        "[Event 1]",
        "1. e4 e5",
    ],
)
def test_lines_that_are_no_positions_are_refused(tmp_path: Path, line: str) -> None:
    """Counters that were none became 0 and 1 without a word."""
    with pytest.raises(OpeningsError, match="epd, line 2: "):
        read(tmp_path, f"{KINGS} w - - 0 1\n{line}\n", "x.epd")


@pytest.mark.parametrize(
    ("line", "counters"),
    [
        (f"{KINGS} w - -", "0 1"),
        (f"  {KINGS}  w\t- - ;", "0 1"),
        (f"{KINGS} w - - 7 30", "7 30"),
        (f'{KINGS} w - - bm e4; id "a; b 3";', "0 1"),
        (f'{KINGS} w - - hmvc 7; fmvn 30; id "x";', "7 30"),
        (f"{KINGS} w - - 7 30; a remark", "7 30"),
        (f'{KINGS} w - - 7 30 ce 12; id "x";', "7 30"),
        (f"{KINGS} w - - 7 30 # a remark", "7 30"),
        (f"{KINGS} w - -\r", "0 1"),
    ],
)
def test_lines_with_counters_and_operations(tmp_path: Path, line: str, counters: str) -> None:
    assert read(tmp_path, f"{line}\n", "x.epd") == [f"{KINGS} w - - {counters}"]


@pytest.mark.parametrize(
    ("fen", "why"),
    [
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "checkmate"),
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "stalemate"),
        ("7k/8/8/8/8/8/8/K7 b - - 0 1", "insufficient material"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", "fifty moves"),
    ],
)
def test_games_that_are_over_already_are_refused(tmp_path: Path, fen: str, why: str) -> None:
    """A draw by fifty moves was none, and such games ended at once, with points for both."""
    with pytest.raises(OpeningsError, match=rf"opening 2: the game is over before it begins \({why}\)"):
        read(tmp_path, f"{KINGS} w - - 0 1\n{fen}\n", "x.epd")
    with pytest.raises(OpeningsError, match=rf"opening 1: the game is over before it begins \({why}\)"):
        read(tmp_path, game("", FEN=fen))
    with pytest.raises(OpeningsError, match=r"opening 1: .*\(threefold repetition\)"):
        read(tmp_path, game("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"))


def test_encodings(tmp_path: Path) -> None:
    """A mark at the beginning, UTF-16 (PowerShell writes it), Latin-1 in a name."""
    fen = f"{KINGS} w - - 0 1"
    assert read(tmp_path, codecs.BOM_UTF8 + fen.encode(), "x.epd") == [fen]
    assert read(tmp_path, f"{fen}\r\n".encode("utf-16"), "x.epd") == [fen]
    assert read(tmp_path, fen.encode() + b' id "caf\xe9";\n', "x.epd") == [fen]
    after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert read(tmp_path, game("1. e4", White="J\xe4ger").encode("latin-1")) == [after]
    assert read(tmp_path, codecs.BOM_UTF8 + game("1. e4", White="Jäger").encode()) == [after]
    for name in ("x.epd", "x.pgn"):
        with pytest.raises(OpeningsError, match="not a text file"):
            read(tmp_path, b"\x1f\x8b\x08\x00\x00\x00", name)
