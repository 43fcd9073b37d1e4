"""The documentation's pages: their names, their links, and the one that is written from the commands' help."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from nets import ROOT
from programs import environment

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*") if path.suffix in (".md", ".rst") and "_build" not in path.parts)
READ_ON_THEIR_OWN = sorted([*ROOT.glob("*.md"), *ROOT.glob("nnue/*.md"), *PAGES])
# Pages, files and folders that Sphinx itself puts at the top of a site. It writes its own over ours, in silence.
SPHINX_OWN = re.compile(r"search|genindex(-.*)?|py-modindex|.*-modindex|modindex|searchindex|objects|_.*", re.I)


def name(page: Path) -> str:
    return page.relative_to(DOCS).with_suffix("").as_posix()


def test_the_pattern_knows_sphinx_s_own_pages() -> None:
    for taken in ("search", "Search", "genindex", "genindex-A", "modindex", "py-modindex", "searchindex", "_static/x"):
        assert SPHINX_OWN.fullmatch(taken), taken
    for free in ("how-it-searches", "index", "search-engines", "api"):
        assert not SPHINX_OWN.fullmatch(free), free


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_page_has_the_name_of_one_that_sphinx_makes(page: Path) -> None:
    """docs/search.md, "How the search works", was lost: the built site had Sphinx's search page in its place."""
    assert not SPHINX_OWN.fullmatch(name(page))


def test_no_two_pages_have_one_name() -> None:
    """Not even where the file system, or the web server, takes A for a."""
    names = [name(page).lower() for page in PAGES]
    assert sorted(set(names)) == sorted(names)


def anchors(page: Path) -> set[str]:
    """The headings' anchors, as the repository's viewer and MyST make them."""
    found = set()
    contents = page.read_text(encoding="utf-8")
    if included := re.match(r"```\{include\} (\S+)", contents):
        contents = (page.parent / included[1]).read_text(encoding="utf-8")
    for heading in re.findall(r"^#+ (.+)$", contents, re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", READ_ON_THEIR_OWN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """To a file of the tree, and to a heading in it; the repository's viewer does not say when one does not."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        leads = (page.parent / path).resolve() if path else page
        assert leads.exists(), target
        assert not anchor or anchor in anchors(leads), target


def test_every_picture_is_shown() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in READ_ON_THEIR_OWN)
    pictures = list(DOCS.glob("images/*"))
    assert pictures
    for picture in pictures:
        assert f"images/{picture.name}" in text, picture.name


def test_every_page_is_in_the_table_of_contents() -> None:
    """Sphinx only warns of it, and not where a pattern takes all that begin so."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = [
        line for block in re.findall(r"^```\{toctree\}$(.*?)^```$", text, re.S | re.M) for line in block.split("\n")
    ]
    assert sorted(line for line in listed if line and not line.startswith(":")) == sorted(
        name(page) for page in PAGES if page.name != "index.md"
    )


@pytest.mark.parametrize("script", ["write_commands.py", "write_options.py"])
def test_what_is_written_from_help_and_settings_is_current(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "ci" / script), "--check"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("picture", sorted(DOCS.glob("images/*.svg")), ids=lambda picture: picture.stem)
def test_no_text_of_a_picture_begins_with_a_blank(picture: Path) -> None:
    """Programs that are no browsers drop such blanks: the king's drawing in session.svg stood askew."""
    texts = re.findall(r"<text [^>]*textLength[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8"))
    assert texts
    assert [text for text in texts if text.startswith(("&#160;", " ", "\u00a0"))] == []


@pytest.mark.parametrize("page", sorted({*READ_ON_THEIR_OWN}), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_prose_is_at_most_120_columns_wide(page: Path) -> None:
    """Rows of tables cannot be broken, and what a program printed is not."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    wide = [line for line in text.splitlines() if len(line) > 120 and not line.lstrip().startswith("|")]
    assert wide == []
