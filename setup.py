"""Build rules that pyproject.toml cannot express: the mypyc extension modules and the version's scheme.

Environment variables read here, all documented in the README:

* ``PAWNSTAR_PURE=1``: install plain Python, compile nothing.
* ``PAWNSTAR_MARCH``: the compiler's ``-march`` (default ``native``; ``x86-64-v2`` or ``-v3`` for wheels that travel).
* ``PAWNSTAR_DEBUGX=0``: leave the diagnostic counters out of the compiled code.
"""

from __future__ import annotations

import glob
import os
import platform
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
from typing import TYPE_CHECKING, Any

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

if TYPE_CHECKING:
    from setuptools import Extension
    from setuptools_scm import ScmVersion

# What is compiled: the modules that lie in these folders, less the paths named in UNCOMPILED. A new module cannot be
# forgotten so. A folder inside one of them needs a line of its own; a test looks for one without.
COMPILED_FOLDERS = [
    "pawnstar/system",
    "pawnstar/chess",
    "pawnstar/evaluation",
    "pawnstar/evaluation/nnue",
    "pawnstar/search",
    "pawnstar/search/tables",
    "pawnstar/engine",
    "pawnstar/drop7/rules",
    "pawnstar/drop7/search",
]

UNCOMPILED = {
    # For the interpreted mode only.
    "pawnstar/chess/plain_bits.py",
    "pawnstar/evaluation/nnue/numpy_kernels.py",
    # numpy: every line is a call of it.
    "pawnstar/evaluation/nnue/batch.py",
    # A few are made a second or a search, and the API's classes, which are plain Python, extend them.
    "pawnstar/search/info.py",
    "pawnstar/search/limits.py",
    # ctypes.
    "pawnstar/system/system_memory.py",
    # Interpreted is what it is for: compiled code never lets signal handlers run.
    "pawnstar/system/interrupts.py",
    # What is asked for once, of the operating system and of libraries.
    "pawnstar/system/cluster.py",
    "pawnstar/system/machine.py",
    "pawnstar/system/owner.py",
    "pawnstar/system/shared_memory.py",
}

# Commands that only describe the package or pack its sources: generating C for them would be thrown away.
DESCRIBING = {"egg_info", "dist_info", "sdist", "--name", "--version"}


def flag(name: str, default: str) -> bool:
    """An on/off environment variable: ``0``, ``no``, ``off`` and the empty string mean off."""
    return os.environ.get(name, default).strip().lower() not in ("", "0", "no", "off", "false")


def compiled_sources() -> dict[str, list[str]]:
    """Paths of the modules to compile by the name of their group, sorted so that builds repeat."""
    found = [path.replace(os.sep, "/") for folder in COMPILED_FOLDERS for path in glob.glob(f"{folder}/*.py")]
    groups: dict[str, list[str]] = {"pawnstar": [], "pawnstar_drop7": []}
    # Nor the packages' markers, which hold a line of text.
    for path in sorted(path for path in set(found) - UNCOMPILED if not path.endswith("/__init__.py")):
        groups["pawnstar_drop7" if path.startswith("pawnstar/drop7/") else "pawnstar"].append(path)
    return groups


# What a package is built from besides its code. Both are shipped in it.
DATA = ("nnue/pawnstar-p1.bin", "pawnstar.book")


def require_data() -> None:
    """Stop where the net or the book is missing: what would be built could not play."""
    missing = [name for name in DATA if not os.path.isfile(name) or os.path.getsize(name) == 0]
    if missing:
        sys.exit(
            f"pawnstar: not in the source tree, or empty: {', '.join(missing)}.\n"
            "The package is not built, because it could not play. Every clone and every source archive holds the net\n"
            f"and the book: get a whole copy, or put back what is missing (git checkout -- {' '.join(missing)})."
        )


ADVICE = (
    "  Debian, Ubuntu: apt install gcc python3-dev     Fedora: dnf install gcc python3-devel\n"
    "  macOS: xcode-select --install\n"
    "Or set PAWNSTAR_PURE=1 to install plain Python, which plays the same moves a hundred times slower."
)


def require_compiler() -> None:
    """Stop with advice where the C compiler or Python's headers are missing, not in the middle of the build."""
    if os.name == "nt":
        # Headers come with Python; setuptools finds MSVC through the registry and says clearly when it is missing.
        return
    words = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    compiler = words[0] if words else "cc"
    if shutil.which(compiler) is None:
        sys.exit(f"pawnstar: no C compiler found (looked for '{compiler}').\n{ADVICE}")
    # Where setuptools looks. Distributions split the headers between the two folders, or have one.
    folders = list(dict.fromkeys(sysconfig.get_path(name) for name in ("include", "platinclude")))
    if not any(os.path.isfile(os.path.join(folder, "Python.h")) for folder in folders):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"pawnstar: the C headers of Python {version} are missing "
            f"(looked for Python.h in {' and '.join(folders)}).\n"
            f"  For a Python {version} that is not the system's own: python{version}-dev, or the like.\n{ADVICE}"
        )


