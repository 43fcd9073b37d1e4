"""The Universal Chess Interface: commands in, whole lines out, the search on a thread of its own.

The reading thread never waits for a search but to stop it: ``isready``, ``stop`` and ``quit`` are answered while one
runs. A command that changes what a search stands on (position, go, tables, net) stops the running search first.
"""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pawnstar.chess.bits import COMPILED
from pawnstar.chess.fen import START_FEN, write_fen
from pawnstar.chess.moves import move_text
from pawnstar.chess.notation import parse_coordinate
from pawnstar.chess.perft import perft_divide
from pawnstar.engine.book import Book
from pawnstar.engine.engine import Engine
from pawnstar.engine.info import SearchInfo, SearchResult
from pawnstar.engine.limits import Limits
from pawnstar.engine.net_file import NetRefused
from pawnstar.engine.network import Network
from pawnstar.protocol.bench import BENCH_DEPTH, BENCH_FENS
from pawnstar.protocol.format import (
    bestmove_line,
    board_text,
    counters_table,
    info_line,
    zobrist_text,
)
from pawnstar.protocol.game import Game
from pawnstar.protocol.options import HASH_MAX, OVERHEAD_MAX, THREADS_MAX, Options, parse_setoption, whole_integer
from pawnstar.protocol.output import Output

# Clocks, as `go` selects them; the choice and its values stay until a position is set up.
STANDARD: Final = "standard"
FIXED_DEPTH: Final = "depth"
FIXED_TIME: Final = "movetime"
INFINITE: Final = "infinite"
DEFAULT_TIME_LEFT: Final = 300_000  # milliseconds
DEFAULT_DEPTH: Final = 10

_VALUE_KEYWORDS: Final = (
    "wtime",
    "btime",
    "winc",
    "binc",
    "movetime",
    "depth",
    "movestogo",
    "nodes",
    "mate",
    "perft",
)
_FLAG_KEYWORDS: Final = ("ponder", "infinite", "searchmoves")


@dataclass
class ClockState:
    """What earlier ``go`` commands said of the clock, in milliseconds, plies and moves."""

    kind: str = STANDARD
    time_left: int = DEFAULT_TIME_LEFT
    increment: int = 0
    moves_to_go: int = 0
    movetime: int = 0
    depth: int = DEFAULT_DEPTH


