"""The evaluating network, as its user asks it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pawnstar import resources
from pawnstar.api.position import PositionLike, resolve
from pawnstar.engine.network import Accumulators
from pawnstar.engine.network import Network as EngineNetwork

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pawnstar.api.batch import BatchEvaluator


class Network:
    """An NNUE net in the RNNUE1 container, of either shape. Read-only: several engines may share one.

    Raises ``NetRefused``, a ValueError that names the field, for a file that is damaged or of another architecture.

    >>> import pawnstar
    >>> network = pawnstar.Network.default()
    >>> network.mirrored, network.heads
    (False, 1)
    """

    def __init__(self, data: bytes, origin: str = "bytes") -> None:
        """Read the contents of a net file; ``origin`` is what messages call it."""
        self._network = EngineNetwork(data, origin)
        self._batch: BatchEvaluator | None = None
        self._accumulators = Accumulators()

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
        rules = resolve(position)[0]._rules
        accumulators = self._accumulators
        self._network.refresh_both(rules, accumulators, 0)
        if exact:
            return int(self._network.evaluate_exact(rules, accumulators, 0))
        return int(self._network.evaluate(rules, accumulators, 0))

    def evaluate_many(self, positions: Iterable[PositionLike], *, exact: bool = False) -> NDArray[np.int32]:
        """The net's output for many positions at once, in numpy: int32 of shape (positions,), the same to the bit.

        Ten thousand positions take less than a second.

        >>> import pawnstar
        >>> network = pawnstar.Network.default()
        >>> start = pawnstar.Position.initial()
        >>> values = network.evaluate_many([start, start.play("e4")])
        >>> values.shape, values.dtype.name, values[0] == network.evaluate(start)
        ((2,), 'int32', np.True_)
        """
        from pawnstar.api.batch import BatchEvaluator

        if self._batch is None:
            self._batch = BatchEvaluator(self._network)
        return self._batch.evaluate([resolve(position)[0]._rules for position in positions], exact=exact)
