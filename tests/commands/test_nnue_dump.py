"""nnue-dump and the evaluation of many positions at once: the engine's numbers to the bit, for both shapes."""

import io
import time
from pathlib import Path

import chess
import numpy as np
import pytest
from click.testing import CliRunner
from golden_files import golden_lines, golden_table
from hypothesis import given, settings
from modes import COMPILED
from random_games import Game, games, odd_boards, position_of
from reference_network import ReferenceNetwork

from pawnstar import Network, Position
from pawnstar.chess.fen import position_from_fen, write_fen
from pawnstar.chess.position import Position as RulesPosition
from pawnstar.commands import nnue_dump
from pawnstar.commands.nnue_dump import command, dump
from pawnstar.commands.write_synthetic_net import synthetic_payload
from pawnstar.engine.engine import Engine
from pawnstar.evaluation.nnue.batch import BatchEvaluator
from pawnstar.evaluation.nnue.net_file import MIRRORED_SHAPE, PLAIN_SHAPE, write_net

NETS = {
    name: (synthetic_payload(shape, requant), shape)
    for name, shape, requant in (
        ("plain", PLAIN_SHAPE, False),
        ("requant", PLAIN_SHAPE, True),
        ("mirrored", MIRRORED_SHAPE, False),
    )
}


@pytest.fixture(scope="module", params=list(NETS))
def network(request: pytest.FixtureRequest) -> Network:
    return Network(write_net(*NETS[request.param]), request.param)


@pytest.fixture(scope="module")
def walked() -> list[str]:
    """Positions of the recorded files, from two kings to all men on the board."""
    rows = golden_table("evals", "evals.tsv")
    perft = [line.split(";")[0].strip() for line in golden_lines("facts", "perft.epd")]
    return [write_fen(position_from_fen(fen)) for fen in [*(row[0] for row in rows), *perft]]


def test_many_at_once_are_the_engines_one_by_one(network: Network, walked: list[str]) -> None:
    positions = [Position.from_fen(fen) for fen in walked]
    assert len(positions) > 300
    for exact in (False, True):
        values = network.evaluate_many(positions, exact=exact)
        assert values.dtype == np.int32
        assert values.shape == (len(positions),)
        assert values.tolist() == [network.evaluate(position, exact=exact) for position in positions]


def test_many_at_once_are_the_specifications(walked: list[str]) -> None:
    for name, (payload, shape) in NETS.items():
        reference = ReferenceNetwork.of(payload, heads=shape.output_buckets, mirrored=shape.mirrored)
        network = Network(write_net(payload, shape), name)
        chosen = walked[::6]
        positions = [Position.from_fen(fen) for fen in chosen]
        raw, exact = network.evaluate_many(positions), network.evaluate_many(positions, exact=True)
        assert list(zip(raw.tolist(), exact.tolist(), strict=True)) == [reference.evaluate(fen) for fen in chosen]


@settings(max_examples=40)
@given(games(30))
def test_batches_of_games(game: Game) -> None:
    _same_in_batches([position_from_fen(game.board.fen(en_passant="fen"))])


@settings(max_examples=60)
@given(odd_boards())
def test_batches_of_odd_boards(board: chess.Board) -> None:
    _same_in_batches([position_of(board)])


_networks: dict[str, Network] = {}


def _same_in_batches(positions: list[RulesPosition]) -> None:
    for name in ("plain", "mirrored"):
        if name not in _networks:
            _networks[name] = Network(write_net(*NETS[name]), name)
        network = _networks[name]
        wrapped = [Position(position) for position in positions]
        assert network.evaluate_many(wrapped).tolist() == [network.evaluate(position) for position in wrapped]


def test_no_position_gives_no_value(network: Network) -> None:
    assert network.evaluate_many([]).shape == (0,)


def test_crowded_board_uses_the_last_head() -> None:
    """A FEN may hold more than 32 pieces; head (pieces - 2) // 4 would then be the ninth of eight."""
    network = Network(write_net(*NETS["mirrored"]), "mirrored")
    crowd = Position.from_fen("nnnnknnn/nnnnnnnn/nnnnnnnn/8/8/NNNNNNNN/NNNNNNNN/NNNNKNNN w - - 0 1")
    assert network.evaluate_many([crowd])[0] == network.evaluate(crowd)
    assert network.evaluate_many([crowd], exact=True)[0] == network.evaluate(crowd, exact=True)


# The command.


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("nets")
    for name, (payload, shape) in NETS.items():
        (folder / name).write_bytes(write_net(payload, shape))
    return {name: folder / name for name in NETS}


@pytest.mark.parametrize(("name", "file"), [("plain", "evals.tsv"), ("requant", "evals_requant.tsv")])
def test_command_writes_the_goldens(nets: dict[str, Path], name: str, file: str) -> None:
    rows = golden_table("evals", file)
    text = "# a comment\n\n" + "".join(f"{fen}\n" for fen, *_ in rows)
    result = CliRunner().invoke(command, ["--net", str(nets[name]), "--exact", "--forgiving", "--header"], input=text)
    assert result.exit_code == 0, result.output
    lines = [line.split("\t") for line in result.output.splitlines()]
    assert lines[0] == ["fen", "raw", "full", "exact"]
    assert lines[1:] == [[fen, int8, full, exact] for fen, _, int8, exact, full in rows]


