"""A message stays one wherever it is put into another: text that is made of it loses its translation."""

import ast
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from gm.core.diagnostics import SourceError, message_of, said, says
from gm.core.yaml.models import load_data
from gm.store.trust import IMPORTED_FILE, Command, UnconfirmedError, imported_bytes, require_confirmed
from gm.text.languages import SHARED, translator

PACKAGE = Path(__file__).resolve().parents[2] / "gm"
MAKERS = ("says", "joined", "did_you_mean", "message_of")
"""The functions that return messages."""
NESTED = (ast.FunctionDef, ast.Lambda)


def called(node: ast.AST) -> str:
    """Return the name of the function that a node calls; empty if it calls none."""
    function = getattr(node, "func", None)
    return getattr(function, "id", "") or getattr(function, "attr", "")


def nodes_of(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of the functions in it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, NESTED):
            waiting += ast.iter_child_nodes(node)


def is_message(node: ast.AST, names: set[str]) -> bool:
    """Return whether an expression can be a message or a caught error, also one that ``str`` is called on.

    ``names``: those that stand for one.
    """
    if isinstance(node, ast.IfExp):
        return is_message(node.body, names) or is_message(node.orelse, names)
    if isinstance(node, ast.BoolOp):
        return any(is_message(value, names) for value in node.values)
    if called(node) == "str":
        return any(is_message(argument, names) for argument in node.args)  # type: ignore[attr-defined]
    return called(node) in MAKERS or (isinstance(node, ast.Name) and node.id in names)


def names_in(function: ast.FunctionDef) -> set[str]:
    """Return the names in a function that stand for messages and caught errors."""
    nodes = list(nodes_of(function))
    names = {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
    for node in nodes:
        if isinstance(node, ast.Assign) and is_message(node.value, set()):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def parts_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions of which a node makes text: an f-string, ``join``, ``+``, an error of a text."""
    if isinstance(node, ast.JoinedStr):
        # an error that is told with its type's name is of a library, and its words are nobody's message
        if "__name__" not in ast.unparse(node):
            yield from (part.value for part in node.values if isinstance(part, ast.FormattedValue))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from (node.left, node.right)
    elif isinstance(node, ast.Call) and called(node) == "join" and node.args:
        items = node.args[0]
        yield from getattr(items, "elts", [getattr(items, "elt", items)])
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield from (argument for argument in node.exc.args if called(argument) == "str")


def lost_in(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the places of a function where text is made of a message."""
    names = names_in(function)
    nodes = list(nodes_of(function))
    # what the program was doing when it failed stands in a file for its maintainers
    for_makers = {inner for node in nodes if called(node) == "bug" for inner in ast.walk(node)}
    for node in nodes:
        if node not in for_makers and any(is_message(part, names) for part in parts_of(node)):
            yield node


def lost(source: str) -> list[str]:
    """Return the places of a source where text is made of a message."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    places = chain.from_iterable(lost_in(function) for function in functions)
    return [f"{getattr(node, 'lineno', 0)}: {ast.unparse(node)}" for node in places]


def test_no_text_is_made_of_a_message() -> None:
    """It is put into another by ``says`` or ``joined``, which keep it."""
    paths = sorted(PACKAGE.rglob("*.py"))
    found = [
        f"{path.relative_to(PACKAGE)}:{place}" for path in paths for place in lost(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "raise ValueError(f'{path}: {error}')",
        "raise ValueError(str(error))",
        "hint = did_you_mean(name); raise ValueError(f'no name: {hint or 1}')",
        "return f'{says(\"no name\")}.'",
        "return ', '.join(says('{0}', name) for name in path)",
        "return says('no name') + path",
    ],
)
def test_text_that_is_made_of_a_message_is_found(line: str) -> None:
    source = f"def read(path):\n    try:\n        pass\n    except ValueError as error:\n        {line}\n"
    assert len(lost(source)) == 1


# -- in German -----------------------------------------------------------------------------------------------

german = translator(SHARED, "de")


def test_all_parts_of_a_message_are_in_the_language(tmp_path: Path) -> None:
    """Also the parts of a list in it, each of which is made of two more."""
    (tmp_path / IMPORTED_FILE).write_bytes(imported_bytes())
    hook = Command(says("game.yaml, hook {0}", "news"), says("runs a program"), {"run": "true"})
    bot = Command("players.yaml", says("loads code of a Python module"), {"bot": "a:B"})
    with pytest.raises(UnconfirmedError) as caught:
        require_confirmed(tmp_path, hook, bot)
    assert "machine: game.yaml, hook news (runs a program), players.yaml (loads code of" in str(caught.value)
    assert said(caught.value, german) == (
        "Dieses Spiel kam aus einem Archiv, und du hast nicht bestätigt, was es an diesem Rechner tun würde: "
        "game.yaml, Hook news (startet ein Programm), players.yaml (lädt Code eines Python-Moduls). "
        "'pbem trust' zeigt es vollständig und fragt dich; bis dahin läuft es nicht."
    )


def test_findings_in_an_error_are_in_the_language(tmp_path: Path) -> None:
    """They are told as they are in the language in which the error is told, whatever it is put into."""
    (tmp_path / "game.yaml").write_text("name: [1, 2\n", "utf-8")
    with pytest.raises(SourceError) as caught:
        load_data(tmp_path / "game.yaml")
    error = ValueError(says("{0}: {1}", "game.yaml", message_of(caught.value)))
    assert str(error) == f"game.yaml: {caught.value}"
    assert said(error, german) == f"game.yaml: {said(caught.value, german)}"
    assert said(error, german) != str(error)
