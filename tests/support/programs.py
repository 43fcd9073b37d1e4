"""The program as its users run it: the installed command where one belongs to the package under test, in a process."""

import os
import subprocess
import sys
from pathlib import Path

from modes import package_folder


def installed() -> bool:
    """Whether the package under test is installed, rather than imported from a source tree."""
    return "site-packages" in package_folder().parts


def command_line() -> list[str]:
    """How to run the package under test: its ``pawnstar`` script, ``python -m pawnstar`` where it is not installed."""
    script = Path(sys.executable).parent / ("pawnstar.exe" if os.name == "nt" else "pawnstar")
    if installed():
        return [str(script)]
    # -P: the working directory does not come first, whatever lies in it.
    return [sys.executable, "-P", "-m", "pawnstar"]


def environment(**changes: str) -> dict[str, str]:
    """The test's own environment, which imports the same package; variables of the engine's are only those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAWNSTAR_")}
    return {**kept, "PYTHONPATH": str(package_folder().parent), "PAWNSTAR_THREADS": "1", **changes}


def run(
    *arguments: str, given: str = "", cwd: Path | None = None, timeout: float = 120, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [*command_line(), *arguments],
        input=given,
        capture_output=True,
        text=True,
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


class Program:
    """The UCI program on pipes. A line goes in, and what it brought comes back."""

    def __init__(self, **changes: str) -> None:
        self._process = subprocess.Popen(
            command_line(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            env=environment(**changes),
        )

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *arguments: object) -> None:
        self._process.kill()
        self._process.communicate()

    def lines_until(self, start: str) -> list[str]:
        """The lines up to and with the first that starts so, or up to the end of output."""
        assert self._process.stdout is not None
        found = []
        for line in self._process.stdout:
            found.append(line.rstrip("\n"))
            if line.startswith(start):
                break
        return found

    def write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def send(self, line: str) -> list[str]:
        """What a line of input brings: up to ``bestmove``, or up to the answer to an ``isready`` behind it."""
        self.write(line)
        words = line.split()
        if words[:1] == ["go"]:
            return self.lines_until("bestmove ")
        if words[:1] == ["quit"]:
            return self.lines_until("\0")
        if words[:1] == ["isready"]:
            return self.lines_until("readyok")
        self.write("isready")
        *lines, last = self.lines_until("readyok")
        assert last == "readyok"
        return lines

    def end(self) -> tuple[int, list[str]]:
        """The exit status and what was written to standard error."""
        _, errors = self._process.communicate(timeout=60)
        return self._process.returncode, errors.splitlines()
