"""Measure how densely Python is written: a row a folder; the exit status is 1 where a limit is passed.

All rates are per 1,000 lines that are neither blank nor comments. Limits stand in pyproject.toml, and only
ever fall:

    [tool.density.limits]              # what every folder has to come to
    [tool.density.folders."gm/mail"]   # a folder's own until then

    python -m tests.density                                       # what `make lint` does
    python -m tests.density --list nested_comprehensions gm/site  # the places
    python -m tests.density --limits                              # today's figures, to lower the limits by
"""

import argparse
import ast
import math
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

CONFIG = Path(__file__).parent.parent / "pyproject.toml"
LINE_LENGTH = 100
UNDOCUMENTED_LINES = 15
MAX_PARAMETERS = 6
MAX_NAMES = 15
MAX_COMPLEXITY = 15
VAGUE_NAMES = frozenset({"each", "found", "told", "shown", "known", "given", "wanted"})
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.ExceptHandler,
    ast.Assert,
    ast.match_case,
)
METRICS = (
    *("statements", "long_lines", "nested_comprehensions", "several_conditionals", "paired_assignments"),
    *("buried_walrus", "vague_names", "undocumented", "flags", "many_parameters", "many_names", "complex"),
)
LIMITED = METRICS[2:8] + METRICS[10:]  # the others are shown only


class Place(NamedTuple):
    """Where something was found."""

    metric: str
    path: Path
    line: int


def findings(source: str) -> Iterator[tuple[str, int]]:
    """Yield (metric, line number) for each finding in a module's text."""
    for number, line in enumerate(source.splitlines(), start=1):
        if len(line) > LINE_LENGTH:
            yield "long_lines", number
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt):
            yield from ((metric, node.lineno) for metric in statement_findings(node))
        elif isinstance(node, COMPREHENSIONS) and loops_inside(node) > 1:
            yield "nested_comprehensions", node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE_NAMES:
            yield "vague_names", node.lineno


def statement_findings(node: ast.stmt) -> Iterator[str]:
    """Yield a metric's name for each finding in a statement, without those of the statements inside it."""
    yield "statements"
    parts = list(
        chain.from_iterable(
            ast.walk(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)
        )
    )
    if sum(isinstance(part, ast.IfExp) for part in parts) > 1:
        yield "several_conditionals"
    test = getattr(node, "test", None)  # plain: `if name := value:`, `while (name := value) > 0:`
    plain = (test, test.left) if isinstance(test, ast.Compare) else (test,)
    yield from ("buried_walrus" for part in parts if isinstance(part, ast.NamedExpr) and part not in plain)
    if isinstance(node, ast.Assign) and is_paired(node.targets[0], node.value):
        yield "paired_assignments"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from function_findings(node)


def is_paired(target: ast.expr, value: ast.expr) -> bool:
    """Return whether an assignment gives several names a value each; a swap does not count."""
    if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
        return False
    values = {ast.unparse(element) for element in value.elts}
    return values.isdisjoint(ast.unparse(element) for element in target.elts)


def function_findings(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """Yield a metric's name for each limit that a function passes, and "flags" for each parameter of type
    bool.
    """
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    parameters = [argument for argument in arguments if argument.arg not in ("self", "cls")]
    yield from ("flags" for parameter in parameters if ast.unparse(parameter).endswith(": bool"))
    names = {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    if len(parameters) > MAX_PARAMETERS:
        yield "many_parameters"
    if len(names) > MAX_NAMES:
        yield "many_names"
    if (node.end_lineno or 0) - node.lineno >= UNDOCUMENTED_LINES and not ast.get_docstring(node):
        yield "undocumented"
    if complexity(node) > MAX_COMPLEXITY:
        yield "complex"


def complexity(function: ast.AST) -> int:
    """Return the number of paths through a function, those inside expressions included (as radon counts)."""
    nodes = list(ast.walk(function))
    operators = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    filters = sum(len(node.ifs) for node in nodes if isinstance(node, ast.comprehension))
    return 1 + operators + filters + sum(isinstance(node, (*BRANCHES, ast.comprehension)) for node in nodes)


def loops_inside(expression: ast.expr) -> int:
    """Return how many `for` an expression has, at any depth."""
    return sum(isinstance(node, ast.comprehension) for node in ast.walk(expression))


def read_sources(folder: Path) -> dict[Path, str]:
    """Return the text of each Python file below a folder, by path."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}


def count_lines(sources: Iterable[str]) -> int:
    """Return how many lines are neither blank nor comments."""
    all_lines = chain.from_iterable(source.splitlines() for source in sources)
    lines = [line.strip() for line in all_lines]
    return sum(bool(line) and not line.startswith("#") for line in lines)


def measured(folder: Path) -> tuple[int, dict[str, float], list[Place]]:
    """Return a folder's lines, its findings per 1,000 of them by metric, and the places."""
    sources = read_sources(folder)
    places = [
        Place(metric, path, line) for path, source in sources.items() for metric, line in findings(source)
    ]
    size = count_lines(sources.values())
    counts = Counter(place.metric for place in places)
    return size, {metric: 1000 * counts[metric] / max(size, 1) for metric in METRICS}, places


def limits_text(rates: dict[str, dict[str, float]]) -> str:
    """Return today's figures as tables of limits, rounded up to a tenth; ``rates``: by folder and metric."""
    lines: list[str] = []
    for folder, row in rates.items():
        lines.append(f'[tool.density.folders."{folder}"]')
        lines += [f"{metric} = {math.ceil(10 * row[metric]) / 10}" for metric in LIMITED]
        lines.append("")
    return "\n".join(lines)


def read_options() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, help="else all that have limits")
    parser.add_argument("--list", choices=METRICS, help="print the places of one metric, too")
    parser.add_argument("--limits", action="store_true", help="print today's figures as limits instead")
    return parser.parse_args()


def main() -> int:
    """Print the table; return 1 if a folder passes a limit."""
    options = read_options()
    config = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["tool"]["density"]
    rows: dict[str, dict[str, float]] = {}
    passed: list[str] = []
    heading = f"{'folder':24}{'lines':>7}" + "".join(f"{metric[:12]:>14}" for metric in METRICS)
    print("" if options.limits else heading)
    for folder in options.folders or map(Path, config["folders"]):
        size, rates, places = measured(folder)
        rows[folder.as_posix()] = rates
        limits = config["limits"] | config["folders"].get(folder.as_posix(), {})
        over = [metric for metric, limit in limits.items() if rates[metric] > limit]
        passed += [
            f"{folder}: {metric} is {rates[metric]:.2f}, the limit {limits[metric]}" for metric in over
        ]
        if options.limits:
            continue
        cells = [f"{rate:>13.1f}{'!' if metric in over else ' '}" for metric, rate in rates.items()]
        print(f"{folder!s:24}{size:>7}" + "".join(cells))
        for place in places:
            if place.metric == options.list:
                print(f"  {place.path}:{place.line}")
    print(limits_text(rows) if options.limits else "\n".join(passed))
    return 0 if options.limits else int(bool(passed))


if __name__ == "__main__":
    sys.exit(main())
