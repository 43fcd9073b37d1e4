"""Sessions and programs for the tests of the protocol."""

from collections.abc import Iterator

import pytest
from programs import Program
from sessions import Session


@pytest.fixture
def session() -> Iterator[Session]:
    """A session in this process; whatever still runs in it at the end is stopped."""
    one = Session()
    yield one
    one.close()


@pytest.fixture(scope="module")
def shared_program() -> Iterator[Program]:
    """One running program for all tests of a module, without its book."""
    with Program() as program:
        program.send("setoption name OwnBook value false")
        yield program
        assert program.faults() == []


@pytest.fixture
def program(shared_program: Program) -> Program:
    """The module's program, idle, at the start position, with everything forgotten."""
    shared_program.send("stop", "ucinewgame", "setoption name Move Overhead value 30", "isready")
    shared_program.until("readyok")
    return shared_program
