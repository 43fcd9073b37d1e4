"""The program as a client sees it: a process, lines in, lines out, each wait with a limit."""

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

from modes import COMPILED, package_folder

# How long any single answer may take, in seconds: a bound against hanging, not a demand.
PATIENCE = 20.0 if COMPILED else 120.0
# How many threads the program searches with: ``tox -e threads`` runs the suites with several.
THREADS = os.environ.get("PAWNSTAR_TEST_THREADS", "1")
# What the program says of refused nets on standard error, besides standard output: that is as it should be.
REFUSALS = "NNUE: "


def command() -> list[str]:
    """What starts the package under test."""
    return [sys.executable, "-P", "-m", "pawnstar"]


def environment(**more: str) -> dict[str, str]:
    """The environment in which ``command`` finds the package under test, wherever it is started."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAWNSTAR_")}
    return {**kept, "PYTHONPATH": str(package_folder().parent), "PAWNSTAR_THREADS": THREADS, **more}


class Program:
    """A running program. Every line read carries the time at which it came."""

    def __init__(self, *, cwd: Path | None = None, env: dict[str, str] | None = None, ready: bool = True) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # closed by ``close``
        self.process = subprocess.Popen(
            command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
            cwd=cwd or self._folder.name,
            env=env or environment(),
            bufsize=0,
        )
        self._queue: queue.Queue[tuple[float, str | None]] = queue.Queue()
        self._wake, self._waker = os.pipe()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.sent = time.monotonic()
        if ready:
            self.until("ready")

    def _read(self) -> None:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        rest = b""
        while True:
            ready, _, _ = select.select([descriptor, self._wake], [], [])
            if self._wake in ready:
                return
            chunk = os.read(descriptor, 1 << 16)
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._queue.put((time.monotonic(), line.decode()))
        self._queue.put((time.monotonic(), None))

    def stop_reading(self) -> None:
        """Close this end of the program's output."""
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
        """What was written to standard error, but for refused nets."""
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").splitlines()
        return [line for line in lines if not line.startswith(REFUSALS)]

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
        for stream in (self.process.stdin, self.process.stdout, self.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self._folder.cleanup()
