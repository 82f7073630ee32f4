"""What is asked of a game after anything went wrong: it is before or after the command, says so, and goes
on.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from tests.commands import command as type_in
from tests.faults.cache import Cache, Tree, read_tree, write_tree
from tests.faults.commands import (
    EARLY,
    Command,
    base,
    game_in,
    lasting,
    orders_in,
    same_secrets,
    told,
    unfinished,
)
from tests.faults.layer import Fault, Layer, Op, whole

DONE = (
    "it counts, and is finished now",
    "was played; the command was cut short",
    "the command was cut short before it",
)
NOT_DONE = "was not finished: nothing of it counts"
REPLACES = ("receive again",)  # commands whose very purpose is to put a file into the place of an earlier one


@dataclass(frozen=True)
class Trial:
    """A command, a place to try it in, and the state before it and after it when nothing goes wrong.

    ``judged``: whether the command counts in each tree that was judged, by the tree's fingerprint.
    """

    command: Command
    start: Path
    top: Path
    before: Tree
    after: Tree
    code: int
    lines: int
    ops: tuple[Op, ...]
    judged: dict[bytes, bool] = field(default_factory=dict)

    @cached_property
    def counted(self) -> list[Op]:
        return [op for op in self.ops if op.counts]


def run(trial: Trial, fault: Fault = whole) -> tuple[Layer, str, int]:
    """The command once, from the start; what was done, said, and the exit code."""
    clear(trial.top)
    shutil.copytree(trial.start, trial.top, dirs_exist_ok=True)
    return again(trial, fault)


def again(trial: Trial, fault: Fault = whole) -> tuple[Layer, str, int]:
    """The command once more, with things as they are."""
    os.chdir(trial.top / "minsk")
    with same_secrets(), Layer(trial.top, fault).installed() as layer:
        result = type_in(*trial.command.words, code=None)
    return layer, result.output, result.exit_code


def clear(top: Path) -> None:
    """Empty the place."""
    os.chdir("/")
    shutil.rmtree(top, ignore_errors=True)
    top.mkdir()


def trial(command: Command, fresh: Path, room: Path, top: Path) -> Trial:
    """Try the command once, without any fault."""
    top.mkdir(exist_ok=True)
    start = base(command.on, fresh, room)
    empty = Trial(command, start, top, read_tree(start), {}, 0, told(start, command), ())
    layer, output, code = run(empty)
    assert code in (0, 1), output
    judged_trial = replace(empty, after=read_tree(top), code=code, ops=tuple(layer.ops))
    assert lasting(judged_trial.after) != lasting(judged_trial.before) or command.did == "export"
    return judged_trial


# -- what a kill or a power cut leaves -----------------------------------------------------------------------


def remains(trial: Trial, cuts: bool = True) -> Iterator[tuple[int, Tree]]:
    """Everything that a kill before or after each operation, or inside a write, or a power cut then, may
    leave; of what differs only inside a folder that counts for nothing, one. With each, the number of the
    operation.
    """
    cache = _at_start(trial)
    seen: set[object] = set()
    for number, op in enumerate(trial.ops):
        if not op.counts:
            cache.do(op)
            continue
        now = cache.now()
        trees = [now, *cache.after_cuts()] if cuts else [now]
        if op.kind == "write":
            name = str(Path(op.path).relative_to(trial.top))
            trees.append({**now, name: (now[name] or b"")[: op.offset] + op.data[: len(op.data) // 2]})
        for tree in trees:
            mark = _mark(tree)
            if mark not in seen:
                seen.add(mark)
                yield number, tree
        cache.do(op)
    for tree in (cache.now(), *(cache.after_cuts() if cuts else ())):
        assert lasting(tree) == lasting(trial.after), "what the command said does not survive a power cut"


def _at_start(trial: Trial) -> Cache:
    cache = Cache(trial.start)
    cache.top = trial.top
    return cache


def _mark(tree: Tree) -> object:
    """What tells trees apart: all but the inside of what counts for nothing."""
    return frozenset(
        (name, data)
        for name, data in tree.items()
        if ".building/" not in name or name.endswith("/change.json")
    )


# -- the judgement -------------------------------------------------------------------------------------------


def judge(trial: Trial, tree: Tree, place: str, said: str = "") -> bool:
    """Check that the game goes on from ``tree`` as it must; return whether the command counts.

    ``said``: what it printed when an error ended it. Many errors leave the very same tree, from which the
    game goes on once.
    """
    mark = _fingerprint(tree)
    if mark not in trial.judged:
        trial.judged[mark] = _goes_on(trial, tree, place)
    counts = trial.judged[mark]
    if "Nothing was changed." in said:
        assert not counts, f"{place}: the command said that nothing was changed"
    if "all the same" in said:
        assert counts, f"{place}: the command said that it counts"
    return counts


def _fingerprint(tree: Tree) -> bytes:
    mark = hashlib.sha256()
    for name in sorted(tree):
        data = tree[name]
        mark.update(f"{name}\0{'' if data is None else len(data)}\0".encode() + (data or b""))
    return mark.digest()


def _goes_on(trial: Trial, tree: Tree, place: str) -> bool:
    """Check that a game goes on from a tree that a fault left, and return whether the change counts."""
    clear(trial.top)
    write_tree(tree, trial.top)
    if trial.command.name not in REPLACES:
        assert orders_in(trial.before) <= orders_in(tree), f"{place}: an order file is lost"
    counts = _makes(trial, place) if trial.command.target else _changes(trial, tree, place)
    if counts:
        assert told(trial.top, trial.command) == trial.lines + 1, f"{place}: the journal does not agree"
    else:
        assert told(trial.top, trial.command) == trial.lines, f"{place}: the journal does not agree"
        _, output, code = again(trial)
        assert code == trial.code, f"{place}: {output}"
        assert told(trial.top, trial.command) == trial.lines + 1, f"{place}: the journal does not agree"
    end = read_tree(trial.top)
    assert lasting(end) == lasting(trial.after), f"{place}: {_difference(end, trial.after)}"
    assert unfinished(end) == [], place
    return counts


def _changes(trial: Trial, tree: Tree, place: str) -> bool:
    """The same for a command that changes a game: the next command settles it and says which."""
    os.chdir(trial.top / "minsk")
    output = type_in("status", "--at", EARLY).output
    settled = read_tree(trial.top)
    assert unfinished(settled) == [], f"{place}: {output}"
    counts = told(trial.top, trial.command) > trial.lines
    expected = trial.after if counts else trial.before
    assert lasting(settled) == lasting(expected), f"{place}: {_difference(settled, expected)}\n{output}"
    began = [name for name in unfinished(tree) if ".change" in name or "/turns/." in name]
    lines = told_in(tree, trial)
    if counts and lines == trial.lines:
        assert any(word in output for word in DONE), f"{place}: {output}"
    if not counts and began:
        assert NOT_DONE in output, f"{place}: {output}"
    later = type_in("status", "--at", EARLY).output
    assert not any(word in later for word in (*DONE, NOT_DONE)), place
    return counts


def told_in(tree: Tree, trial: Trial) -> int:
    """How often a journal as it was left tells of the command."""
    lines = (tree.get("minsk/journal.jsonl") or b"").split(b"\n")[:-1]
    return sum(f'"did": "{trial.command.did}"'.encode() in line and b"\0" not in line for line in lines)


def _makes(trial: Trial, place: str) -> bool:
    """The same for a command that makes a game: it is there whole, or not at all."""
    game = game_in(trial.top, trial.command)
    os.chdir(trial.top)
    if game.exists() and any(game.iterdir()):
        type_in("status", "--at", EARLY, "--game", game)
        return True
    left = game.with_name(f".{game.name}.building")
    if (left / "game.yaml").exists():
        os.chdir(game.parent)
        assert "was not finished: nothing of it counts" in " ".join(
            type_in("status", code=None).output.split()
        )
    if left.exists():
        os.chdir(trial.top / "minsk")
        with same_secrets():
            output = type_in(*trial.command.words).output
        assert "was not finished before: nothing of it counted" in output, f"{place}: {output}"
        again_ = read_tree(trial.top)
        assert lasting(again_) == lasting(trial.after), f"{place}: {_difference(again_, trial.after)}"
        return True
    return False


def _difference(actual: Tree, expected: Tree) -> str:
    one = lasting(actual)
    other = lasting(expected)
    return (
        "not as it should be: "
        f"{sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))}"
    )
