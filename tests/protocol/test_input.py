"""Input: the words of a line. How bytes are cut into lines is tested in ``test_fuzz.py``."""

from pawnstar.protocol.input import split_words


def test_only_ascii_blanks_separate_words() -> None:
    assert split_words(" a\tb\r\x0bc\xa0d\u2003e\x1cf \n") == ["a", "b", "c\xa0d\u2003e\x1cf"]
