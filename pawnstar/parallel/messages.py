"""What the engine tells its helpers through their pipes: one line of JSON a message.

The first message is ``SetUp``. A line that is no message raises ``MessageRefused``; the helper then ends, and the
engine reports that.

Not compiled: a few messages a search.
"""

import json
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, Final, TypeAlias, get_args, get_origin

from pawnstar.parallel.thread_memory import TableSizes


@dataclass(frozen=True)
class SetUp:
    """What a helper needs before its first search."""

    thread: int  # its number: 1, 2, …; the main thread is 0
    memory: str  # the shared memory's handle
    sizes: TableSizes
    net_origin: str  # where the net comes from; its file lies in the shared memory


@dataclass(frozen=True)
class StartSearch:
    """Search until the number of the active search is no longer ``search``."""

    search: int
    fen: str
    history: list[tuple[int, int]]  # earlier positions, oldest first: (key, fifty-move clock)
    moves: list[int]  # the root moves, sorted
    scores: list[int]  # and their scores, centipawns
    generation: int  # of the transposition table


@dataclass(frozen=True)
class Clear:
    """Forget what the helper's own table and evaluation cache hold.

    A table that all threads use is the engine's to clear.
    """


@dataclass(frozen=True)
class ChangeNet:
    """Evaluate with the net whose file lies in the shared memory now."""

    net_origin: str


Message: TypeAlias = SetUp | StartSearch | Clear | ChangeNet

_KINDS: Final[dict[str, type[Message]]] = {kind.__name__: kind for kind in (SetUp, StartSearch, Clear, ChangeNet)}


class MessageRefused(ValueError):
    """A line that is no message; the text says why."""


def encode(message: Message) -> bytes:
    """The message as a line."""
    return json.dumps({"kind": type(message).__name__, **asdict(message)}).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message that a line holds. Raises MessageRefused where it is none or lacks something."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MessageRefused(f"not JSON: {error}") from error
    if not isinstance(values, dict):
        raise MessageRefused("not an object")
    name = values.pop("kind", None)
    kind = _KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise MessageRefused(f"no kind of message: {name!r}")
    return kind(**_checked_fields(values, kind))


def _checked_fields(values: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The fields of a dataclass, out of JSON."""
    types = {field.name: field.type for field in fields(kind)}
    if values.keys() != types.keys():
        raise MessageRefused(f"{kind.__name__} with {sorted(values)} instead of {sorted(types)}")
    return {field: _checked(value, types[field], field) for field, value in values.items()}


def _checked(value: Any, expected: Any, field: str) -> Any:
    """A value out of JSON as the type that a field expects; JSON has lists for tuples, and objects for dataclasses."""
    if isinstance(expected, type) and is_dataclass(expected) and isinstance(value, dict):
        return expected(**_checked_fields(value, expected))
    if get_origin(expected) is list and isinstance(value, list):
        (item,) = get_args(expected)
        return [_checked(each, item, field) for each in value]
    if get_origin(expected) is tuple and isinstance(value, list):
        items = get_args(expected)
        if len(value) == len(items):
            return tuple(_checked(each, item, field) for each, item in zip(value, items, strict=True))
    elif type(value) is expected:
        return value
    raise MessageRefused(f"{field}: {value!r} is no {expected}")
