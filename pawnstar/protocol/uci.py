"""The Universal Chess Interface: commands in, whole lines out, the search on a thread of its own.

The reading thread never waits for a search but to stop it: ``isready``, ``stop`` and ``quit`` are answered while one
runs. A command that changes what a search stands on (position, go, tables, net) stops the running search first, and the
search answers with its ``bestmove`` before the command takes effect. Commands that only look (eval, d, dbg, bookmoves)
are answered at once and show the position that is being searched.

``bench`` and ``go perft`` run on the search's thread too, and ``stop`` ends them. Read from a pipe they would be cut
off by the very next line, so the program waits for them where more input was written along with them.
"""

import os
import stat
import threading
import time
from collections.abc import Callable
from typing import Final

from pawnstar import machine, resources
from pawnstar.chess.coordinate import move_text, parse_coordinate
from pawnstar.chess.fen import START_FEN, write_fen
from pawnstar.chess.generation import legal_moves
from pawnstar.chess.perft import PERFT_MAX
from pawnstar.engine.book import Book
from pawnstar.engine.clock import Clock
from pawnstar.engine.engine import Engine
from pawnstar.engine.info import SearchInfo, SearchResult
from pawnstar.engine.limits import Limits
from pawnstar.engine.net_file import NetRefused
from pawnstar.engine.network import Network
from pawnstar.engine.transposition_table import cells_for
from pawnstar.protocol.bench import BENCH_DEPTH, BENCH_FENS, announce
from pawnstar.protocol.counting import Stopped, count_moves
from pawnstar.protocol.format import (
    bestmove_line,
    board_text,
    counters_table,
    info_line,
    zobrist_text,
)
from pawnstar.protocol.game import Game
from pawnstar.protocol.go import FIXED_DEPTH, FIXED_TIME, INFINITE, STANDARD, ClockState, Go, read_go
from pawnstar.protocol.input import split_command, split_words
from pawnstar.protocol.messages import fault_text, on_one_line, shortened, unopened, unread
from pawnstar.protocol.options import (
    HASH_MAX,
    OVERHEAD_MAX,
    THREADS_MAX,
    Options,
    parse_setoption,
    whole_integer,
)
from pawnstar.protocol.output import Output

# Commands of UCI that ask nothing of this engine: it has no debug mode, and nobody need register.
_NOTHING_TO_DO: Final = ("debug", "register")

# A line can hold a great many faults, as moves do that belong to another position; so many are told one by one.
_TOLD_FAULTS: Final = 10
# Memory that a new table must leave to everybody else, in bytes.
_MEMORY_RESERVE: Final = 64 << 20
_LARGEST_FILE: Final = 1 << 28  # bytes; more is neither a net nor a book


