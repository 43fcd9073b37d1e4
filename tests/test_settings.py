"""The table of options: what it says is what UCI, the API and the documents say; an option is added there alone."""

import inspect
import io
import runpy
from pathlib import Path
from typing import Any, cast

import pytest
from nets import ROOT

import pawnstar
from pawnstar import settings
from pawnstar.engine.engine import Engine
from pawnstar.protocol.output import Output
from pawnstar.protocol.uci.commands import Uci
from pawnstar.settings import OPTIONS, AnyOption, Button, Check, Combo, Settings, Spin, Text, option_named

NUMBER = Spin(name="New", default=3, least=-2, most=7, help="a number", details="a number, at length")
FLAG = Check(name="New Flag", default=True, help="a flag", details="a flag, at length")
WORDS = Text(name="New Words", default="", help="words", details="words, at length")
CHOICE = Combo(name="New Choice", default="Big", choices=("Big", "Small"), help="a choice", details="one of two")
MADE_UP: tuple[AnyOption, ...] = (NUMBER, FLAG, WORDS, CHOICE)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table with some more options. Nothing else is touched."""
    monkeypatch.setattr(settings, "OPTIONS", (*OPTIONS, *MADE_UP))


def session(engine: Engine) -> tuple[Uci, io.StringIO]:
    stream = io.StringIO()
    return Uci(engine, Output(stream), "0.0.0"), stream


@pytest.mark.usefixtures("made_up")
def test_an_option_is_added_in_one_place_and_uci_lists_it(engine: Engine) -> None:
    uci, stream = session(engine)
    uci.process_line("uci")
    lines = stream.getvalue().splitlines()
    assert lines[-5:] == [
        "option name New type spin default 3 min -2 max 7",
        "option name New Flag type check default true",
        "option name New Words type string default <empty>",
        "option name New Choice type combo default Big var Big var Small",
        "uciok",
    ]
    assert len([line for line in lines if line.startswith("option ")]) == len(OPTIONS) + len(MADE_UP)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("line", "option", "value", "remark"),
    [
        ("name new value 5", NUMBER, 5, ""),
        ("name New value 99", NUMBER, 7, ""),
        ("name New value -99", NUMBER, -2, ""),
        ("name New value x", NUMBER, 3, "option New: 'x' is no whole number; nothing changed"),
        ("name New Flag value FALSE", FLAG, False, ""),
        ("name New Flag value 0", FLAG, True, "option New Flag: '0' is neither true nor false; nothing changed"),
        ("name New Words value a  b", WORDS, "a  b", ""),
        ("name New Words value <Empty>", WORDS, "", ""),
        ("name New Words", WORDS, "", "option New Words: no value; nothing changed"),
        ("name New Choice value small", CHOICE, "Small", ""),
        ("name New Choice value x", CHOICE, "Big", "option New Choice: 'x' is none of Big, Small; nothing changed"),
        (
            "name New Choice Big",
            CHOICE,
            "Big",
            "unknown option 'New Choice Big' ignored ('value' goes between name and value)",
        ),
    ],
)
def test_a_made_up_option_is_set_and_read(
    engine: Engine, line: str, option: AnyOption, value: object, remark: str
) -> None:
    uci, stream = session(engine)
    uci.process_line(f"setoption {line}")
    assert stream.getvalue() == (f"info string {remark}\n" if remark else "")
    assert dict(engine.settings)[option.name] == value


@pytest.mark.usefixtures("made_up")
def test_a_made_up_option_is_in_the_documents_tables() -> None:
    script = runpy.run_path(str(ROOT / "ci" / "write_options.py"))
    assert "| `New` | spin -2\u20137 | 3 | a number |" in script["table"](False).splitlines()
    assert "| `New Choice` | combo Big, Small | Big | one of two |" in script["table"](True).splitlines()
    for page in (ROOT / "README.md", ROOT / "docs" / "uci.md"):
        assert cast("str", script["page"](Path(page))).count("`New") == len(MADE_UP)


def test_a_line_without_an_option_is_unknown(engine: Engine) -> None:
    """Guards the guard: the options above are made up."""
    uci, stream = session(engine)
    uci.process_line("setoption name New value 5")
    assert stream.getvalue() == "info string unknown option 'New' ignored\n"


def test_settings_begin_with_defaults_and_keep_what_is_set() -> None:
    values = Settings()
    assert dict(values) == {option.name: option.default for option in OPTIONS}
    values[settings.HASH] = 16
    assert (values[settings.HASH], values[settings.THREADS], Settings()[settings.HASH]) == (16, 1, 64)


def test_names_are_told_apart_in_any_case() -> None:
    names = [option.name.lower() for option in OPTIONS]
    assert sorted(set(names)) == sorted(names)
    assert option_named("mOVE oVERHEAD") is settings.MOVE_OVERHEAD
    assert option_named("move") is None


def test_the_siblings_options_come_first() -> None:
    siblings = [option.siblings for option in OPTIONS]
    assert siblings == sorted(siblings, reverse=True)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_is_whole(option: AnyOption) -> None:
    assert option.help
    assert option.details
    if isinstance(option, Spin):
        assert option.least <= option.default <= option.most
        assert [option.clamped(option.least - 1), option.clamped(option.most + 1)] == [option.least, option.most]
    if isinstance(option, Button):
        assert option.default is None


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.keyword], ids=lambda option: option.name)
def test_the_api_has_the_option_as_the_table_says(option: AnyOption) -> None:
    keyword = str(option.keyword)
    assert keyword in inspect.signature(pawnstar.Engine.configure).parameters
    default = inspect.signature(pawnstar.Engine).parameters[keyword].default
    if isinstance(option, Spin):
        assert default == option.default
        text = inspect.getdoc(pawnstar.Engine) or ""
        assert f"{option.least:,} to {option.most:,}" in text[text.index(f"``{keyword}``") :].split("*", 1)[0]
        for wrong in (option.least - 1, option.most + 1):
            arguments: dict[str, Any] = {keyword: wrong}
            with pytest.raises(ValueError, match=rf"^{keyword} must be from {option.least} to {option.most}, not"):
                pawnstar.Engine(**arguments)
    else:
        assert default is None, "what that means depends on other arguments"
