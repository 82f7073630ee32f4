"""What is different between drawings, as a page's script applies it and takes it back."""

from collections.abc import Sequence
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.text.frames import ABSENT, LEAP, Change, Node, Pool, differences, parsed, stepping
from tests.examples import examples

CIRCLE = '<circle r="3"/>'
TEXTS = st.sampled_from(["Ulm", "a &amp; b", "7"])
LEAVES = st.sampled_from([CIRCLE, '<circle r="4" fill="red"/>', '<use href="#a"/>', '<use href="#b"/>'])
GROUPS = st.recursive(
    LEAVES | TEXTS.map(lambda text: f"<text>{text}</text>"),
    lambda inside: st.builds(
        lambda name, children: f'<g class="{name}">{"".join(children)}</g>',
        st.sampled_from("xyz"),
        st.lists(inside, max_size=4),
    ),
    max_leaves=12,
)
DRAWINGS = st.lists(GROUPS, max_size=5).map(lambda inside: f'<svg viewBox="0 0 1 1">{"".join(inside)}</svg>')


def tree(node: Node) -> Any:
    """A drawing as a script has it: lists that can be changed, texts as they are read."""
    return (
        [node.tag, dict(node.attributes), [tree(child) for child in node.children]]
        if node.tag
        else unescape(node.source)
    )


def applied(top: Any, changes: Sequence[Change], texts: Sequence[str], *, back: bool = False) -> None:
    """What ``templates/story/stepper.js`` does with a page's drawing."""
    for path, *what in reversed(changes) if back else changes:
        *where, old, new = what
        old, new = (new, old) if back else (old, new)
        node = top
        parent = top
        for index in path:
            parent, node = node, node[2][index]
        if isinstance(new, list):
            holder = parsed(f"<svg>{''.join(texts[text] for text in new)}</svg>")
            node[2][where[0] : where[0] + len(old)] = [tree(child) for child in holder.children]
        elif where:
            node[1] = (
                {**node[1], where[0]: texts[new]}
                if new != ABSENT
                else {k: v for k, v in node[1].items() if k != where[0]}
            )
        else:
            parent[2][path[-1]] = texts[new]


@given(DRAWINGS, DRAWINGS)
@examples(500, 20)
def test_differences_make_one_drawing_out_of_the_other_and_back(one: str, other: str) -> None:
    pool = Pool()
    before = parsed(one)
    after = parsed(other)
    changes = differences(before, after, pool)
    drawing = tree(before)
    applied(drawing, changes, pool.texts)
    assert drawing == tree(after)
    applied(drawing, changes, pool.texts, back=True)
    assert drawing == tree(before)


def test_what_stays_is_not_told_and_each_text_stands_once() -> None:
    def drawn(fill: str, word: str) -> str:
        return f'<svg><g id="a"><path d="M0 0" fill="{fill}"/>{CIRCLE}</g><text>{word}</text></svg>'

    packed = stepping(
        [(drawn("red", "1"), ""), (drawn("blue", "red"), drawn("blue", "red")), (drawn("red", "1"), "")]
    )
    assert packed["texts"] == ["1", "red", "blue"]
    assert packed["steps"] == [
        [[[(1, 0), 0, 1], [(0, 0), "fill", 1, 2]], [[(1, 0), 1, 0], [(0, 0), "fill", 2, 1]]]
    ]
    assert packed["moves"] == [[], [], []]


@given(st.lists(DRAWINGS, min_size=LEAP**2 + 2, max_size=LEAP**2 + 4))
@examples(20, 5)
def test_a_larger_step_is_as_good_as_those_in_it(drawings: list[str]) -> None:
    packed = stepping([(drawing, "") for drawing in drawings])
    assert [len(level_steps) for level_steps in packed["steps"]] == [
        len(drawings) - 1,
        (len(drawings) - 1) // LEAP,
        1,
    ]
    for level, steps in enumerate(packed["steps"]):
        for at, step in enumerate(steps):
            drawing = tree(parsed(drawings[at * LEAP**level]))
            applied(drawing, step, packed["texts"])
            assert drawing == tree(parsed(drawings[(at + 1) * LEAP**level]))


@pytest.mark.parametrize("text", ["", "<g/>", "<svg><g></svg>", "<svg/><svg/>", "</svg>", "<svg>"])
def test_what_is_no_drawing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="drawing"):
        parsed(text)