class Uci:
    """One UCI session."""

    def __init__(
        self, engine: Engine, options: Options, output: Output, version: str, background: bool = False
    ) -> None:
        """``background``: ``process_line`` returns while ``bench`` and ``go perft`` still run, as with searches."""
        self.engine = engine
        self.options = options
        self.output = output
        engine.set_threads(options.threads)
        self.version = version
        self.book: Book | None = None
        self.game = Game()
        self.clock = ClockState()
        self._stop = threading.Event()
        # Set when a search that waits (infinite, ponder) may give its answer.
        self._release = threading.Event()
        self._worker: threading.Thread | None = None
        self._background = background
        # When `bench` or `go perft` last began (time.monotonic).
        self.count_began = 0.0
        # The running search's clock and how it waits; belongs to the reading thread.
        self._clock: Clock | None = None
        self._infinite = False
        # From `go` until just before `bestmove`.
        self._searching = False
        # The last move reported by the running search, for an answer in spite of an internal error.
        self._reported_move = 0
        # What each command does with the text behind its name, and its line of help.
        self._commands: dict[str, tuple[Callable[[str], None], str]] = {
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
        command, rest = split_command(line)
        if not command or command in _NOTHING_TO_DO:
            return True
        entry = self._commands.get(command)
        if entry is None:
            self.output.info(f"unknown command '{shortened(command)}' ignored; 'help' lists the commands")
            return True
        try:
            entry[0](rest)
        except Exception as error:
            # A fault in one command must not end the game.
            self.output.info(f"internal error in '{command}': {fault_text(error)}")
        return command != "quit"

    def close(self) -> None:
        """Stop whatever runs; its answer is still given. Helper processes end."""
        self.stop_search()
        self.engine.close()

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

    def is_idle(self) -> bool:
        """Whether neither a search nor a count runs."""
        return self._worker is None or not self._worker.is_alive()

    def is_counting(self) -> bool:
        """Whether ``bench`` or ``go perft`` runs."""
        worker = self._worker
        return worker is not None and worker.name != "search" and worker.is_alive()

    def _start(self, target: Callable[[], None], name: str) -> None:
        """Run ``target`` on the search's thread; the stop flag is cleared here, so that none can be lost."""
        self._stop.clear()
        self._worker = threading.Thread(target=target, name=name, daemon=True)
        self._worker.start()

    def _start_search(self, limits: Limits, infinite: bool) -> None:
        """Search on a thread of its own. If infinite, the answer waits for stop; if pondering, for ponderhit."""
        self.engine.book = self.book if self.options.own_book else None
        self.engine.overhead = self.options.move_overhead
        clock = self.engine.new_clock(self.game.position, limits)
        self._clock = clock
        self._infinite = infinite
        self._reported_move = 0
        self._searching = True
        self._release.clear()
        if not infinite and not limits.ponder:
            self._release.set()
        self._start(lambda: self._run_search(limits, clock), "search")

    def _run_search(self, limits: Limits, clock: Clock) -> None:
        """The search's thread: search, wait for the word where one is needed, play the move, answer."""
        best = 0
        ponder = 0
        try:
            result = self._search(limits, clock)
            best = result.best_move
            ponder = result.ponder_move
        except Exception as error:
            # A fault here must neither hang the GUI nor lose the game, nor pass unseen.
            self.output.info(f"internal error: {fault_text(error)}")
            legal = legal_moves(self.game.position)
            if legal:
                best = self._reported_move if self._reported_move in legal else legal[0]
        self._release.wait()
        if best != 0:
            self.game.play_answer(best)
        self._searching = False
        self.output.line(bestmove_line(best, ponder))

    def _search(self, limits: Limits, clock: Clock | None = None) -> SearchResult:
        return self.engine.search(self.game.position, self.game.history, limits, self._stop, self._report, clock)

    def _report(self, info: SearchInfo) -> None:
        """Print one report."""
        if info.pv:
            self._reported_move = info.pv[0]
        self.output.line(info_line(info))

    def _run_counting(self, what: Callable[[], None]) -> None:
        """The search's thread for ``bench`` and ``go perft``."""
        try:
            what()
        except Stopped:
            self.output.info("stopped")
        except Exception as error:
            self.output.info(f"internal error: {fault_text(error)}")

    def _count(self, what: Callable[[], None], name: str) -> None:
        """Run a count on the search's thread, and wait for it where nobody else does."""
        self.count_began = time.monotonic()
        self._start(lambda: self._run_counting(what), name)
        if not self._background:
            self.wait_for_search()

    # Commands.

    def _uci(self, rest: str) -> None:
        self.output.line(
            "\n".join([f"id name Pawnstar {self.version}", "id author Jonny Reckless", *self.options.lines(), "uciok"])
        )

    def _isready(self, rest: str) -> None:
        self.output.line("readyok")
        if self.is_idle():
            # Behind the answer, so that the first search finds them ready.
            for text in self.engine.start_helpers():
                self.output.info(text)

    def _ucinewgame(self, rest: str) -> None:
        self.stop_search()
        self.engine.new_game()
        self._set_up(START_FEN)

    def _quit(self, rest: str) -> None:
        self.stop_search()

    def _stop_command(self, rest: str) -> None:
        self.stop_search()

    def _ponderhit(self, rest: str) -> None:
        clock = self._clock
        if clock is None or not self._searching or not clock.pondering:
            return
        clock.ponderhit()
        if not self._infinite:
            self._release.set()

    def _set_up(self, fen: str) -> None:
        """A new position: clocks and cached evaluations start afresh."""
        for fault in self.game.set_up(fen):
            self.output.info(fault)
        self.clock = ClockState()
        self.engine.eval_cache.clear()

    def _position(self, rest: str) -> None:
        words = split_words(rest)
        kind = next((word for word in words if word in ("startpos", "fen", "moves")), None)
        if kind is None:
            self.output.info("position: neither 'startpos' nor 'fen' nor 'moves'; nothing changed")
            return
        moves = words[words.index(kind) + 1 :]
        if kind == "fen":
            fields: list[str] = []
            while moves and len(fields) < 6 and moves[0] != "moves":
                fields.append(moves.pop(0))
            if not fields:
                self.output.info("position fen: no FEN; nothing changed")
                return
            self.stop_search()
            self._set_up(" ".join(fields))
        else:
            self.stop_search()
            if kind == "startpos":
                self._set_up(START_FEN)
        illegal = [text for text in moves if text != "moves" and not self.game.play_text(text)]
        self._tell_faults(
            [f"illegal move '{shortened(text)}' skipped" for text in illegal], "more illegal moves skipped"
        )

    def _tell_faults(self, faults: list[str], more: str) -> None:
        """Tell what was wrong with a line, the first faults one by one; ``more`` names the rest, behind its number."""
        for text in faults[:_TOLD_FAULTS]:
            self.output.info(text)
        if len(faults) > _TOLD_FAULTS:
            self.output.info(f"{len(faults) - _TOLD_FAULTS} {more}")

    def _go(self, rest: str) -> None:
        self.stop_search()
        words = split_words(rest)
        go = read_go(words, self.clock, self.game.position.side == 0)
        self._tell_faults(go.faults, "more faults in this line")
        if go.perft is not None:
            self._perft(go.perft)
            return
        if words and not go.understood:
            if "perft" in words:
                return  # a count was meant, no search, whose answer would be played
            self.output.info(f"go: no limit in '{shortened(' '.join(words))}'; searching by {self.clock.in_words()}")
        infinite = go.infinite and self.clock.kind == INFINITE
        self._start_search(self._limits(go, infinite), infinite)

    def _limits(self, go: Go, infinite: bool) -> Limits:
        """The engine's limits for the clock as it stands."""
        clock = self.clock
        # An illegal one stays in the list as no move: that moves were asked for keeps book and forced moves out.
        moves = [parse_coordinate(self.game.position, text) for text in go.search_moves]
        illegal = [text for text, move in zip(go.search_moves, moves, strict=True) if move == 0]
        self._tell_faults(
            [f"searchmoves: illegal move '{shortened(text)}' ignored" for text in illegal], "more illegal moves ignored"
        )
        return Limits(
            depth=clock.depth if clock.kind == FIXED_DEPTH else None,
            nodes=go.nodes if go.nodes != 0 else None,
            movetime=clock.movetime if clock.kind == FIXED_TIME else None,
            time_left=clock.time_left if clock.kind == STANDARD else None,
            increment=clock.increment,
            moves_to_go=clock.moves_to_go,
            search_moves=tuple(moves),
            ponder=go.ponder,
            analysis=infinite or self.options.analyse_mode,
        )

    def _perft(self, depth: int) -> None:
        if depth < 1 or depth > PERFT_MAX:
            self.output.info(f"go perft: the depth must be from 1 to {PERFT_MAX}, not {depth}")
            return
        position = self.game.position

        def count() -> None:
            total = count_moves(
                position, depth, self._stop, lambda move, count: self.output.line(f"{move_text(move)}: {count}")
            )
            self.output.line(f"\nNodes searched: {total}\n")

        self._count(count, "perft")

    def _tell_answer(self) -> None:
        """Say that the board shows the engine's own answer, where it does: UCI lets one expect the position before."""
        answer = self.game.answer
        if answer != 0:
            self.output.info(f"the engine's own move {move_text(answer)} has been played; 'position' sets up another")

    def _eval(self, rest: str) -> None:
        self._tell_answer()
        aside = self._searching or self.is_counting()
        self.output.line(f"evaluation {self.engine.evaluate(self.game.position, self.game.history, aside)} (nnue)")

    def _nnue(self, rest: str) -> None:
        self.output.line(f"nnue {self.engine.network_evaluation(self.game.position)}")

    def _getboard(self, rest: str) -> None:
        self._tell_answer()
        self.output.line(write_fen(self.game.position))

    def _display(self, rest: str) -> None:
        self._tell_answer()
        self.output.line(board_text(self.game.position))

    def _zobrist(self, rest: str) -> None:
        self.output.line(zobrist_text(self.game.position))

    def _dbg(self, rest: str) -> None:
        self.output.line(counters_table(self.engine.counters()))

    def _dbgclear(self, rest: str) -> None:
        self.engine.reset_counters()

    def _bookmoves(self, rest: str) -> None:
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

    def _freebook(self, rest: str) -> None:
        self.book = None

    def _help(self, rest: str) -> None:
        lines = ["Available commands:"]
        lines += [f"{name:<12} {self._commands[name][1]}" for name in sorted(self._commands)]
        self.output.line("\n".join(lines))

    def _bench(self, rest: str) -> None:
        words = split_words(rest)
        depth = whole_integer(words[0]) if words else BENCH_DEPTH
        if depth is None:
            self.output.info(f"bench: '{shortened(words[0])}' is no whole number; depth {BENCH_DEPTH} instead")
            depth = BENCH_DEPTH
        self.stop_search()
        self._count(lambda: self.run_bench(depth), "bench")

    def run_bench(self, depth: int) -> None:
        """Search the bench positions to a depth, on this thread, and print the totals; raises Stopped when stopped."""
        threads = self.engine.threads
        self.engine.set_threads(1)
        try:
            self._run_bench(depth)
        finally:
            self.engine.set_threads(threads)

    def _run_bench(self, depth: int) -> None:
        debug = os.environ.get("PAWNSTAR_BENCH_DEBUG") == "1"
        self.engine.new_game()
        self.engine.book = None
        total = 0
        started = time.monotonic()
        for number, fen in enumerate(BENCH_FENS, 1):
            announce(number)
            self._set_up(fen)
            self.clock.kind = FIXED_DEPTH
            self.clock.depth = depth
            result = self._search(Limits(depth=depth))
            total += result.nodes
            if self._stop.is_set():
                raise Stopped
            if result.best_move != 0:
                self.game.play_answer(result.best_move)
            if debug:
                self.output.line(
                    f"### pos {number:02} best {move_text(result.best_move)} nodes {result.nodes}\n"
                    + counters_table(self.engine.counters())
                )
        elapsed = int((time.monotonic() - started) * 1000)
        self.output.line(f"{total} nodes {total * 1000 // max(1, elapsed)} nps")

    # Options.

    def _setoption(self, rest: str) -> None:
        name, value = parse_setoption(rest)
        if not name:
            self.output.info("setoption: no name; nothing changed ('setoption name NAME value VALUE' sets an option)")
            return
        setters: dict[str, Callable[[str | None], None]] = {
            "hash": self._set_hash,
            "threads": self._set_threads,
            "ponder": lambda value: None,
            "evalfile": self._set_eval_file,
            "clear hash": self._clear_hash,
            "move overhead": self._set_overhead,
            "ownbook": self._set_own_book,
            "uci_analysemode": self._set_analyse_mode,
        }
        setter = setters.get(name.lower())
        if setter is None:
            lacking = value is None and any(name.lower().startswith(f"{known} ") for known in setters)
            hint = " ('value' goes between name and value)" if lacking else ""
            self.output.info(f"unknown option '{shortened(name)}' ignored{hint}")
        else:
            setter(value)

    def _number(self, name: str, value: str | None, least: int, most: int) -> int | None:
        """A spin option's value, clamped into its range; None, with a remark, where it is no number."""
        number = whole_integer(value) if value is not None else None
        if number is None:
            self.output.info(f"option {name}: {unread(value or '')}; nothing changed")
            return None
        return max(least, min(most, number))

    def _set_hash(self, value: str | None) -> None:
        megabytes = self._number("Hash", value, 1, HASH_MAX)
        if megabytes is None:
            return
        self.stop_search()
        wanted = cells_for(megabytes) * 16
        available = machine.available_memory()
        try:
            grows = wanted > self.options.hash << 20
            if grows and available is not None and wanted + _MEMORY_RESERVE > available:
                raise MemoryError(f"{available >> 20} MB are available")
            self.engine.resize_table(megabytes)
        except MemoryError as error:
            self.output.info(
                f"option Hash: {megabytes} MB refused ({str(error) or 'out of memory'}); {self.options.hash} MB stay"
            )
            return
        self.options.hash = wanted >> 20
        if self.options.hash != megabytes:
            self.output.info(f"option Hash: {megabytes} MB rounded down to {self.options.hash} MB")

    def _set_threads(self, value: str | None) -> None:
        threads = self._number("Threads", value, 1, THREADS_MAX)
        if threads is not None:
            self.stop_search()
            try:
                self.engine.set_threads(threads)
            except MemoryError as error:
                self.output.info(
                    f"option Threads: {threads} refused ({str(error) or 'out of memory'}); {self.options.threads} stay"
                )
                return
            self.options.threads = threads

    def _set_overhead(self, value: str | None) -> None:
        overhead = self._number("Move Overhead", value, 0, OVERHEAD_MAX)
        if overhead is not None:
            self.options.move_overhead = overhead

    def _set_own_book(self, value: str | None) -> None:
        self.options.own_book = value == "true"
        if value not in ("true", "false"):
            self.output.info(f"option OwnBook: '{shortened(value or '')}' is neither true nor false; read as false")

    def _set_analyse_mode(self, value: str | None) -> None:
        if value is None or value.lower() not in ("true", "false"):
            self.output.info(
                f"option UCI_AnalyseMode: '{shortened(value or '')}' is neither true nor false; nothing changed"
            )
            return
        self.options.analyse_mode = value.lower() == "true"

    def _clear_hash(self, value: str | None) -> None:
        self.stop_search()
        self.engine.clear_table()

    def _set_eval_file(self, value: str | None) -> None:
        if value is None:
            self.output.info("option EvalFile: no value; the net stays ('value <empty>' means the shipped one)")
            return
        self.stop_search()
        old = self.engine.network.origin
        path = value
        if value.lower() in ("", "<empty>"):
            shipped, value = resources.find(resources.NET)
            path = str(shipped)
        name = on_one_line(value)
        try:
            network = Network(read_regular_file(path), name)
        except (OSError, NetRefused, ValueError) as error:
            self.output.both(str(error) if isinstance(error, NetRefused) else unopened(name, error))
            self.output.both(
                f"NNUE: keeping the net already loaded ('{old}'); '{name}' was refused and is not in play."
            )
            return
        self.engine.set_network(network)
        self.output.info(f"NNUE: loaded net '{name}'")


def read_regular_file(path: str | os.PathLike[str]) -> bytes:
    """A net's or a book's contents; raises OSError for devices and pipes, which might never end, and huge files."""
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0))) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_FILE:
            raise OSError(f"not a regular file of at most {_LARGEST_FILE >> 20} MB")
        return file.read()
