"""The UCI program: start-up with its banner and messages, then the loop over standard input.

What was written together with a command is meant to come after it: ``bench`` and ``quit`` in one pipe. What comes later
is meant to end it: a user's ``quit``, a GUI that closes its end. Nothing in the input tells the one from the other (the
pipe is at its end in both cases, and the first line may be read before the next is written), only when it came. So
"together" is a tenth of a second (``TOGETHER``), and each line carries the time at which it was read.
"""

import os
import signal
import sys
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Final

from pawnstar import resources
from pawnstar.chess import bits
from pawnstar.engine.book import Book, BookError
from pawnstar.engine.engine import Engine
from pawnstar.protocol.input import Line, LineReader
from pawnstar.protocol.messages import shortened
from pawnstar.protocol.output import Output, claim_end, end_program, standard_output
from pawnstar.protocol.session import Session
from pawnstar.protocol.starting_net import load_network
from pawnstar.protocol.uci.commands import Uci
from pawnstar.system import machine
from pawnstar.system.interrupts import INTERRUPTED
from pawnstar.system.streams import give_up_errors, settle_streams
from pawnstar.version import version

# However busy the program is, it is gone this long after `quit` or the end of input, in seconds.
LAST_RESORT: Final = 0.4

# What is written together with a line comes within this time, in seconds, even on a busy machine.
TOGETHER: Final = 0.1
# Commands that never wait for a count.
AT_ONCE: Final = ("", "isready", "stop", "ponderhit")
# Commands that may take a second or more: they take memory from the system, clear it, or (where nothing runs) start
# helpers.
SLOW: Final = ("setoption", "ucinewgame", "isready")
# So does a line of more characters: a position with that many moves.
LONG: Final = 10_000

BANNER: Final = (
    "   .::.    ",
    "   _::_    ",
    " _/____\\_ ",
    " \\      / ",
    "  \\____/  ",
    "  (____)   ",
    "   |  |    ",
    "   |__|    ",
    "  /    \\  ",
    " (______)  ",
    "(________) ",
    "/________\\",
)


def build_stamp() -> str:
    """When the running code was compiled, or that it is not."""
    if not bits.COMPILED:
        return f"not (plain Python {sys.version.split()[0]})"
    return datetime.fromtimestamp(Path(bits.__file__).stat().st_mtime).strftime("%b %d %Y %H:%M:%S")


def load_book(output: Output) -> Book | None:
    """The opening book: a file found as the net's is, else the package's copy; a faulty one is reported, not used."""
    path, _ = resources.find(resources.BOOK)
    try:
        text = resources.read_regular_file(path).decode("utf-8-sig", errors="replace")
    except OSError as error:
        output.both(f"book '{path}' cannot be read ({error.strerror or error}); playing without a book")
        return None
    try:
        book = Book(text.splitlines())
    except BookError as error:
        output.both(shortened(str(error), 200))
        output.both(f"book '{path}' is not used; playing without a book")
        return None
    if len(book) == 0:
        output.both(f"book '{path}' holds no moves; playing without a book")
    return book


def start(output: Output, drawing: bool = False) -> Uci:
    """The names, the net, the book; returns the interface. ``drawing`` puts the drawing before them."""
    if drawing:
        output.line("\n".join(BANNER))
    output.line("Pawnstar: a UCI compatible chess engine")
    output.line("(C) Jonny Reckless 2009 - 2026")
    output.line(f"Version {version()} Compiled {build_stamp()}")
    network = load_network(output, output.both)
    output.info(f"NNUE: loaded net '{network.origin}'")
    engine = Engine(network)
    engine.set_threads(machine.default_threads())
    engine.book = load_book(output)
    output.line("ready")
    return Uci(engine, output, version(), background=True)


def wait_for_count(session: Session, reader: LineReader, came: float) -> None:
    """Let ``bench`` or ``go perft`` come to its end before a command that was written along with it.

    Someone who pipes ``bench`` and ``quit`` into the program wants one after the other; a ``quit`` that is sent later
    is meant to end the count. A ``stop`` behind the command ends the count, too.
    """
    together = session.count_began + TOGETHER
    if came > together:
        return
    # Read in one piece with the command: then the end of input, however late it is noticed, was meant to come after.
    in_one_piece = came <= session.count_began
    while session.is_counting():
        waiting = reader.look(0.05)
        if reader.ended is not None and reader.ended > together and not in_one_piece:
            return
        if any(line.command() == "stop" or (line.command() == "quit" and line.came > together) for line in waiting):
            return


def may_take_long(session: Session, line: Line) -> bool:
    """Whether a line may keep the session for a second or more, during which ``quit`` must be heard."""
    command = line.command()
    return len(line.text) > LONG or (command in SLOW and (command != "isready" or session.is_idle()))


def carry_out(uci: Uci, reader: LineReader, line: Line) -> None:
    """Process a line that may take long; leave at a ``quit`` or end of input that comes meanwhile.

    As with counts, what was written together with the command was meant to come after it.
    """
    # What was written together is read before it and soon, so as not to be taken for something that came later: the
    # command may keep Python's lock for longer than that.
    reader.look(0.0)
    together = time.monotonic() + TOGETHER
    worker = threading.Thread(target=uci.process_line, args=(line.text,), daemon=True)
    worker.start()
    while worker.is_alive() and time.monotonic() < together:
        worker.join(0.01)
        reader.look(0.0)
    while worker.is_alive():
        waiting = reader.look(0.05)
        if reader.ended is not None and reader.ended > together:
            end_program()
        if any(behind.command() == "quit" and behind.came > together for behind in waiting):
            end_program()


def run() -> int:
    """Run the program on standard input until ``quit`` or the end of input; returns the exit status."""
    # A keyboard interrupt ends the program at once, without a word.
    signal.signal(signal.SIGINT, lambda number, frame: end_program(INTERRUPTED))
    if not settle_streams():
        return 0  # no stream to write to
    try:
        serve(standard_output())
    finally:
        # What comes now is the interpreter's own end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        give_up_errors()
        claim_end()
    return 0


def serve(output: Output) -> None:
    """Start, and do as standard input says, until ``quit`` or its end."""
    # The drawing is for people; a GUI's log shows it as a dozen lines that mean nothing.
    uci = start(output, drawing=os.isatty(1))
    session = uci.session
    reader = LineReader()
    while True:
        line = reader.next_line()
        command = line.command() if line is not None else "quit"
        if session.is_counting() and command not in AT_ONCE:
            came = line.came if line is not None else reader.ended or 0.0
            wait_for_count(session, reader, came)
        if line is None or command == "quit":
            break
        if may_take_long(session, line):
            carry_out(uci, reader, line)
        else:
            uci.process_line(line.text)
    timer = threading.Timer(LAST_RESORT, end_program)
    timer.daemon = True
    timer.start()
    session.close()
