"""Changes by hand and damages of a game's folder, as ``damages.yaml`` lists them."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

Damage = Mapping[str, Any]
CASES: Mapping[str, Mapping[str, Damage]] = YAML(typ="safe").load(Path(__file__).with_suffix(".yaml"))


def damages(group: str) -> pytest.MarkDecorator:
    """The test takes each ``damage`` of a group."""
    cases = CASES[group]
    return pytest.mark.parametrize("damage", cases.values(), ids=list(cases))


def change(path: Path, pattern: str, new: str | None) -> None:
    """Change the first thing in a file that fits a pattern."""

    def put(match: re.Match[str]) -> str:
        if new is None:  # another hash of the same length
            return match[1] + match[2].translate(str.maketrans("0123456789abcdef", "123456789abcdef0"))
        return f"{match[1]}{1 - min(1, int(match[2]))}" if new == "!" else new

    text = path.read_text(encoding="utf-8")
    changed = re.sub(pattern, put, text, count=1)
    assert changed != text, path
    path.write_text(changed, encoding="utf-8")


def cut(path: Path, share: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


def shorten(path: Path, lines: int) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-lines]))


def swap(path: Path, other: str) -> None:
    for old, new in (
        (path, "x"),
        (path.with_name(Path(other).name), path.name),
        (path.with_name("x"), other),
    ):
        old.rename(path.with_name(Path(new).name))


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def inflict(game: Path, damage: Damage) -> str:
    """Do it; returns what is to be said of it."""
    for word, do in {
        "change": change,
        "cut": cut,
        "shorten": shorten,
        "swap": swap,
        "remove": remove,
    }.items():
        if word in damage:
            name, *more = damage[word]
            do(game / name, *more)
    return str(damage["says"])
