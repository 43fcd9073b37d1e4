"""An engine's process spoken to line by line: for checks that send what no game does, and read every line.

Players (``players.py``) play games by python-chess, which hides the lines. Needs nothing but the standard library.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from typing import Final

PATIENCE: Final = 30.0  # seconds for a line that is waited for
GRACE: Final = 1.0  # seconds for the end of the output of a process that is gone


class UciProcess:
    """A running engine. ``environment`` is added to this process's own.

    Its lines are read by a thread of their own, so it never waits for its reader; its standard error is kept.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by ``close``
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **(environment or {})},
        )
        # None: the end of its output.
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.decode(errors="replace").rstrip())
        self._lines.put(None)

    def send(self, *lines: str) -> None:
        """Write lines. Raises OSError where the engine does not listen any more."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(line + "\n" for line in lines).encode())
        self._process.stdin.flush()

    def until(self, prefix: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first that begins so.

        Raises TimeoutError where the next line does not come in ``patience`` seconds, EOFError behind the last one.
        """
        found: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=patience)
            except queue.Empty:
                raise TimeoutError(f"no line '{prefix}...' in {patience:g} s, but {found[-3:]}") from None
            if line is None:
                self._lines.put(None)
                raise EOFError(f"the output ended without a line '{prefix}...'")
            found.append(line)
            if line.startswith(prefix):
                return found

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it runs."""
        self._process.send_signal(number)

    def wait(self, patience: float = PATIENCE) -> int:
        """The exit status, once the process has ended. Raises TimeoutError."""
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"process {self.pid} still runs after {patience:g} s") from error

    def errors(self) -> list[str]:
        """The lines that it wrote to its standard error, once it has ended."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").splitlines()

    def close(self) -> None:
        """Kill the process where it runs, and let go of its pipes and files."""
        self._process.kill()
        self._process.wait()
        # A process that the engine has started may hold the output open.
        self._reader.join(GRACE)
        if not self._reader.is_alive() and self._process.stdout is not None:
            self._process.stdout.close()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):  # what was not sent has no reader any more
                self._process.stdin.close()
        self._errors.close()

    def __enter__(self) -> UciProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