def test_full_evaluation_is_the_engines(nets: dict[str, Path]) -> None:
    """Draws and the fifty-move clock, of which the goldens hold few."""
    engine = Engine(Network.from_file(nets["mirrored"])._network, 1)
    fens = [
        "4k3/8/8/8/8/8/8/QQ2K3 w - - 60 80",
        "4k3/8/8/8/8/8/8/QQ2K3 b - - 99 80",
        "4k3/8/8/8/8/8/8/QQ2K3 w - - 100 80",
        "R5k1/5ppp/8/8/8/8/8/K7 b - - 100 90",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1",
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ]
    result = CliRunner().invoke(command, ["--net", str(nets["mirrored"])], input="\n".join(fens))
    full = [int(line.split("\t")[2]) for line in result.output.splitlines()]
    assert full == [engine.evaluate(position_from_fen(fen)) for fen in fens]
    assert full.count(0) == 5, "four draws, and a mate of which fifty moves leave nothing"


def test_bad_line_is_named_and_those_before_it_are_written(nets: dict[str, Path]) -> None:
    text = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n\n8/8/8/8/8/8/8/8 w - - 0 1\n"
    result = CliRunner().invoke(command, ["--net", str(nets["plain"])], input=text)
    assert result.exit_code == 2
    assert "line 3: no white king: '8/8" in result.output
    assert result.stdout.startswith("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\t")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("4k3/8/8/8/8/8/8/QQ2K2 w - - 0 1", "7 squares on rank 1"),
        ("4k3/9/8/8/8/8/8/QQ2K3 w - - 0 1", "'9' on rank 7"),
        ("4k3/8/8/8/8/8/8/QQ2K3 x - - 0 1", "side to move 'x'"),
        ("4k3/8/8/8/8/8/8/QQ2K3 w KZ - 0 1", "castling rights 'KZ'"),
        ("4k3/8/8/8/8/8/8/QQ2K3 w - z9 0 1", "en passant square 'z9'"),
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - bm Qa8", "half-move clock 'bm'"),
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1 more", "'more' behind the sixth field"),
        ("rubbish", "no white king"),
        ("4k3/8/8/8/8/8/8/QQ2K3\0 w - - 0 1", "'\\x00' on rank 1"),
    ],
)
def test_rubbish_is_refused_with_its_line(nets: dict[str, Path], line: str, reason: str) -> None:
    """Boards of seven squares a rank and words that are no numbers were evaluated in silence."""
    text = f"4k3/8/8/8/8/8/8/QQ2K3 w KQ - 300 999\n# a comment\n{line}\n"
    result = CliRunner().invoke(command, ["--net", str(nets["plain"])], input=text)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: line 3: {reason}")
    assert result.stderr.count("\n") == 1
    assert result.stdout.count("\n") == 1, "rights that cannot be and large numbers are no rubbish"
    result = CliRunner().invoke(command, ["--net", str(nets["plain"]), "--forgiving"], input=text)
    assert (result.exit_code, result.stdout.count("\n")) == (0, 2)


def test_tabs_in_a_fen_do_not_become_columns(nets: dict[str, Path]) -> None:
    result = CliRunner().invoke(command, ["--net", str(nets["plain"])], input="4k3/8/8/8/8/8/8/QQ2K3\tw  -\t-\n")
    assert [len(line.split("\t")) for line in result.stdout.splitlines()] == [3]


def test_mark_of_the_encoding_is_no_rubbish(nets: dict[str, Path]) -> None:
    text = "\ufeff4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\r\n"
    result = CliRunner().invoke(command, ["--net", str(nets["plain"])], input=text.encode())
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("4k3/")


def test_bad_net_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"PSN1" + bytes(100))
    result = CliRunner().invoke(command, ["--net", str(tmp_path / "x")], input="")
    assert result.exit_code == 1
    assert "magic is PSN1" in result.output


def test_ten_thousand_positions_a_second(nets: dict[str, Path], walked: list[str]) -> None:
    """Processor time, of this process; compiled, reading the FENs included."""
    network = Network.from_file(nets["mirrored"])._network
    lines = (walked * (10_000 // len(walked) + 1))[:10_000]
    seconds = []
    for _ in range(3):
        began = time.process_time()
        if COMPILED:
            assert dump(io.StringIO("\n".join(lines)), io.StringIO(), network, False, False) == 10_000
        else:
            positions = [position_from_fen(fen) for fen in walked] * (10_000 // len(walked) + 1)
            began = time.process_time()
            BatchEvaluator(network).evaluate(positions[:10_000])
        seconds.append(time.process_time() - began)
        if seconds[-1] < 1:
            break
    assert min(seconds) < 1, seconds


def test_blocks_join(nets: dict[str, Path], walked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network.from_file(nets["plain"])._network
    whole, parts = io.StringIO(), io.StringIO()
    dump(io.StringIO("\n".join(walked)), whole, network, False, False)
    monkeypatch.setattr(nnue_dump, "BLOCK", 7)
    dump(io.StringIO("\n".join(walked)), parts, network, False, False)
    assert whole.getvalue() == parts.getvalue()
