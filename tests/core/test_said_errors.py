"""Errors that people meet are messages: the commands say them in the reader's language."""

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.core.test_kept_messages import called, nodes_of

PACKAGE = Path(__file__).resolve().parents[2] / "gm"
TOLD = (
    "game/spec.py",
    "game/values.py",
    "game/base/small_game.py",
    "games/*/spec.py",
    "games/*/odds.py",
    "games/conquestination/asking.py",
    "games/conquestination/generator.py",
    "games/conquest_structures/symmetric.py",
    "games/medieval/analysis/odds/*.py",
    "games/medieval/report/results.py",
    "simulation/*.py",
    "text/layout.py",
)
"""The modules whose errors the commands tell."""
FOR_MAKERS = {
    "simulation/estimates.py: 'no values have no quartiles'",
    "simulation/estimates.py: 'the spread of fewer than two values is unknown'",
    "simulation/folder.py: f'game {number} appears twice'",  # told as a damaged line
    "simulation/playing.py: f\"game {job.number}, after turn {turn}: {'; '.join(broken)}\"",
    "simulation/playing.py: f'game {self.job.number}, {where}: {message}'",
    "game/base/small_game.py: 'this is no table'",  # told as a damaged cache, which is made again
}
"""The errors in them that no message tells: the program's own."""
MAKERS = ("says", "joined", "did_you_mean", "message_of")
"""The functions that return messages."""
GIVING = (ast.Return, ast.Yield)
WORDS = re.compile(r"[a-z]{2}")


class Module:
    """A module, whose functions and names are known."""

    def __init__(self, source: str) -> None:
        self.tree = ast.parse(source)
        nodes = list(ast.walk(self.tree))
        self.functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
        self.by_name = {function.name: function for function in self.functions}

    def bare(self) -> Iterator[ast.expr]:
        """Yield each text that is raised and is no message."""
        for function in self.functions:
            nodes = list(nodes_of(function))
            for node in nodes:
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                    yield from chain.from_iterable(self.texts(text, nodes) for text in node.exc.args)

    def texts(self, text: ast.expr, nodes: list[ast.AST]) -> Iterator[ast.expr]:
        """Yield the texts that an expression stands for and that are no messages.

        ``nodes``: those of the function around it.
        """
        if isinstance(text, ast.Constant | ast.JoinedStr):
            if WORDS.search(ast.unparse(text)):
                yield text
        elif isinstance(text, ast.IfExp):
            yield from chain(self.texts(text.body, nodes), self.texts(text.orelse, nodes))
        elif isinstance(text, ast.BoolOp):
            yield from chain.from_iterable(self.texts(value, nodes) for value in text.values)
        elif isinstance(text, ast.Name):
            yield from self.assigned(text.id, nodes)
        elif called(text) == "next" and isinstance(text, ast.Call):
            yield from self.texts(text.args[0], nodes)
        elif called(text) in ("str", "join"):
            yield text
        elif called(text) not in MAKERS and called(text) in self.by_name:
            inner = list(nodes_of(self.by_name[called(text)]))
            returned = (node.value for node in inner if isinstance(node, GIVING) and node.value)
            yield from chain.from_iterable(self.texts(value, inner) for value in returned)

    def assigned(self, name: str, nodes: list[ast.AST]) -> Iterator[ast.expr]:
        """Yield the texts that a name stands for in a function, and that are no messages."""
        for node in nodes:
            if isinstance(node, ast.Assign) and name in [getattr(to, "id", "") for to in node.targets]:
                others = [other for other in nodes if other is not node]
                yield from self.texts(node.value, others)


def test_what_people_meet_is_raised_as_a_message() -> None:
    """An error's text goes through ``says``, by which it is collected for the catalogues."""
    found = set()
    for path in sorted(chain.from_iterable(PACKAGE.glob(pattern) for pattern in TOLD)):
        place = path.relative_to(PACKAGE)
        found |= {f"{place}: {ast.unparse(text)}" for text in Module(path.read_text("utf-8")).bare()}
    assert found == FOR_MAKERS


@pytest.mark.parametrize(
    "line",
    [
        "raise ValueError('no name')",
        "raise ValueError(f'no name {path}')",
        "raise ValueError(says('no name') if path else 'no name')",
        "why = f'no {path}'; raise ValueError(why)",
        "raise ValueError(why(path))",
        "raise ValueError(', '.join(path))",
        "raise ValueError(next(whys(path), None))",
    ],
)
def test_a_text_that_is_raised_is_found(line: str) -> None:
    helpers = "def why(path):\n    return 'no name'\n\n\ndef whys(path):\n    yield 'no name'\n"
    source = f"{helpers}\n\ndef read(path):\n    {line}\n"
    assert len(list(Module(source).bare())) == 1


def test_a_message_that_is_raised_is_not_found() -> None:
    lines = "pattern = 'no name {0}'; raise ValueError(says(pattern, 'in words'))"
    assert list(Module(f"def read(path):\n    {lines}\n").bare()) == []
