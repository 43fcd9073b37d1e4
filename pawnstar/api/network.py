"""The evaluating network, as its user asks it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pawnstar import resources
from pawnstar.api.boards import PositionLike, resolve
from pawnstar.api.position import Position
from pawnstar.chess.bits import COMPILED
from pawnstar.chess.position import Position as RulesPosition
from pawnstar.evaluation.nnue.network import Accumulators
from pawnstar.evaluation.nnue.network import Network as EngineNetwork

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pawnstar.evaluation.nnue.batch import BatchEvaluator

_PIECE: Final = 512  # positions evaluated in one go: some milliseconds


class Network:
    """An NNUE net in the RNNUE1 container, of either shape.

    Read-only: engines and threads may share one, and copying gives itself. A pickle holds the file's contents (12 MB).

    Raises ``NetRefused``, a ValueError that names the field, for a file that is damaged or of another architecture.

    >>> import pawnstar
    >>> network = pawnstar.Network.default()
    >>> network.mirrored, network.heads
    (False, 1)
    """

    def __init__(self, data: bytes, origin: str = "bytes") -> None:
        """Read the contents of a net file; ``origin`` is what messages call it."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"a net is made of bytes, not {type(data).__name__}; see Network.from_file")
        data = bytes(data)
        self._network = EngineNetwork(data, origin)
        self._batch: BatchEvaluator | None = None
        # Accumulators that no call uses at present. Each call takes one out or makes one (threads may share a net, and
        # a signal handler may ask while another evaluation is half done); pop and append are atomic.
        self._spare: list[Accumulators] = []

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Network:
        """Read a net file. Raises OSError where it cannot be read, ``NetRefused`` where it is not accepted.

        >>> import pawnstar
        >>> pawnstar.Network.from_file("no such net")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no such net'
        """
        return cls(Path(path).read_bytes(), os.fspath(path))

    @classmethod
    def default(cls) -> Network:
        """The net that comes with Pawnstar.

        >>> import pawnstar
        >>> pawnstar.Network.default().origin
        'embedded'
        """
        return cls(resources.embedded(resources.NET).read_bytes(), resources.EMBEDDED)

    @property
    def origin(self) -> str:
        """Where the net came from: a path, or ``embedded``.

        >>> import pawnstar
        >>> pawnstar.Network.default().origin
        'embedded'
        """
        return self._network.origin

    @property
    def mirrored(self) -> bool:
        """Whether a perspective with its king on files e to h is mirrored: the net's second shape.

        >>> import pawnstar
        >>> pawnstar.Network.default().mirrored
        False
        """
        return self._network.mirrored

    @property
    def heads(self) -> int:
        """Output heads: 1, or 8 chosen by (pieces on the board - 2) // 4.

        >>> import pawnstar
        >>> pawnstar.Network.default().heads
        1
        """
        return int(self._network.heads)

    def evaluate(self, position: PositionLike, *, exact: bool = False) -> int:
        """The net's output in centipawns for the side to move, within ±30,000.

        As the search computes it, with 8-bit output weights; ``exact`` in exact arithmetic. Draws and the fifty-move
        clock are not looked at: see ``Engine.evaluate``.

        >>> import pawnstar
        >>> network = pawnstar.Network.default()
        >>> abs(network.evaluate(pawnstar.Position.initial())) < 100
        True
        """
        return self._evaluations([resolve(position)[0]._rules], exact)[0]

    def _evaluations(self, positions: list[RulesPosition], exact: bool) -> list[int]:
        try:
            accumulators = self._spare.pop()
        except IndexError:
            accumulators = Accumulators()
        values = self._network.evaluations(positions, accumulators, exact)
        self._spare.append(accumulators)
        return values

    def evaluate_many(self, positions: Iterable[PositionLike], *, exact: bool = False) -> NDArray[np.int32]:
        """The net's output for many positions at once, as numpy's int32 of shape (positions,), the same to the bit.

        At least as fast as a loop of ``evaluate``: compiled, the engine's own code goes through the positions (some
        5 µs each); in plain Python, numpy evaluates many at once.

        >>> import pawnstar
        >>> network = pawnstar.Network.default()
        >>> start = pawnstar.Position.initial()
        >>> values = network.evaluate_many([start, start.play("e4")])
        >>> values.shape, values.dtype.name, values[0] == network.evaluate(start)
        ((2,), 'int32', np.True_)
        """
        if isinstance(positions, str) or not isinstance(positions, Iterable):
            kind = "FEN" if isinstance(positions, str) else type(positions).__name__
            raise TypeError(f"evaluate_many takes several positions, in a list for example, not one {kind}")
        rules = [
            position._rules if isinstance(position, Position) else resolve(position)[0]._rules for position in positions
        ]
        if COMPILED:
            import numpy as np

            values = np.empty(len(rules), dtype=np.int32)
            # By pieces: between them other threads run, and Ctrl-C is heard.
            for first in range(0, len(rules), _PIECE):
                values[first : first + _PIECE] = self._evaluations(rules[first : first + _PIECE], exact)
            return values
        from pawnstar.evaluation.nnue.batch import BatchEvaluator

        if self._batch is None:
            self._batch = BatchEvaluator(self._network)
        return self._batch.evaluate(rules, exact=exact)

    # As a value.

    def __copy__(self) -> Network:
        return self

    def __deepcopy__(self, memo: object) -> Network:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by the file's contents."""
        return Network, (self._network.data, self.origin)

    def __repr__(self) -> str:
        heads = "1 head" if self.heads == 1 else f"{self.heads} heads"
        return f"<Network {self.origin!r}, {heads}{', mirrored' if self.mirrored else ''}>"
