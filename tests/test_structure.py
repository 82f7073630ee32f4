"""The shape of the program: who may import whom, what the core must not touch, and registries that must
agree.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

from gm.core.yaml.models import load_data
from gm.games.medieval.data.clauses_data import clauses, load_clauses, load_reasons, load_rulings
from gm.games.medieval.orders import model
from gm.games.medieval.orders.grammar import all_words
from gm.games.medieval.orders.model import Order
from gm.games.medieval.pipeline import STAGES
from gm.games.medieval.state.event_log import event_classes
from gm.resources import resource

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "gm"
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)
LONGEST_FILE = 350
EDGE = ("gm/cli/", "gm/mail/")
"""Where the clock and the terminal may be."""
LOADERS = (
    "gm/store",
    "gm/campaign",
    "gm/core/orders/keys.py",
    "gm/core/yaml/models.py",
    "gm/core/yaml/yaml_errors.py",
    "gm/game/base/small_game.py",
    "gm/resources.py",
    "gm/games/medieval/data/rules_data.py",
    "gm/games/medieval/data/map_file.py",
    "gm/games/medieval/data/scenario.py",
    "gm/games/medieval/tables.py",
    "gm/simulation/",
)
"""Where files may be opened, besides the edge."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Where a file imports or calls something, also inside functions."""
    return [node for node in ast.walk(tree(path)) if isinstance(node, ast.Import | ast.ImportFrom | ast.Call)]


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports; ``from a import b`` counts as ``a.b``."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """(name called, call) of every call in a file."""
    for node in nodes(path):
        if isinstance(node, ast.Call):
            yield getattr(node.func, "id", None) or getattr(node.func, "attr", ""), node


def found_in(paths: Iterable[Path], look: Callable[[Path], Iterable[str]]) -> list[str]:
    """What ``look`` finds in these files, each with the file's name: one test for all files, that names
    each fault.
    """
    paths = list(paths)
    assert paths
    return [f"{name_of(path)}: {what}" for path in paths for what in look(path)]


def outside(*places: str) -> list[Path]:
    """The files but those in these places."""
    return [path for path in SOURCES if not name_of(path).startswith(places)]


def test_a_game_imports_no_other_game_and_no_command() -> None:
    def look(path: Path) -> Iterator[str]:
        own = path.relative_to(PACKAGE / "games").parts[0]
        for name in imports(path):
            game = re.match(r"gm\.games\.(\w+)\.", name)
            if name.startswith("gm.cli") or not (own == "__init__.py" or game is None or game[1] == own):
                yield name

    assert found_in([path for path in SOURCES if path.is_relative_to(PACKAGE / "games")], look) == []


def test_clock_chance_and_terminal_stay_at_the_edge() -> None:
    modules = {"random", "time", "secrets", "uuid", "locale", "socket", "urllib", "requests", "smtplib"}
    functions = {"now", "today", "utcnow", "print", "input", "urandom", "getenv"}

    def look(path: Path) -> set[str]:
        return {name.split(".")[0] for name in imports(path)} & modules | {
            name for name, _ in calls(path)
        } & functions

    assert found_in(outside(*EDGE), look) == []


def test_commands_ask_one_clock() -> None:
    """Nobody holds the clock's function under a name of their own: what sets the clock sets it for all."""

    def look(path: Path) -> set[str]:
        return {
            alias.name
            for node in ast.walk(tree(path))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.name == "utc_now"
        }

    assert found_in(SOURCES, look) == []


def test_files_are_opened_only_by_loaders_and_the_store() -> None:
    openers = {
        "open",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "mkdir",
        "unlink",
        "rmtree",
        "rename",
    }
    assert found_in(outside(*EDGE, *LOADERS), lambda path: {name for name, _ in calls(path)} & openers) == []


