"""The Universal Chess Interface: commands in, whole lines out, the search on a thread of its own (``session.py``).

The reading thread never waits for a search but to stop it: ``isready``, ``stop`` and ``quit`` are answered while one
runs. A command that changes what a search stands on (position, go, tables, net) stops the running search first, and the
search answers with its ``bestmove`` before the command takes effect. Commands that only look (eval, d, dbg, bookmoves)
are answered at once and show the position that is being searched.

``bench`` and ``go perft`` run on the search's thread too, and ``stop`` ends them. Read from a pipe they would be cut
off by the very next line, so the program waits for them where more input was written along with them.
"""

from collections.abc import Callable
from typing import Final

from pawnstar.chess.coordinate import move_text
from pawnstar.chess.fen import START_FEN
from pawnstar.chess.perft import PERFT_MAX
from pawnstar.engine.bench import BENCH_DEPTH
from pawnstar.engine.engine import Engine
from pawnstar.protocol.counting import count_moves
from pawnstar.protocol.messages import fault_text, shortened
from pawnstar.protocol.output import Output
from pawnstar.protocol.session import Session
from pawnstar.protocol.uci.bench import print_bench
from pawnstar.protocol.uci.format import bestmove_line, info_line
from pawnstar.protocol.uci.go import FIXED_DEPTH, ClockState, read_go, search_limits
from pawnstar.protocol.uci.look import Look
from pawnstar.protocol.uci.setoption import OptionSetter, names_for_help, option_lines
from pawnstar.protocol.words import split_command, split_words, whole_integer
from pawnstar.search.info import SearchInfo
from pawnstar.search.worker import StopSignal
from pawnstar.settings import ANALYSE_MODE

# Commands of UCI that ask nothing of this engine: it has no debug mode, and nobody need register.
_NOTHING_TO_DO: Final = ("debug", "register")

# A line can hold a great many faults, as moves do that belong to another position; so many are told one by one.
_TOLD_FAULTS: Final = 10


