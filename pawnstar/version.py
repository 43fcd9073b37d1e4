"""The version: a mark written by hand, and the commits since, which the build counts from git's tags.

The mark stands here, so that a clone without tags, an archive without git and a copy of the package have a version too.
``setup.py`` reads it from this file; ``ci/release_check.py`` refuses a release whose tag says something else.
"""

from importlib import metadata
from typing import Final

# MAJOR.MINOR: raised in the commit that gets the annotated tag vMAJOR.MINOR, or before it.
MARK: Final = "1.0"


def version() -> str:
    """``MAJOR.MINOR.BUILD``, from the metadata that the build wrote.

    ``MAJOR.MINOR`` where the package was never built, or where the build had no tag to count from.
    """
    try:
        return metadata.version("pawnstar")
    except metadata.PackageNotFoundError:
        return MARK
