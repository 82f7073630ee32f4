"""Expected texts, as files and as hashes, are compared and rewritten (37 D15)."""

from pathlib import Path

import pytest

from tests.golden import HASHES, compare_golden, known_hashes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one text that is kept whole and two of which a hash is kept."""
    (tmp_path / "whole.txt").write_text("told\n", encoding="utf-8")
    (tmp_path / HASHES).write_text(f"{'0' * 64}  one.txt\n{'0' * 64}  two.txt\n", encoding="utf-8")
    return tmp_path


def test_another_text_than_the_hash_is_of_fails_and_says_how_to_see_it(folder: Path) -> None:
    with pytest.raises(AssertionError, match="--golden-texts FOLDER"):
        compare_golden(folder / "one.txt", "told\n")


def test_only_the_line_of_the_text_is_rewritten(folder: Path) -> None:
    compare_golden(folder / "one.txt", "told\n", update=True)
    compare_golden(folder / "one.txt", "told\n")
    assert known_hashes(folder)["two.txt"] == "0" * 64
    assert not (folder / "one.txt").exists()
    with pytest.raises(AssertionError, match="is another text"):
        compare_golden(folder / "one.txt", "told \n")


def test_a_whole_text_is_compared_though_there_are_hashes(folder: Path) -> None:
    compare_golden(folder / "whole.txt", "told\n")
    with pytest.raises(AssertionError):
        compare_golden(folder / "whole.txt", "another\n")
    with pytest.raises(AssertionError, match="is missing"):
        compare_golden(folder / "unknown.txt", "told\n")


def test_texts_are_left_in_a_folder_whether_they_are_right_or_not(folder: Path, tmp_path: Path) -> None:
    left = tmp_path / "left" / "here"
    compare_golden(folder / "whole.txt", "told\n", whole=str(left))
    with pytest.raises(AssertionError):
        compare_golden(folder / "one.txt", "changed\n", whole=str(left))
    assert (left / "one.txt").read_text(encoding="utf-8") == "changed\n"
    assert (left / "whole.txt").read_text(encoding="utf-8") == "told\n"
