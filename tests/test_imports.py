"""What may import what: parts only look down, nothing goes in a circle, a game knows no other game."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import networkx as nx
import pytest

from tests.test_structure import nodes, tree

PACKAGE = Path(__file__).resolve().parent.parent / "gm"
MAY_IMPORT = {
    "resources": "",
    "core": "",
    "text": "core resources",
    "store": "core text resources",
    "game": "core text store resources",
    "campaign": "core text store game resources",
    "bots": "core text store game",
    "games": "core text store game resources",
    "story": "core text store game campaign resources",
    "mail": "core text store game campaign resources",
    "site": "core text store game campaign story mail resources",
    "simulation": "core text store game campaign bots games site resources",
    "play": "core text store game campaign bots story resources",
    "desk": "core text store game campaign play resources",
}
"""Which parts each part may import, besides itself; ``cli`` may import all."""


USERS = ("tests", "bench", "examples", "docs", "maps")
"""Folders whose programs import the package."""


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py")) if "_data" not in path.parts}


@cache
def imports() -> nx.DiGraph[str]:
    """Who imports whom, wherever the import stands: at the top, in a function, or for type checking alone."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for name, path in MODULES.items():
        for node in nodes(path):
            graph.add_edges_from(
                (name, other) for other in imported(node) if other in MODULES and other != name
            )
    return graph


def imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if inner in MODULES else node.module
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert [sorted(circle) for circle in nx.strongly_connected_components(imports()) if len(circle) > 1] == []


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_what_is_below_it(part: str) -> None:
    allowed = {part, *MAY_IMPORT[part].split()}
    wrong = []
    for name, other in imports().edges:
        _, own, *rest = [*name.split("."), ""]
        theirs = [*other.split("."), ""][1]
        if own == part and rest and theirs and theirs not in allowed:
            wrong.append(f"{name} imports {other}")
    assert wrong == []


def test_no_game_imports_another() -> None:
    def game(name: str) -> str:
        parts = name.split(".")
        return parts[2] if parts[1:2] == ["games"] and len(parts) > 2 else ""

    assert [
        f"{name} imports {other}"
        for name, other in imports().edges
        if game(name) and game(other) and game(name) != game(other)
    ] == []


def test_mypy_skips_the_packages_of_extras() -> None:
    """``make lint`` finds the same where they are installed and where they are not: CI once failed for
    one.
    """
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    skipped = {module.removesuffix(".*") for module in project["tool"]["mypy"]["overrides"][0]["module"]}
    typed = (
        "anyascii bench click gm idna jinja2 markdown_it markupsafe msgspec pydantic pydantic_core zstandard"
    )
    sources = [*MODULES.values(), *(PACKAGE.parent / "bench").rglob("*.py")]
    used = {name.split(".")[0] for path in sources for node in nodes(path) for name in imported(node)}
    assert used - {*typed.split(), *sys.stdlib_module_names, *skipped} == set()
    assert "PIL" in used


def defined(all_nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that a module's nodes define, import or assign, wherever in the module."""
    names = set[str]()
    for node in all_nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return names


def test_what_slow_tests_and_benchmarks_import_is_there() -> None:
    """A test that runs rarely, or imports within a function, would tell of a renaming too late."""
    lost = []
    for path in sorted(chain.from_iterable((PACKAGE.parent / folder).rglob("*.py") for folder in USERS)):
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module in MODULES:
                there = names_of(node.module)
                lost += [
                    f"{path.name}: {node.module} has no {alias.name}"
                    for alias in node.names
                    if alias.name not in there and f"{node.module}.{alias.name}" not in MODULES
                ]
    assert lost == []


@cache
def names_of(module: str) -> set[str]:
    return defined(ast.walk(tree(MODULES[module])))