class Uci:
    """A session that speaks UCI."""

    def __init__(self, engine: Engine, output: Output, version: str, background: bool = False) -> None:
        """``background``: ``process_line`` returns while ``bench`` and ``go perft`` still run, as with searches."""
        self.engine = engine
        self.session = Session(engine, self, background)
        self.clock = ClockState()
        self._output = output
        self._version = version
        look = Look(self.session, output)
        options = OptionSetter(self.session, output)
        # What each command does with the text behind its name, and its line of help.
        self._commands: dict[str, tuple[Callable[[str], None], str]] = {
            "bench": (self._bench, "Search a fixed position set to fixed depth; print nodes + nps"),
            "bookmoves": (look.book_moves, "Display available book moves for current position"),
            "d": (look.board, "Display the board of the current position"),
            "dbg": (look.counters, "Display diagnostic counts"),
            "dbgclear": (self._dbgclear, "Reset diagnostic counts"),
            "eval": (look.evaluation, "Display the current static evaluation"),
            "freebook": (self._freebook, "Delete the opening book from memory"),
            "getboard": (look.fen, "Display the FEN of the current position"),
            "go": (self._go, "Search the current position"),
            "help": (self._help, "Display a summary of commands"),
            "isready": (self._isready, "Respond with readyok"),
            "nnue": (look.network_output, "Display the raw NNUE evaluation of the current position"),
            "ponderhit": (self._ponderhit, "Pondered move was played; convert ponder search to a timed search"),
            "position": (self._position, "Set the position and series of moves"),
            "quit": (self._stop, "Exit the program"),
            "setoption": (options.set, f"Set a UCI option ({names_for_help()})"),
            "stop": (self._stop, "Stop searching and return best move found"),
            "uci": (self._uci, "Enter UCI protocol"),
            "ucinewgame": (self._ucinewgame, "UCI mode start new game"),
            "zobrist": (look.key, "Display every part of the current position's key"),
        }

    def process_line(self, line: str) -> bool:
        """Carry out one line of input; False where it was ``quit``."""
        command, rest = split_command(line)
        if not command or command in _NOTHING_TO_DO:
            return True
        entry = self._commands.get(command)
        if entry is None:
            self._output.info(f"unknown command '{shortened(command)}' ignored; 'help' lists the commands")
            return True
        try:
            entry[0](rest)
        except Exception as error:
            # A fault in one command must not end the game.
            self._output.info(f"internal error in '{command}': {fault_text(error)}")
        return command != "quit"

    # What the session tells, from the search's thread.

    def report(self, info: SearchInfo) -> None:
        """Print one report."""
        self._output.line(info_line(info))

    def answer(self, best: int, ponder: int) -> None:
        """Print ``bestmove``."""
        self._output.line(bestmove_line(best, ponder))

    def failed(self, error: Exception) -> None:
        """Say that something failed within the engine."""
        self._output.info(f"internal error: {fault_text(error)}")

    def stopped(self) -> None:
        """Say that ``bench`` or ``go perft`` was stopped."""
        self._output.info("stopped")

    def _tell_faults(self, faults: list[str], more: str) -> None:
        """Tell what was wrong with a line, the first faults one by one; ``more`` names the rest, behind its number."""
        for text in faults[:_TOLD_FAULTS]:
            self._output.info(text)
        if len(faults) > _TOLD_FAULTS:
            self._output.info(f"{len(faults) - _TOLD_FAULTS} {more}")

    # The interface and the game.

    def _uci(self, rest: str) -> None:
        lines = [f"id name Pawnstar {self._version}", "id author Jonny Reckless"]
        self._output.line("\n".join([*lines, *option_lines(self.engine.settings), "uciok"]))

    def _help(self, rest: str) -> None:
        lines = ["Available commands:"]
        lines += [f"{name:<12} {self._commands[name][1]}" for name in sorted(self._commands)]
        self._output.line("\n".join(lines))

    def _isready(self, rest: str) -> None:
        self._output.line("readyok")
        if self.session.is_idle():
            # Behind the answer, so that the first search finds them ready.
            for text in self.engine.start_helpers():
                self._output.info(text)

    def _ucinewgame(self, rest: str) -> None:
        self.session.new_game()
        self.clock = ClockState()

    def _set_up(self, fen: str) -> None:
        """A new position, for which nothing is remembered of earlier clocks."""
        for fault in self.session.set_up(fen):
            self._output.info(fault)
        self.clock = ClockState()

    def _position(self, rest: str) -> None:
        words = split_words(rest)
        kind = next((word for word in words if word in ("startpos", "fen", "moves")), None)
        if kind is None:
            self._output.info("position: neither 'startpos' nor 'fen' nor 'moves'; nothing changed")
            return
        moves = words[words.index(kind) + 1 :]
        if kind == "fen":
            fields: list[str] = []
            while moves and len(fields) < 6 and moves[0] != "moves":
                fields.append(moves.pop(0))
            if not fields:
                self._output.info("position fen: no FEN; nothing changed")
                return
            self.session.stop()
            self._set_up(" ".join(fields))
        else:
            self.session.stop()
            if kind == "startpos":
                self._set_up(START_FEN)
        game = self.session.game
        illegal = [text for text in moves if text != "moves" and not game.play_text(text)]
        self._tell_faults(
            [f"illegal move '{shortened(text)}' skipped" for text in illegal], "more illegal moves skipped"
        )

    def _freebook(self, rest: str) -> None:
        self.engine.book = None

    def _dbgclear(self, rest: str) -> None:
        self.engine.reset_counters()

    # Searches and counts.

    def _go(self, rest: str) -> None:
        self.session.stop()
        words = split_words(rest)
        position = self.session.game.position
        go = read_go(words, self.clock, position.side == 0)
        self._tell_faults(go.faults, "more faults in this line")
        if go.perft is not None:
            self._perft(go.perft)
            return
        if words and not go.understood:
            if "perft" in words:
                return  # a count was meant, no search, whose answer would be played
            self._output.info(f"go: no limit in '{shortened(' '.join(words))}'; searching by {self.clock.in_words()}")
        limits, faults = search_limits(go, self.clock, position, self.engine.settings[ANALYSE_MODE])
        self._tell_faults(faults, "more illegal moves ignored")
        self.session.search(limits, go.is_endless(self.clock))

    def _stop(self, rest: str) -> None:
        self.session.stop()

    def _ponderhit(self, rest: str) -> None:
        self.session.ponderhit()

    def _perft(self, depth: int) -> None:
        if depth < 1 or depth > PERFT_MAX:
            self._output.info(f"go perft: the depth must be from 1 to {PERFT_MAX}, not {depth}")
            return
        position = self.session.game.position

        def tell(move: int, count: int) -> None:
            self._output.line(f"{move_text(move)}: {count}")

        def count(stop: StopSignal) -> None:
            total = count_moves(position, depth, stop, tell)
            self._output.line(f"\nNodes searched: {total}\n")

        self.session.count(count, "perft")

    def _bench(self, rest: str) -> None:
        words = split_words(rest)
        depth = whole_integer(words[0]) if words else BENCH_DEPTH
        if depth is None:
            self._output.info(f"bench: '{shortened(words[0])}' is no whole number; depth {BENCH_DEPTH} instead")
            depth = BENCH_DEPTH
        self.session.stop()
        self.session.count(lambda stop: self._run_bench(depth, stop), "bench")

    def _run_bench(self, depth: int, stop: StopSignal) -> None:
        """Search the bench positions, each set up on the board; afterwards a plain ``go`` searches to that depth."""

        def set_up(fen: str) -> None:
            self._set_up(fen)
            self.clock.kind = FIXED_DEPTH
            self.clock.depth = depth

        print_bench(self.engine, depth, self._output, stop, set_up, self.session.game.play_answer)