class Uci:
    """One UCI session."""

    def __init__(self, engine: Engine, options: Options, output: Output, version: str) -> None:
        self.engine = engine
        self.options = options
        self.output = output
        self.version = version
        self.book: Book | None = None
        self.game = Game()
        self.clock = ClockState()
        self._stop = threading.Event()
        # Set when a search that waits (infinite, ponder) may give its answer.
        self._release = threading.Event()
        self._worker: threading.Thread | None = None
        self._commands: dict[str, tuple[Callable[[list[str]], None], str]] = {
            "bench": (self._bench, "Search a fixed position set to fixed depth; print nodes + nps"),
            "bookmoves": (self._bookmoves, "Display available book moves for current position"),
            "d": (self._display, "Display the board of the current position"),
            "dbg": (self._dbg, "Display diagnostic counts"),
            "dbgclear": (self._dbgclear, "Reset diagnostic counts"),
            "eval": (self._eval, "Display the current static evaluation"),
            "freebook": (self._freebook, "Delete the opening book from memory"),
            "getboard": (self._getboard, "Display the FEN of the current position"),
            "go": (self._go, "Search the current position"),
            "help": (self._help, "Display a summary of commands"),
            "isready": (self._isready, "Respond with readyok"),
            "nnue": (self._nnue, "Display the raw NNUE evaluation of the current position"),
            "ponderhit": (self._ponderhit, "Pondered move was played; convert ponder search to a timed search"),
            "position": (self._position, "Set the position and series of moves"),
            "quit": (self._quit, "Exit the program"),
            "setoption": (
                self._setoption,
                "Set a UCI option (EvalFile/Hash/Threads/Clear Hash/Move Overhead/OwnBook)",
            ),
            "stop": (self._stop_command, "Stop searching and return best move found"),
            "uci": (self._uci, "Enter UCI protocol"),
            "ucinewgame": (self._ucinewgame, "UCI mode start new game"),
            "zobrist": (self._zobrist, "Display every part of the current position's key"),
        }

    # Lines.

    def process_line(self, line: str) -> bool:
        """Carry out one line of input; False where it was ``quit``."""
        words = line.split()
        if not words:
            return True
        entry = self._commands.get(words[0])
        if entry is None:
            self.output.info(f"unknown command '{shortened(words[0])}' ignored; 'help' lists the commands")
            return True
        entry[0](words[1:])
        return words[0] != "quit"

    def close(self) -> None:
        """Stop whatever runs; its answer is still given."""
        self.stop_search()

    # The search's thread.

    def stop_search(self) -> None:
        """Stop a running search and wait until it has answered."""
        worker = self._worker
        if worker is None:
            return
        self._stop.set()
        self._release.set()
        worker.join()
        self._worker = None

    def wait_for_search(self) -> None:
        """Wait until a running search ends by itself."""
        worker = self._worker
        if worker is not None:
            worker.join()
            self._worker = None

    def _start_search(self, limits: Limits, waits: bool) -> None:
        """Search on a thread of its own. ``waits``: the answer is held back until stop or ponderhit."""
        self._stop.clear()
        self._release.clear()
        if not waits:
            self._release.set()
        self.engine.book = self.book if self.options.own_book else None
        self.engine.overhead = self.options.move_overhead
        self._worker = threading.Thread(target=self._run_search, args=(limits,), name="search", daemon=True)
        self._worker.start()

    def _run_search(self, limits: Limits) -> None:
        """The search's thread: search, wait for the word where one is needed, play the move, answer."""
        try:
            result = self._search(limits)
            self._release.wait()
            if result.best_move != 0:
                self.game.play(result.best_move)
            self.output.line(bestmove_line(result.best_move, result.ponder_move))
        except Exception as error:
            # A fault here must neither hang the GUI nor pass unseen.
            self.output.info(f"internal error: {type(error).__name__}: {error}")
            self.output.line("bestmove (none)")
            raise

    def _search(self, limits: Limits) -> SearchResult:
        return self.engine.search(
            self.game.position, self.game.history, limits, self._stop, lambda info: self.output.line(info_line(info))
        )

    # Commands.

    def _uci(self, words: list[str]) -> None:
        self.output.line(
            "\n".join([f"id name Pawnstar {self.version}", "id author Jonny Reckless", *self.options.lines(), "uciok"])
        )

    def _isready(self, words: list[str]) -> None:
        self.output.line("readyok")

    def _ucinewgame(self, words: list[str]) -> None:
        self.stop_search()
        self.engine.new_game()
        self._set_up(START_FEN)

    def _quit(self, words: list[str]) -> None:
        self.stop_search()

    def _stop_command(self, words: list[str]) -> None:
        self.stop_search()

    def _ponderhit(self, words: list[str]) -> None:
        self.engine.ponderhit()
        self._release.set()

    def _set_up(self, fen: str) -> None:
        """A new position: clocks and cached evaluations start afresh."""
        for fault in self.game.set_up(fen):
            self.output.info(fault)
        self.clock = ClockState()
        self.engine.eval_cache.clear()

    def _position(self, words: list[str]) -> None:
        kind = next((word for word in words if word in ("startpos", "fen", "moves")), None)
        if kind is None:
            self.output.info("position: neither 'startpos' nor 'fen' nor 'moves'; nothing changed")
            return
        rest = words[words.index(kind) + 1 :]
        if kind == "fen":
            fields: list[str] = []
            while rest and len(fields) < 6 and rest[0] != "moves":
                fields.append(rest.pop(0))
            if not fields:
                self.output.info("position fen: no FEN; nothing changed")
                return
            self.stop_search()
            self._set_up(" ".join(fields))
        else:
            self.stop_search()
            if kind == "startpos":
                self._set_up(START_FEN)
        for text in rest:
            if text != "moves" and not self.game.play_text(text):
                self.output.info(f"illegal move '{shortened(text)}' skipped")

    def _go(self, words: list[str]) -> None:
        self.stop_search()
        values: dict[str, int] = {}
        search_moves: list[str] = []
        collecting = False
        ponder = False
        clock = self.clock
        clock.increment = 0
        nodes = 0
        white = self.game.position.side == 0
        waits = False
        index = 0
        while index < len(words):
            word = words[index]
            index += 1
            if word in _VALUE_KEYWORDS:
                collecting = False
                text = words[index] if index < len(words) else ""
                value = whole_integer(text)
                if value is None:
                    self.output.info(f"go {word}: '{shortened(text)}' is no whole number; {word} ignored")
                    # The word behind a keyword is its value, even where it is nonsense, unless it is a keyword itself.
                    if text and text not in _VALUE_KEYWORDS and text not in _FLAG_KEYWORDS:
                        index += 1
                    continue
                index += 1
                values[word] = value
                if word in ("wtime", "btime"):
                    if (word == "wtime") == white:
                        clock.kind = STANDARD
                        clock.time_left = value
                elif word in ("winc", "binc"):
                    if (word == "winc") == white:
                        clock.increment = value
                elif word == "movetime":
                    clock.kind = FIXED_TIME
                    clock.movetime = value
                elif word == "depth":
                    clock.kind = FIXED_DEPTH
                    clock.depth = value
                elif word == "mate":
                    clock.kind = FIXED_DEPTH
                    clock.depth = 2 * value
                elif word == "movestogo":
                    clock.moves_to_go = value
                elif word == "nodes":
                    clock.kind = INFINITE
                    nodes = value
            elif word == "infinite":
                collecting = False
                clock.kind = INFINITE
                waits = True
            elif word == "ponder":
                collecting = False
                ponder = True
            elif word == "searchmoves":
                collecting = True
            elif collecting:
                search_moves.append(word)
        if "perft" in values:
            self._perft(values["perft"])
            return
        self._start_search(self._limits(nodes, search_moves, ponder), ponder or (waits and clock.kind == INFINITE))

    def _limits(self, nodes: int, search_moves: list[str], ponder: bool) -> Limits:
        """The engine's limits for the clock as it stands."""
        clock = self.clock
        moves: list[int] = []
        for text in search_moves:
            move = parse_coordinate(self.game.position, text)
            if move == 0:
                self.output.info(f"searchmoves: illegal move '{shortened(text)}' ignored")
            # An illegal one stays in the list as no move: that moves were asked for keeps book and forced moves out.
            moves.append(move)
        return Limits(
            depth=clock.depth if clock.kind == FIXED_DEPTH else None,
            nodes=nodes if nodes != 0 else None,
            movetime=clock.movetime if clock.kind == FIXED_TIME else None,
            time_left=clock.time_left if clock.kind == STANDARD else None,
            increment=clock.increment,
            moves_to_go=clock.moves_to_go,
            search_moves=tuple(moves),
            ponder=ponder,
        )

    def _perft(self, depth: int) -> None:
        if depth < 1:
            self.output.info(f"go perft: the depth must be at least 1, not {depth}")
            return
        total = 0
        for move, count in perft_divide(self.game.position, depth):
            total += count
            self.output.line(f"{move_text(move)}: {count}")
        self.output.line(f"\nNodes searched: {total}\n")

    def _eval(self, words: list[str]) -> None:
        self.output.line(f"evaluation {self.engine.evaluate(self.game.position, self.game.history)} (nnue)")

    def _nnue(self, words: list[str]) -> None:
        self.output.line(f"nnue {self.engine.network_evaluation(self.game.position)}")

    def _getboard(self, words: list[str]) -> None:
        self.output.line(write_fen(self.game.position))

    def _display(self, words: list[str]) -> None:
        self.output.line(board_text(self.game.position))

    def _zobrist(self, words: list[str]) -> None:
        self.output.line(zobrist_text(self.game.position))

    def _dbg(self, words: list[str]) -> None:
        self.output.line(counters_table(self.engine.counters()))

    def _dbgclear(self, words: list[str]) -> None:
        self.engine.reset_counters()

    def _bookmoves(self, words: list[str]) -> None:
        book = self.book
        choices = book.choices(self.game.position) if book is not None else []
        if book is None or not choices:
            return
        lines = ["MOVE   COUNT"]
        lines += sorted(f"{move_text(move):<8} {count:3}" for move, count in choices)
        lines += sorted(
            f"{move_text(move) + '?':<8} {count:3}  (questionable, never played)"
            for move, count in book.questionable(self.game.position)
        )
        self.output.line("\n".join(lines))

    def _freebook(self, words: list[str]) -> None:
        self.book = None

    def _help(self, words: list[str]) -> None:
        lines = ["Available commands:"]
        lines += [f"{name:<12} {self._commands[name][1]}" for name in sorted(self._commands)]
        self.output.line("\n".join(lines))

    def _bench(self, words: list[str]) -> None:
        depth = whole_integer(words[0]) if words else BENCH_DEPTH
        if depth is None:
            self.output.info(f"bench: '{shortened(words[0])}' is no whole number; depth {BENCH_DEPTH} instead")
            depth = BENCH_DEPTH
        self.stop_search()
        self.run_bench(depth)

    def run_bench(self, depth: int) -> None:
        """Search the bench positions to a depth, on this thread, and print the totals."""
        debug = os.environ.get("PAWNSTAR_BENCH_DEBUG") == "1"
        self.engine.new_game()
        self.engine.book = None
        self._stop.clear()
        total = 0
        started = time.monotonic()
        for number, fen in enumerate(BENCH_FENS, 1):
            self._set_up(fen)
            self.clock.kind = FIXED_DEPTH
            self.clock.depth = depth
            result = self._search(Limits(depth=depth))
            total += result.nodes
            if result.best_move != 0:
                self.game.play(result.best_move)
            if debug:
                self.output.line(
                    f"### pos {number:02} best {move_text(result.best_move)} nodes {result.nodes}\n"
                    + counters_table(self.engine.counters())
                )
        elapsed = int((time.monotonic() - started) * 1000)
        self.output.line(f"{total} nodes {total * 1000 // max(1, elapsed)} nps")

    # Options.

    def _setoption(self, words: list[str]) -> None:
        name, value = parse_setoption(words)
        if not name:
            self.output.info("setoption: no name; nothing changed")
            return
        setters: dict[str, Callable[[str | None], None]] = {
            "hash": self._set_hash,
            "threads": self._set_threads,
            "ponder": lambda value: None,
            "evalfile": self._set_eval_file,
            "clear hash": self._clear_hash,
            "move overhead": self._set_overhead,
            "ownbook": self._set_own_book,
        }
        setter = setters.get(name.lower())
        if setter is None:
            self.output.info(f"unknown option '{shortened(name)}' ignored")
        else:
            setter(value)

    def _number(self, name: str, value: str | None, least: int, most: int) -> int | None:
        """A spin option's value, clamped into its range; None, with a remark, where it is no number."""
        number = whole_integer(value) if value is not None else None
        if number is None:
            self.output.info(f"option {name}: '{shortened(value or '')}' is no whole number; nothing changed")
            return None
        return max(least, min(most, number))

    def _set_hash(self, value: str | None) -> None:
        megabytes = self._number("Hash", value, 1, HASH_MAX)
        if megabytes is None:
            return
        self.stop_search()
        try:
            self.engine.resize_table(megabytes)
        except MemoryError as error:
            self.output.info(
                f"option Hash: {megabytes} MB refused ({error or 'out of memory'}); {self.options.hash} MB stay"
            )
            return
        self.options.hash = self.engine.table.megabytes()
        if self.options.hash != megabytes:
            self.output.info(f"option Hash: {megabytes} MB rounded down to {self.options.hash} MB")

    def _set_threads(self, value: str | None) -> None:
        threads = self._number("Threads", value, 1, THREADS_MAX)
        if threads is not None:
            self.stop_search()
            self.options.threads = threads

    def _set_overhead(self, value: str | None) -> None:
        overhead = self._number("Move Overhead", value, 0, OVERHEAD_MAX)
        if overhead is not None:
            self.options.move_overhead = overhead

    def _set_own_book(self, value: str | None) -> None:
        self.options.own_book = value == "true"

    def _clear_hash(self, value: str | None) -> None:
        self.stop_search()
        self.engine.table.clear()

    def _set_eval_file(self, value: str | None) -> None:
        if not value or value == "<empty>":
            self.output.info("option EvalFile: no path; the net stays")
            return
        self.stop_search()
        old = self.engine.network.origin
        try:
            with open(value, "rb") as file:
                data = file.read()
            network = Network(data, value)
        except (OSError, NetRefused, ValueError) as error:
            self.output.both(str(error) if isinstance(error, NetRefused) else f"NNUE: cannot open net file '{value}'")
            self.output.both(
                f"NNUE: keeping the net already loaded ('{old}'); '{value}' was refused and is not in play."
            )
            return
        self.engine.set_network(network)
        self.output.both(f"NNUE: loaded net '{value}'")


def shortened(text: str, most: int = 60) -> str:
    """A user's text as it is repeated in a message: printable, and not endless."""
    clean = "".join(character if character.isprintable() else "?" for character in text)
    return clean if len(clean) <= most else clean[:most] + "…"


def build_text() -> str:
    """What runs: for the banner."""
    return "compiled by mypyc" if COMPILED else "plain Python"


def report_to(output: Output) -> Callable[[SearchInfo], None]:
    """A receiver of reports that prints them."""
    return lambda info: output.line(info_line(info))
