"""What the engine tells its helpers: every message goes through the pipe unchanged, and nonsense is refused."""

import json
import os
import subprocess
import sys

import pytest
from nets import Net
from programs import environment

from pawnstar.parallel.messages import (
    ChangeNet,
    Clear,
    Message,
    MessageRefused,
    SetUp,
    StartSearch,
    decode,
    encode,
)
from pawnstar.parallel.thread_memory import TableSizes, ThreadMemory

SET_UP = SetUp(thread=1, memory="7", sizes=TableSizes(64, 0, -3), net_origin='näme "quoted"\nnext')
SEARCH = StartSearch(
    search=2,
    fen="8/8/4k3/8/4P3/4K3/8/8 w - - 0 1",
    history=[(-(2**63), 0), (2**63 - 1, 99)],
    moves=[1, 2**40],
    scores=[-32001, 5],
    generation=255,
)
MESSAGES: list[Message] = [SET_UP, SEARCH, Clear(), ChangeNet("net.bin")]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_round_trip(message: Message) -> None:
    line = encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line) == message


def search_with(**values: object) -> bytes:
    """The search message with other values."""
    return json.dumps({**json.loads(encode(SEARCH)), **values}).encode()


def set_up_with(**values: object) -> bytes:
    """The set-up message with other values."""
    return json.dumps({**json.loads(encode(SET_UP)), **values}).encode()


GARBAGE = {
    "empty": (b"", "not JSON"),
    "cut off": (encode(SEARCH)[:-9], "not JSON"),
    "no text": (b"\xff\xfe\n", "not JSON"),
    "too deep": (b"[" * 100_000, "not JSON"),
    "a list": (b"[]", "not an object"),
    "no kind": (b"{}", "no kind of message: None"),
    "unknown kind": (b'{"kind": "Quit"}', "no kind of message: 'Quit'"),
    "a kind that is no word": (b'{"kind": ["Clear"]}', "no kind of message"),
    "field missing": (b'{"kind": "ChangeNet"}', "ChangeNet with"),
    "field too many": (b'{"kind": "Clear", "all": true}', "Clear with"),
    "text for a number": (search_with(search="2"), "search: '2'"),
    "truth for a number": (search_with(search=True), "search: True"),
    "fraction for a number": (search_with(generation=1.0), "generation: 1.0"),
    "number for a list": (search_with(moves=3), "moves: 3"),
    "text in a list of numbers": (search_with(scores=[1, "2"]), "scores: '2'"),
    "triple for a pair": (search_with(history=[[1, 2, 3]]), "history"),
    "number for an object": (set_up_with(sizes=64), "sizes: 64"),
    "object with a field missing": (set_up_with(sizes={"own_megabytes": 64}), "TableSizes with"),
    "object with text for a number": (
        set_up_with(sizes={"own_megabytes": 64, "second_cells": "0", "second_depth": 0}),
        "second_cells: '0'",
    ),
    "number for a pair": (search_with(history=[1]), "history"),
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_refused(name: str) -> None:
    line, reason = GARBAGE[name]
    with pytest.raises(MessageRefused, match=reason):
        decode(line)


def run_helper(data: bytes, memory: ThreadMemory | None = None) -> int:
    """The exit status of a helper process that is told ``data``, and whose pipe stays open."""
    with subprocess.Popen(
        [sys.executable, "-P", "-c", "from pawnstar.parallel.helper_program import main; main()", str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        pass_fds=memory.descriptors() if memory is not None else (),
    ) as process:
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.flush()
        try:
            return process.wait(60)
        finally:
            process.kill()


@pytest.mark.processes
@pytest.mark.parametrize("data", [b"nonsense\n", encode(Clear()), encode(SET_UP)], ids=["nonsense", "clear", "memory"])
def test_a_helper_whose_first_message_sets_nothing_up_ends(data: bytes) -> None:
    """A line that is no message, another message, or a handle of no memory."""
    assert run_helper(data) == 1


@pytest.mark.processes
@pytest.mark.parametrize(
    "data", [b"nonsense\n", search_with(moves=[]) + b"\n", encode(SET_UP)], ids=["no message", "no moves", "set-up"]
)
def test_a_helper_that_receives_nonsense_later_ends(parity: Net, data: bytes) -> None:
    """It waited for ever: the thread that read had died, and the other one went on waiting for it."""
    sizes = TableSizes(1, 65536, 3)
    memory = ThreadMemory(sizes)
    memory.write_net(parity.path.read_bytes())
    memory.set_active_search(SEARCH.search)
    set_up = SetUp(1, memory.handle, sizes, "parity")
    assert run_helper(encode(set_up) + data, memory) == 1
    assert memory.is_ready(1)
    memory.close()