WRITERS = {
    "write_text",
    "write_bytes",
    "touch",
    "mkdir",
    "unlink",
    "rename",
    "rmtree",
    "rmdir",
    "symlink_to",
    "truncate",
}
OS_WRITERS = {
    "replace",
    "remove",
    "write",
    "link",
    "symlink",
    "fsync",
    "ftruncate",
    "makedirs",
    "copy",
    "copytree",
    "move",
}
NO_GAME = {
    "gm/cli/map.py": "the picture that --out names",
    "gm/cli/table_cache.py": "the user's cache of rules and maps",
    "gm/mail/source.py": "the GM's own mailbox",
    "gm/simulation/": "the folder of a simulation, which is no game's",
}
"""Modules that write elsewhere than into a game's folder, and what."""


def test_a_games_files_are_changed_only_through_the_disk_module() -> None:
    assert found_in(outside("gm/store/disk.py", *NO_GAME), written_around_the_disk_module) == []


def written_around_the_disk_module(path: Path) -> Iterator[str]:
    """The calls in a file that could change something on a disk."""
    for name, call in calls(path):
        owner = (
            call.func.value.id
            if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
            else ""
        )
        modes = [
            node.value
            for node in [*call.args[:2], *(key.value for key in call.keywords)]
            if isinstance(node, ast.Constant)
        ]
        opens = name == "open" and (
            any(isinstance(mode, str) and re.fullmatch(r"[rwaxbt+]*[wax+][rwaxbt+]*", mode) for mode in modes)
            or (owner == "os" and name_of(path) != "gm/store/disk.py")
        )
        if opens or name in WRITERS or (owner in ("os", "shutil") and name in OS_WRITERS):
            yield f"{owner}.{name} in line {call.lineno}"


def test_no_file_holds_more_than_one_can_read() -> None:
    def look(path: Path) -> list[str]:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        return [f"{lines} lines"] if lines > LONGEST_FILE else []

    assert found_in(SOURCES, look) == []


def test_modules_and_public_functions_say_what_they_are_for() -> None:
    def look(path: Path) -> Iterator[str]:
        if path.read_text(encoding="utf-8").strip() and not ast.get_docstring(tree(path)):
            yield "the module has no docstring"
        for node in tree(path).body:
            public = isinstance(node, ast.FunctionDef) or (
                isinstance(node, ast.ClassDef) and node.bases == []
            )
            if isinstance(node, ast.FunctionDef) and "gm_command(" in "".join(
                map(ast.unparse, node.decorator_list)
            ):
                continue  # what a command does is said in templates/help
            if public and not node.name.startswith("_") and not ast.get_docstring(node):
                yield f"{node.name} has no docstring"

    assert found_in(SOURCES, look) == []


def test_docstrings_say_what_their_functions_give_back() -> None:
    own_none = re.compile(r"(?:^|\. )None (?:if|while|for|without|when)\b", re.MULTILINE)

    def yields(function: ast.FunctionDef) -> bool:
        inner = (node for node in ast.walk(function) if isinstance(node, ast.FunctionDef | ast.Lambda))
        nested = {id(node) for other in inner if other is not function for node in ast.walk(other)}
        found = (node for node in ast.walk(function) if isinstance(node, ast.Yield | ast.YieldFrom))
        return any(id(node) not in nested for node in found)

    def look(path: Path) -> Iterator[str]:
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.FunctionDef):
                continue
            words = ast.get_docstring(node) or ""
            if words.startswith("Return ") and yields(node):
                yield f"{node.name} yields and does not return"
            given = ast.unparse(node.returns) if node.returns else ""
            if own_none.search(words) and "None" not in given and "Any" not in given:
                yield f"{node.name} never returns None"

    assert found_in(SOURCES, look) == []


