"""The nets that tests play with: the synthetic ones, written once a run, and the shipped one."""

from dataclasses import dataclass
from pathlib import Path

from pawnstar.commands.write_synthetic_net import synthetic_payload
from pawnstar.evaluation.nnue.net_file import MIRRORED_SHAPE, PLAIN_SHAPE, write_net
from pawnstar.evaluation.nnue.network import Network

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "nnue" / "pawnstar-p1.bin"


@dataclass(frozen=True)
class Net:
    """A net's file, and the net that was read from it."""

    path: Path
    network: Network


def read(path: Path) -> Net:
    """The net of a file."""
    return Net(path, Network(path.read_bytes(), str(path)))


def write_synthetic(folder: Path, name: str) -> Path:
    """Write ``parity``, ``requant`` or ``mirrored`` into a folder."""
    shape = MIRRORED_SHAPE if name == "mirrored" else PLAIN_SHAPE
    path = folder / f"{name}.bin"
    path.write_bytes(write_net(synthetic_payload(shape, requant=name == "requant"), shape))
    return path
