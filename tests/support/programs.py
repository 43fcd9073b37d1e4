"""The program as its users run it: the installed command where one belongs to the package under test, in a process."""

import contextlib
import os
import queue
import select
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO

import pytest
from modes import COMPILED, package_folder

# How long any single answer may take, in seconds: a bound against hanging, not a demand.
PATIENCE = 20.0 if COMPILED else 120.0
# How many threads the program searches with: ``tox -e threads`` runs the tests of the protocol with several.
THREADS = os.environ.get("PAWNSTAR_TEST_THREADS", "1")
# What the program says of refused nets on standard error, besides standard output: that is as it should be.
REFUSALS = "NNUE: "


def installed() -> bool:
    """Whether the package under test is installed, rather than imported from a source tree."""
    return "site-packages" in package_folder().parts


def command() -> list[str]:
    """How to run the package under test: its ``pawnstar`` script, ``python -m pawnstar`` where it is not installed.

    On Windows a script is a process of its own in front of the program, and ending it would not end that.
    """
    if installed() and os.name != "nt":
        return [str(Path(sys.executable).parent / "pawnstar")]
    # -P: the working directory does not come first, whatever lies in it.
    return [sys.executable, "-P", "-m", "pawnstar"]


def environment(**changes: str) -> dict[str, str]:
    """The test's own environment, which imports the same package; variables of the engine's are only those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAWNSTAR_")}
    return {**kept, "PYTHONPATH": str(package_folder().parent), "PAWNSTAR_THREADS": THREADS, **changes}


def run(
    *arguments: str, given: str = "", cwd: Path | None = None, timeout: float = 120, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end. ``changes`` are variables of its environment."""
    return subprocess.run(
        [*command(), *arguments],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        cwd=cwd,
        env=environment(**changes),
        check=False,
    )


def run_python(code: str, *arguments: str, given: str = "", **changes: str) -> subprocess.CompletedProcess[str]:
    """Run Python code that imports the package under test."""
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        env=environment(**changes),
        check=False,
    )


def piped(given: str, cwd: Path, **changes: str) -> tuple[list[str], list[str], int]:
    """The program's output, errors (refused nets aside) and exit status when ``given`` is piped into it."""
    done = run(given=given, cwd=cwd, timeout=PATIENCE, **changes)
    errors = [line for line in done.stderr.splitlines() if not line.startswith(REFUSALS)]
    return done.stdout.splitlines(), errors, done.returncode


def run_bytes(
    given: bytes | None, cwd: Path, arguments: list[str] | None = None, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the program, or what ``arguments`` say, on bytes; None leaves it this process's own standard input."""
    return subprocess.run(
        arguments or command(),
        input=given,
        capture_output=True,
        cwd=cwd,
        env=environment(**changes),
        timeout=PATIENCE,
        check=False,
    )


class Program:
    """The UCI program on pipes, as a client sees it: lines in, lines out, each wait with a limit.

    Every line read carries the time at which it came. ``changes`` are variables of the program's environment.
    """

    def __init__(self, *, ready: bool = True, **changes: str) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed by ``close``
        self.process = subprocess.Popen(
            command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            cwd=self._folder.name,
            env=environment(**changes),
            bufsize=0,
        )
        self._queue: queue.Queue[tuple[float, str | None]] = queue.Queue()
        self._wake, self._waker = os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.sent = time.monotonic()
        self.latency = 0.0
        # What came before and with "ready".
        self.banner = self.until("ready") if ready else []

    def _read(self) -> None:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        rest = b""
        while True:
            # Windows selects sockets only: there nobody is woken, and the end of the process ends the wait.
            if os.name != "nt":
                ready, _, _ = select.select([descriptor, self._wake], [], [])
                if self._wake in ready:
                    return
            chunk = os.read(descriptor, 1 << 16)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._queue.put((time.monotonic(), line.removesuffix(b"\r").decode()))
        self._queue.put((time.monotonic(), None))

    def stop_reading(self) -> None:
        """Close this end of the program's output."""
        if os.name == "nt":
            pytest.skip("a pipe cannot be closed while a thread reads from it on Windows")
        os.write(self._waker, b".")
        self._reader.join(5)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> "Program":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def send(self, *lines: str) -> None:
        """Write the lines, in one go."""
        assert self.process.stdin is not None
        self.sent = time.monotonic()
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())

    def answer(self, line: str) -> list[str]:
        """What a line of input brings: up to ``bestmove``, or up to the answer to an ``isready`` behind it."""
        word = (line.split() or [""])[0]
        self.send(line)
        if word == "quit":
            return self.rest()
        if word in ("go", "isready"):
            return self.until("bestmove " if word == "go" else "readyok")
        self.send("isready")
        return self.until("readyok")[:-1]

    def end_input(self) -> None:
        """Close the program's standard input."""
        assert self.process.stdin is not None
        self.sent = time.monotonic()
        self.process.stdin.close()

    def until(self, prefix: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first that starts with ``prefix``; ``self.latency``: when it came after the last send."""
        lines: list[str] = []
        end = time.monotonic() + patience
        while True:
            try:
                came, line = self._queue.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no {prefix!r} within {patience} s; got {lines[-5:]}") from None
            if line is None:
                raise AssertionError(f"the program ended before {prefix!r}; got {lines[-5:]}; {self.errors()}")
            lines.append(line)
            if line.startswith(prefix):
                self.latency = came - self.sent
                return lines

    def nothing_for(self, seconds: float, prefix: str = "") -> None:
        """Fail where a line that starts with ``prefix`` comes within so many seconds."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                _, line = self._queue.get(timeout=left)
            except queue.Empty:
                return
            assert line is not None, "the program ended"
            assert not line.startswith(prefix), line

    def rest(self, patience: float = PATIENCE) -> list[str]:
        """All lines up to the end of output."""
        lines: list[str] = []
        while True:
            _, line = self._queue.get(timeout=patience)
            if line is None:
                return lines
            lines.append(line)

    def wait(self, patience: float = PATIENCE) -> int:
        """The exit status; ``self.latency`` is the time since the last send."""
        status = self.process.wait(patience)
        self.latency = time.monotonic() - self.sent
        return status

    def errors(self) -> list[str]:
        """What was written to standard error."""
        self._stderr.seek(0)
        return self._stderr.read().decode(errors="replace").splitlines()

    def faults(self) -> list[str]:
        """What was written to standard error, but for refused nets."""
        return [line for line in self.errors() if not line.startswith(REFUSALS)]

    def close(self) -> None:
        """End the process, if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        with contextlib.suppress(OSError):
            os.write(self._waker, b".")
        self._reader.join(5)
        os.close(self._wake)
        os.close(self._waker)
        for stream in (self.process.stdin, self.process.stdout, self._stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._folder.cleanup()
