"""How Sphinx builds the site: ``tox -e docs`` (warnings are errors), or ``sphinx-build docs docs/_build``."""

from importlib import metadata

project = "Pawnstar"
author = "Jonny Reckless"
project_copyright = "2009-2026, Jonny Reckless"
release = metadata.version("pawnstar")
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc"]
# Pages written with the Markdown that the repository's own viewer shows, plus definition lists and links to headings.
myst_enable_extensions = ["deflist", "fieldlist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

# The API page shows what pawnstar.__all__ names, in that order.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"show-inheritance": False}
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"Pawnstar {release}"
html_static_path: list[str] = []
