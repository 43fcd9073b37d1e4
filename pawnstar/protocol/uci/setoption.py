"""Options over UCI: the ``option`` lines, and ``setoption``. What there is stands in ``pawnstar/settings.py``."""

import re
from collections.abc import Callable
from typing import Final

from pawnstar import resources, settings
from pawnstar.evaluation.nnue.net_file import NetRefused
from pawnstar.evaluation.nnue.network import Network
from pawnstar.protocol.messages import out_of_memory, shortened, unopened, unread
from pawnstar.protocol.output import Output
from pawnstar.protocol.session import Session
from pawnstar.protocol.words import BLANKS, split_words, whole_integer
from pawnstar.settings import (
    CLEAR_HASH,
    EVAL_FILE,
    HASH,
    THREADS,
    AnyOption,
    Check,
    Combo,
    Remark,
    Settings,
    Spin,
    Text,
    option_named,
)

_NAME: Final = re.compile(rf"(?:\A|{BLANKS})name(?={BLANKS}|\Z)")
_VALUE: Final = re.compile(rf"(?:\A|{BLANKS})value(?={BLANKS}|\Z)")
_CHECKED: Final = {True: "true", False: "false"}


def option_line(option: AnyOption, values: Settings) -> str:
    """One ``option`` line."""
    line = f"option name {option.name} type {option.kind}"
    if isinstance(option, Spin):
        value = values[option] if option.shows_value else option.default
        return f"{line} default {value} min {option.least} max {option.most}"
    if isinstance(option, Check):
        return f"{line} default {_CHECKED[values[option] if option.shows_value else option.default]}"
    if isinstance(option, Combo):
        return " ".join([line, "default", option.default, *(f"var {choice}" for choice in option.choices)])
    if isinstance(option, Text):
        return f"{line} default {option.default or '<empty>'}"
    return line


def option_lines(values: Settings) -> list[str]:
    """The ``option`` lines, in the table's order."""
    return [option_line(option, values) for option in settings.OPTIONS]


def names_for_help() -> str:
    """The siblings' options that do something, as their ``help`` lists them: texts first, then in order."""
    acting = [option for option in settings.OPTIONS if option.siblings and not isinstance(option, Remark)]
    return "/".join(option.name for option in sorted(acting, key=lambda option: not isinstance(option, Text)))


def parse_setoption(text: str) -> tuple[str, str | None]:
    """Name and value from what follows ``setoption``; the value is None where the word ``value`` is missing.

    The words of the name are joined by single blanks. The value is as it was written, without the blanks around it: in
    the name of a file two blanks are not one.
    """
    name = _NAME.search(text)
    if name is None:
        return "", None
    text = text[name.end() :]
    value = _VALUE.search(text)
    if value is None:
        return " ".join(split_words(text)), None
    return " ".join(split_words(text[: value.start()])), text[value.end() :].strip(" \t\r\n\v\f")


class OptionSetter:
    """``setoption``: reads a value by the option's kind, and carries the change out.

    Most values are only stored in the engine's settings, where the code that acts on them finds them.
    """

    def __init__(self, session: Session, output: Output) -> None:
        self._session = session
        self._output = output
        self._values = session.engine.settings
        self._numbers: dict[Spin, Callable[[int], None]] = {HASH: self._resize_table, THREADS: self._set_threads}
        self._texts: dict[Text, Callable[[str | None], None]] = {EVAL_FILE: self._load_network}
        self._buttons: dict[AnyOption, Callable[[], None]] = {CLEAR_HASH: session.clear_table}

    def set(self, rest: str) -> None:
        """Carry out what stands behind ``setoption``."""
        name, value = parse_setoption(rest)
        if not name:
            self._output.info("setoption: no name; nothing changed ('setoption name NAME value VALUE' sets an option)")
            return
        option = option_named(name)
        if option is None:
            lacking = value is None and any(
                name.lower().startswith(f"{known.name.lower()} ") for known in settings.OPTIONS
            )
            hint = " ('value' goes between name and value)" if lacking else ""
            self._output.info(f"unknown option '{shortened(name)}' ignored{hint}")
        elif isinstance(option, Spin):
            self._set_number(option, value)
        elif isinstance(option, Check):
            if not isinstance(option, Remark):
                self._set_check(option, value)
        elif isinstance(option, Combo):
            self._set_choice(option, value)
        elif isinstance(option, Text):
            self._set_text(option, value)
        else:
            self._buttons[option]()

    # Kinds.

    def _set_number(self, option: Spin, value: str | None) -> None:
        """Brought into its range; what is no number changes nothing."""
        number = whole_integer(value) if value is not None else None
        if number is None:
            self._output.info(f"option {option.name}: {unread(value or '')}; nothing changed")
            return
        number = option.clamped(number)
        if option in self._numbers:
            self._numbers[option](number)
        else:
            self._values[option] = number

    def _set_check(self, option: Check, value: str | None) -> None:
        """What is neither true nor false changes nothing; the siblings take it for false, and write true one way."""
        text = value or ""
        if not option.siblings:
            text = text.lower()
        known = text in _CHECKED.values()
        if known or option.siblings:
            self._values[option] = text == "true"
        if not known:
            outcome = "read as false" if option.siblings else "nothing changed"
            self._output.info(f"option {option.name}: '{shortened(value or '')}' is neither true nor false; {outcome}")

    def _set_choice(self, option: Combo, value: str | None) -> None:
        """One of the words, in whichever case."""
        chosen = next((choice for choice in option.choices if choice.lower() == (value or "").lower()), None)
        if chosen is None:
            known = ", ".join(option.choices)
            self._output.info(f"option {option.name}: '{shortened(value or '')}' is none of {known}; nothing changed")
        else:
            self._values[option] = chosen

    def _set_text(self, option: Text, value: str | None) -> None:
        if option in self._texts:
            self._texts[option](value)
        elif value is None:
            self._output.info(f"option {option.name}: no value; nothing changed")
        else:
            self._values[option] = "" if value.lower() == "<empty>" else value

    # Options that something hangs on.

    def _resize_table(self, megabytes: int) -> None:
        engine = self._session.engine
        try:
            self._session.resize_table(megabytes)
        except MemoryError as error:
            self._output.info(
                f"option Hash: {megabytes} MB refused ({out_of_memory(error)}); {engine.table_megabytes()} MB stay"
            )
            return
        if engine.table_megabytes() != megabytes:
            self._output.info(f"option Hash: {megabytes} MB rounded down to {engine.table_megabytes()} MB")

    def _set_threads(self, threads: int) -> None:
        try:
            self._session.set_threads(threads)
        except MemoryError as error:
            self._output.info(
                f"option Threads: {threads} refused ({out_of_memory(error)}); {self._values[THREADS]} stay"
            )

    def _load_network(self, value: str | None) -> None:
        if value is None:
            self._output.info("option EvalFile: no value; the net stays ('value <empty>' means the shipped one)")
            return
        self._session.stop()
        old = self._session.engine.network.origin
        path = value
        if value.lower() in ("", "<empty>"):
            shipped, value = resources.find(resources.NET)
            path = str(shipped)
        name = resources.on_one_line(value)
        try:
            network = Network(resources.read_regular_file(path), name)
        except (OSError, NetRefused, ValueError) as error:
            self._output.both(str(error) if isinstance(error, NetRefused) else unopened(name, error))
            self._output.both(
                f"NNUE: keeping the net already loaded ('{old}'); '{name}' was refused and is not in play."
            )
            return
        self._session.set_network(network)
        self._output.info(f"NNUE: loaded net '{name}'")