def shipped_texts() -> list[Path]:
    """Every text file of the project that people read or machines run."""
    folders = ("gm", "rules", "maps", "templates", "examples", "tests", "bench", ".ci")
    paths = chain.from_iterable((ROOT / folder).rglob("*") for folder in folders)
    files = [path for path in paths if path.is_file()]
    suffixes = {".py", ".yaml", ".html", ".j2", ".md", ".toml", ".css", ".txt", ""}
    named = [
        ROOT / name for name in ("Makefile", "pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    ]
    return [
        *named,
        *sorted(path for path in files if path.suffix in suffixes and "__pycache__" not in path.parts),
    ]


def test_nothing_names_a_path_of_a_machine_or_a_registry() -> None:
    # written in pieces, or this file would find itself
    forbidden = re.compile(
        "|".join(("/" + "work/", "/" + "home/", "/" + "root/", "index" + "-url", "pypi" + r"\.org"))
    )
    for path in shipped_texts():
        text = path.read_bytes().decode("utf-8", "replace")
        assert not forbidden.search(text), name_of(path)


# -- registries ----------------------------------------------------------------------------------------------


def all_steps() -> list[tuple[str, tuple[str, ...]]]:
    """(name, clauses) of every step of the turn."""
    steps = [step for stage in STAGES for step in (stage.opens, *stage.steps) if step]
    return [(step.name, step.clauses) for step in steps]


def test_every_step_names_clauses_that_exist() -> None:
    assert all_steps()
    assert [name for name, of_step in all_steps() if not of_step or not set(of_step) <= set(clauses())] == []


def test_step_names_are_unique_because_dice_are_labelled_by_them() -> None:
    names = [name for name, _ in all_steps()]
    assert sorted(set(names)) == sorted(names)


def leaf_classes(base: type, module: object) -> list[type]:
    """The classes of a module that derive from ``base`` and from which nothing derives."""
    classes = [
        member for _, member in inspect.getmembers(module, inspect.isclass) if issubclass(member, base)
    ]
    return [
        member
        for member in classes
        if not any(other is not member and issubclass(other, member) for other in classes)
    ]


@pytest.mark.clause("O3", "O4", "O5")
def test_every_kind_of_order_can_be_written_in_a_file() -> None:
    assert {word.order for word in all_words() if word.order} == set(leaf_classes(Order, model))


def test_every_event_has_a_sentence() -> None:
    assert event_classes()
    assert [name for name in event_classes() if name not in sentences()] == []


@cache
def sentences() -> dict[str, object]:
    patterns: dict[str, object] = {}
    for path in sorted(resource("templates", "medieval", "sentences").glob("*.yaml")):
        entries, _ = load_data(path)
        assert not set(entries) & set(patterns), path.name
        patterns |= entries
    return patterns


def test_every_sentence_belongs_to_an_event() -> None:
    assert set(sentences()) <= set(event_classes())


def refused() -> dict[str, set[str]]:
    """Every reason that Python refuses with, and the figures that come with it in every place."""
    figures_of: dict[str, set[str]] = {}
    for path in (PACKAGE / "games" / "medieval").rglob("*.py"):
        for name, call in calls(path):
            which = {"refuse": 0, "Refusal": 0, "unless": 1}.get(name, len(call.args))
            for reason in texts(call.args[which]) if which < len(call.args) else ():
                figures = {keyword.arg or "" for keyword in call.keywords}
                figures_of[reason] = figures_of.get(reason, figures) & figures
    return figures_of


def texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression can be: one, or one of two."""
    if isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.Constant):
        yield str(node.value)


@pytest.mark.clause("O2")
def test_every_reason_has_a_clause_and_a_sentence_and_is_used() -> None:
    reasons = load_reasons()
    assert sorted(set(refused()) - set(reasons)) == []
    assert sorted(set(reasons) - set(refused())) == []
    assert {reason.clause for reason in reasons.values()} <= set(clauses())


@pytest.mark.clause("O2")
def test_every_figure_of_a_reasons_sentence_is_given_wherever_it_is_used() -> None:
    for key, figures in refused().items():
        fields = set(re.findall(r"{(\w+)", load_reasons()[key].says))
        assert fields <= figures, key


def test_every_ruling_belongs_to_a_clause_and_has_a_name_of_its_own() -> None:
    assert {ruling.clause for ruling in load_rulings()} <= set(clauses())
    names = [ruling.id for ruling in load_rulings()]
    assert sorted(set(names)) == sorted(names)


def test_no_clause_is_left_for_later() -> None:
    assert [key for key, clause in load_clauses().items() if clause.later] == []


def test_no_code_is_made_of_text() -> None:
    calls = ((path, node.func) for path in SOURCES for node in nodes(path) if isinstance(node, ast.Call))
    made = {
        name_of(path)
        for path, what in calls
        if isinstance(what, ast.Name) and what.id in ("exec", "eval", "compile")
    }
    assert made == set()
