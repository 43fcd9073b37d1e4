"""The version, from the installed package's metadata; the build takes it from git alone."""

from importlib import metadata


def version() -> str:
    """``MAJOR.MINOR.BUILD``; ``0.0.0`` where the package was never built."""
    try:
        return metadata.version("pawnstar")
    except metadata.PackageNotFoundError:
        return "0.0.0"
