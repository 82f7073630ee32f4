"""Files that are made when they are asked for."""

from __future__ import annotations

from functools import partial

from gm.kernel.files import Files


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
