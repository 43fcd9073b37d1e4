"""A warning where compiled modules are older than the sources beside them. Not compiled: it judges what is.

In a source tree that was compiled in place, Python imports the compiled modules, whatever has been edited since. An
installed package has no such problem, and there this costs one look for a file.
"""

import os
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
