"""Warnings where what runs is not what one would think. Not compiled: it judges what is.

In a source tree that was compiled in place, Python imports the compiled modules, whatever has been edited since. In one
that was not, Python imports the plain sources although the compiled package is installed: the working directory comes
first. A compiled package that is installed has neither problem, and there this costs two looks for files.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


class StaleBuildWarning(UserWarning):
    """Compiled modules run although their sources have been edited since."""


def stale_sources(package: str) -> list[str]:
    """The modules of a source tree that are not what runs, sorted: paths from the tree's root.

    They were edited after the compiled files that Python imports in their place were built, or they are gone.
    None where nothing is compiled for this interpreter, and where the package is an installed one.
    """
    root = os.path.dirname(package)
    if not os.path.exists(os.path.join(root, "setup.py")):
        return []
    suffix = EXTENSION_SUFFIXES[0]
    # The code itself, a library for each group of modules; what lies beside the sources only leads there.
    libraries = [name for name in os.listdir(root) if name.endswith(f"__mypyc{suffix}")]
    if not libraries:
        return []
    built = min(os.stat(os.path.join(root, name)).st_mtime for name in libraries)
    found: list[str] = []
    for folder, _, names in os.walk(package):
        for name in names:
            if name.endswith(suffix):
                source = os.path.join(folder, name.removesuffix(suffix) + ".py")
                if not os.path.exists(source) or os.stat(source).st_mtime > built:
                    found.append(os.path.relpath(source, root).replace(os.sep, "/"))
    return sorted(found)


def warn_if_stale() -> None:
    """Issue a ``StaleBuildWarning`` that names the sources, where there are any."""
    stale = stale_sources(_PACKAGE)
    if stale:
        import warnings

        more = f" and {len(stale) - 3} more" if len(stale) > 3 else ""
        warnings.warn(
            f"compiled modules run, but {', '.join(stale[:3])}{more} changed since they were built: "
            "'ci/mode compiled' builds them again, 'ci/mode plain' removes them",
            StaleBuildWarning,
            stacklevel=3,
        )


class HiddenInstallationWarning(UserWarning):
    """Plain sources run although a compiled package is installed: they come first on the path."""


def hidden_installation(package: str) -> str | None:
    """The folder of a compiled package that this plain one hides; None where there is none, or where it is meant.

    ``PYTHONPATH`` says that it is meant: nobody gets into that by standing in a folder.
    """
    module = os.path.join("chess", "bits" + EXTENSION_SUFFIXES[0])
    if os.path.exists(os.path.join(package, module)):
        return None
    root = os.path.realpath(os.path.dirname(package))
    meant = os.environ.get("PYTHONPATH", "") if not sys.flags.ignore_environment else ""
    if any(os.path.realpath(entry) == root for entry in meant.split(os.pathsep) if entry):
        return None
    for entry in sys.path:
        other = os.path.join(entry or os.curdir, "pawnstar")
        if os.path.exists(os.path.join(other, module)):
            return other
    return None


def _is_worker() -> bool:
    """Whether this process was started by ``multiprocessing``, whose owner has warned."""
    process = sys.modules.get("multiprocessing.process")
    return process is not None and process.parent_process() is not None


def warn_if_hiding() -> None:
    """Issue a ``HiddenInstallationWarning`` that names both packages, where plain sources hide a compiled one."""
    hidden = hidden_installation(_PACKAGE)
    if hidden is not None and not _is_worker():
        import warnings

        warnings.warn(
            f"plain Python runs, a hundred times slower, because the sources in {_PACKAGE} hide the compiled package "
            f"in {hidden}: start the command 'pawnstar' or 'python -P', or go to another folder "
            "(PYTHONPATH=. says that the sources are meant)",
            HiddenInstallationWarning,
            stacklevel=3,
        )