def compile_arguments() -> list[str]:
    """C compiler flags; docs/mypyc.md says what those that are not obvious bring."""
    march = os.environ.get("PAWNSTAR_MARCH", "native").strip()
    if os.name == "nt":
        # MSVC wraps and does not contract by default, and it has names for few levels.
        return ["/O2", "/arch:AVX2"] if march == "x86-64-v3" else ["/O2"]
    arguments = [
        "-O3",
        # mypyc emits plain signed arithmetic; hashing and accumulators rely on two's complement wrapping.
        "-fwrapv",
        # Without these two, calls inside the module go through the PLT and are never inlined.
        "-fno-semantic-interposition",
        "-fvisibility=hidden",
        # No fused multiply-add: floating-point results are the same on every processor.
        "-ffp-contract=off",
    ]
    if march:
        arguments.append(f"-march={march}")
    if sys.platform == "darwin" and platform.machine() == "arm64" and march == "native":
        arguments.remove("-march=native")
        arguments.append("-mcpu=native")
    return arguments


def extensions() -> list[Extension]:
    """The extension modules, or none for a plain Python installation."""
    if flag("PAWNSTAR_PURE", "0") or DESCRIBING.intersection(sys.argv[1:]):
        return []
    require_compiler()
    from mypyc.build import mypycify

    # The compiler needs no numpy, only this much of its types; mypy run by itself sees the real ones.
    os.environ["MYPYPATH"] = os.path.abspath("stubs")
    debugx = "--always-true=DEBUGX" if flag("PAWNSTAR_DEBUGX", "1") else "--always-false=DEBUGX"
    # silent: type checkers see the API through pawnstar/__init__.py, but it is not compiled and needs the real numpy.
    options = ["--strict", "--follow-imports=silent", "--always-true=COMPILED", debugx]
    modules: list[Any] = []
    # A group is one C file, within which calls are C calls. The two engines share no code, so each is a group.
    for group, sources in compiled_sources().items():
        modules += mypycify([*options, *sources], opt_level="3", debug_level="0", group_name=group)
    for module in modules:
        module.extra_compile_args = [*module.extra_compile_args, *compile_arguments()]
    return modules


class BuildWithData(build_py):
    """Copies the shipped net and book into the package, so that the installed command needs no file beside it."""

    def run(self) -> None:
        """Build as usual, then add the data files."""
        super().run()
        if self.editable_mode:
            return  # a source tree finds them in its root
        target = os.path.join(self.build_lib, "pawnstar", "data")
        self.mkpath(target)
        for name in DATA:
            self.copy_file(name, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Name the data files too, for tools that list what a build made."""
        outputs: list[str] = super().get_outputs(include_bytecode)
        target = os.path.join(self.build_lib, "pawnstar", "data")
        return outputs + [os.path.join(target, os.path.basename(name)) for name in DATA]


class BuildExtensions(build_ext):
    """Compiles, and dates what an in-place build leaves beside the sources.

    After an edit that changes no C code (a comment) setuptools keeps the old file with its old date, and the package
    would go on warning that it is stale (``pawnstar/freshness.py``).
    """

    def run(self) -> None:
        """Build as usual; in place, the compiled files are as new as the sources they were checked against."""
        super().run()
        if self.inplace:
            suffix = sysconfig.get_config_var("EXT_SUFFIX")
            for path in glob.glob(f"*{suffix}") + glob.glob(f"pawnstar/**/*{suffix}", recursive=True):
                os.utime(path)


# MAJOR.MINOR, for sources that no tag reaches. Its home is the package, which may be copied without this file.
MARK: str = runpy.run_path(os.path.join("pawnstar", "version.py"))["MARK"]

# Annotated tags only (no --tags), and not those that a release makes.
DESCRIBE = "git describe --dirty --long --match v*.* --exclude v*.*.*"


def mark_and_distance(version: ScmVersion) -> str:
    """``MAJOR.MINOR.BUILD``: the nearest annotated tag ``vMAJOR.MINOR`` and the number of commits since.

    Without such a tag it is the mark alone: a clone may lack the tags, a shallow one the commits to count.
    """
    # Asked again, because setuptools-scm counts all commits and from the fallback version where it finds no tag.
    if subprocess.run(shlex.split(DESCRIBE), capture_output=True, check=False).returncode != 0:
        return MARK
    return f"{version.tag}.{version.distance or 0}"


SCM: dict[str, Any] = {
    "version_scheme": mark_and_distance,
    "local_scheme": "no-local-version",
    "fallback_version": MARK,
    "tag_regex": r"^v(?P<version>\d+\.\d+)$",
    "git_describe_command": DESCRIBE,
}

if not DESCRIBING.intersection(sys.argv[1:]) or "sdist" in sys.argv[1:]:
    require_data()
setup(ext_modules=extensions(), cmdclass={"build_py": BuildWithData, "build_ext": BuildExtensions}, use_scm_version=SCM)
