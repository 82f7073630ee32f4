"""Files that are made when they are asked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from gm.core.files import Files, gathered, pieces_of
from gm.store.disk import build_folder


def test_a_file_is_made_when_it_is_asked_for_and_not_kept() -> None:
    made: list[str] = []

    def page(name: str) -> bytes:
        made.append(name)
        return f"page {name}".encode()

    files = Files({"a": partial(page, "a"), "b": partial(page, "b"), "c": b"as it is"})
    more = files.and_then({"d": b"another"}).and_then(Files({"e": partial(bytes, 2)}))
    assert list(more) == ["a", "b", "c", "d", "e"]
    assert len(more) == 5
    assert "b" in more
    assert "x" not in more
    assert made == []
    assert more["b"] == b"page b"
    assert more["c"] == b"as it is"
    assert made == ["b"]
    assert dict(more)["a"] == b"page a"
    assert made == ["b", "a", "b"]


def test_a_later_file_takes_the_place_of_an_earlier_one_of_its_name() -> None:
    assert dict(Files({"a": "1", "b": "2"}).and_then({"a": "3"})) == {"a": "3", "b": "2"}


def test_a_file_in_pieces_is_their_content_in_one_and_goes_to_the_disk_piece_by_piece(tmp_path: Path) -> None:
    shared = b"s" * 100_000
    files = Files({"a": [b"head ", shared], "b": lambda: [shared, b" end"], "c": b"as it is", "d": []})
    assert files.pieces("a")[1] is shared
    assert pieces_of(files, "b") == [shared, b" end"]
    assert pieces_of({"x": b"plain"}, "x") == [b"plain"]
    assert dict(files) == {"a": b"head " + shared, "b": shared + b" end", "c": b"as it is", "d": b""}
    build_folder(tmp_path / "turn", files)
    assert {each.name: each.read_bytes() for each in (tmp_path / "turn").iterdir()} == dict(files)


@given(st.lists(st.one_of(st.binary(max_size=9), st.integers(65_000, 66_000).map(bytes)), max_size=12))
def test_small_pieces_are_put_together_and_large_ones_left_as_they_are(pieces: list[bytes]) -> None:
    found = gathered(pieces)
    assert b"".join(found) == b"".join(pieces)
    large = [each for each in pieces if len(each) >= 1 << 16]
    assert [each for each in found if any(each is one for one in large)] == large
    assert len(found) <= 2 * len(large) + 1
