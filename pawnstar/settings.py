"""Every option of the engine, once: its name, kind, default, range, what it means, and who offers it.

All that names an option is derived from this table: the UCI ``option`` lines and ``setoption``, the API's arguments and
their checks, the engine's defaults, the tables of README.md and docs/uci.md (``ci/write_options.py`` writes them). To
add an option, add it to ``OPTIONS`` and write the code that acts on it: ``engine.settings[NEW]`` has its value.

The engine alone holds the values (``Engine.settings``), whichever way they were set.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final, Generic, TypeAlias, TypedDict, TypeVar, Unpack, cast

Value = TypeVar("Value")


class Offer(TypedDict, total=False):
    """Who offers an option, and how.

    ``keyword`` is the name of the API's argument; without it the API has none. ``siblings``: the sibling engines have
    it, too; theirs come first, and what they do with unreadable values is done here. ``shows_value``: as in the
    siblings, the UCI line gives the current value for the default. ``default_text`` is what the tables call the
    default, where it is not the value itself.
    """

    keyword: str
    siblings: bool
    shows_value: bool
    default_text: str


class Option(Generic[Value]):
    """An option. ``help`` is what README.md's table says of it, ``details`` what docs/uci.md's does, in Markdown.

    Plain classes: making them dataclasses takes milliseconds, and every start of the engine reads this table.
    """

    kind: ClassVar[str]

    def __init__(self, name: str, default: Value, help: str, details: str, **offer: Unpack[Offer]) -> None:
        self.name: Final = name
        self.default: Final = default
        self.help: Final = help
        self.details: Final = details
        self.keyword: Final = offer.get("keyword")
        self.siblings: Final = offer.get("siblings", False)
        self.shows_value: Final = offer.get("shows_value", False)
        self.default_text: Final = offer.get("default_text")


class Spin(Option[int]):
    """A whole number from ``least`` to ``most``."""

    kind = "spin"

    def __init__(
        self, name: str, default: int, least: int, most: int, help: str, details: str, **offer: Unpack[Offer]
    ) -> None:
        super().__init__(name, default, help, details, **offer)
        self.least: Final = least
        self.most: Final = most

    def clamped(self, number: int) -> int:
        """The number, brought into the range."""
        return max(self.least, min(self.most, number))


class Check(Option[bool]):
    """Yes or no."""

    kind = "check"


class Remark(Check):
    """Something that a GUI tells of itself: whatever it says, nothing is done."""


class Text(Option[str]):
    """Any text."""

    kind = "string"


class Combo(Option[str]):
    """One of a few words."""

    kind = "combo"

    def __init__(
        self, name: str, default: str, choices: tuple[str, ...], help: str, details: str, **offer: Unpack[Offer]
    ) -> None:
        super().__init__(name, default, help, details, **offer)
        self.choices: Final = choices


class Button(Option[None]):
    """Something to do; it has no value."""

    kind = "button"


HASH: Final = Spin(
    name="Hash",
    default=64,
    least=1,
    most=4096,
    help="size of the transposition table in MB, rounded down to a power of two; setting it clears the table",
    details="MB in all, one table for all threads ([threads](threads.md)); rounded down to a power of two (an `info "
    "string` says to what); the table is cleared",
    keyword="hash",
    siblings=True,
)
THREADS: Final = Spin(
    name="Threads",
    default=1,
    default_text="processors",  # the UCI program's, see machine.default_threads
    least=1,
    most=256,
    help="search threads, each beyond the first a helper process; 1 gives the same result each time",
    details="each beyond the first is a helper process; `PAWNSTAR_THREADS` sets the default; with 1 a search to a "
    "fixed depth gives the same nodes each time",
    keyword="threads",
    siblings=True,
    shows_value=True,
)
PONDER: Final = Remark(
    name="Ponder",
    default=False,
    help="for the GUI's sake; pondering follows `go ponder`",
    details="says that the GUI may ponder; nothing else depends on it",
    siblings=True,
)
EVAL_FILE: Final = Text(
    name="EvalFile",
    default="",
    default_text="the shipped net",
    help="the path of another net; a net that does not fit is refused and the old one stays; empty: the shipped net "
    "again",
    details="a net in an RNNUE1 file, its path without quotation marks. Empty or `<empty>`: the shipped net. Refused: "
    "the old net stays, and both streams say so",
    keyword="eval_file",
    siblings=True,
)
CLEAR_HASH: Final = Button(
    name="Clear Hash",
    default=None,
    help="forget the transposition table",
    details="empties the transposition table",
    siblings=True,
)
MOVE_OVERHEAD: Final = Spin(
    name="Move Overhead",
    default=30,
    least=0,
    most=5000,
    help="milliseconds kept back from every deadline for the GUI and the network",
    details="milliseconds kept back from every deadline",
    keyword="move_overhead",
    siblings=True,
    shows_value=True,
)
OWN_BOOK: Final = Check(
    name="OwnBook",
    default=True,
    help="play from the opening book",
    details="play book moves without a search, unless `searchmoves` is given or it is analysis",
    keyword="own_book",
    siblings=True,
    shows_value=True,
)
ANALYSE_MODE: Final = Check(
    name="UCI_AnalyseMode",
    default=False,
    help="analyse: no book, and an only move is searched, too; `go infinite` does so anyway",
    details="analyse, whatever the limits: no book, an only move is searched too, and each line is reported when it is "
    "found. Many GUIs set it by themselves",
)

AnyOption: TypeAlias = Option[int] | Option[bool] | Option[str] | Option[None]

OPTIONS: tuple[AnyOption, ...] = (
    HASH,
    THREADS,
    PONDER,
    EVAL_FILE,
    CLEAR_HASH,
    MOVE_OVERHEAD,
    OWN_BOOK,
    ANALYSE_MODE,
)
"""All options, in the order in which UCI lists them: the siblings' in theirs, behind them what only this engine has."""


def option_named(name: str) -> AnyOption | None:
    """The option of that name, in whichever case it is written; None where there is none."""
    return next((option for option in OPTIONS if option.name.lower() == name.lower()), None)


class Settings:
    """The options' current values. An option that was never set has its default."""

    def __init__(self) -> None:
        self._values: dict[str, object] = {}

    def __getitem__(self, option: Option[Value]) -> Value:
        return cast("Value", self._values.get(option.name, option.default))

    def __setitem__(self, option: Option[Value], value: Value) -> None:
        self._values[option.name] = value

    def __iter__(self) -> Iterator[tuple[str, object]]:
        """Names and values of all options."""
        return ((option.name, self._values.get(option.name, option.default)) for option in OPTIONS)
