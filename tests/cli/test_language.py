"""Issue 39, item 2: the commands speak one language, chosen by ``--language`` or ``GM_LANGUAGE``.

What the desk runs is said in a language of other letters (:mod:`tests.letters`), so that one that nobody can
translate is found by its letters; what programs read stays English in every language.
"""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import Result

from examples.medieval.demo import mail
from gm.cli.speech import VARIABLE, language, speaking, worded
from gm.core.diagnostics import joined, says
from tests.cli.posting import office_of
from tests.commands import command
from tests.desk.asking import begin
from tests.letters import LANGUAGE, Letters, ours, spoken
from tests.medieval.test_languages import names

TYPED = re.compile(
    r"'pbem [^']*'|--[\w-]+|\bpbem [\w ]+|\S*[/\\]\S*|\S+@\S+.*"
    r"|[\w-]*\.(?:yaml|yml|jsonl?|html|txt)\b|'[^']*'"
    r"|^\s+(?:pbem amend )?(?:gold|owner|troops|status|relation|permission) .*|\b[a-f0-9]{64}\b"
    r"|\b[a-z]+-[a-z]+-\d\d\b|\b[A-Z]{2,}\b|Orders from Anna \(Lithuania\)",
    re.MULTILINE,
)
"""What is typed, and the names of files."""
DATA = {
    "pbem",
    "yaml",
    "king",
    "royalty",
    "commoner",
    "player",
    "schema",
    "owner",
    "handbook",
    "anna",
    "boris",
    "clara",
    "dieter",
}
DATA.add("directory")  # what click calls a kind of place by, before it knows the language
PRINTING = {
    "echo",
    "warn",
    "complain",
    "Failure",
    "Refusal",
    "UsageError",
    "BadParameter",
    "agreed",
    "agree",
    "confirm",
    "prompt",
}
SILENT = re.compile(r"\{[^{}]*\}|\\x1b\[\S*")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example's game before its first turn."""
    return begin(tmp_path / "minsk")


@contextmanager
def other_letters() -> Iterator[None]:
    """Commands can speak the language of other letters, and click with them."""
    modules = ("gm.cli.speech", "gm.cli.requests", "gm.mail.compose", "gm.mail.service")
    with spoken("medieval", *modules), pytest.MonkeyPatch.context() as patch:
        patch.setattr(gettext, "translation", lambda *_, **__: ClickLetters("medieval"))
        yield


class ClickLetters(Letters):
    """The catalogue as click asks for it."""

    def ngettext(self, one: str, many: str, count: int) -> str:
        return self.gettext(one if count == 1 else many)


def heard(result: Result) -> set[str]:
    """Return the words of a command's output that nobody can translate."""
    return ours(TYPED.sub(" ", result.output), names() | DATA)


def week_of(folder: Path) -> Iterator[tuple[object, ...]]:
    """Yield the commands of a week with its mistakes, as the desk runs them."""
    game = ("--game", folder)
    orders = list(mail(1))
    yield "status", *game
    yield "deadline", "show", *game
    yield "deadline", "extend", "--until", "2020-01-01 20:00", *game
    yield "deadline", "extend", "--until", "2035-01-01 20:00", *game
    yield "deadline", "extend", "--grace", *game
    yield "deadline", "extend", *game
    yield "deadline", "move", "nonsense", *game
    yield "deadline", "move", "2034-12-03", "--why", "12", *game
    yield "deadline", "hold", " ", *game
    yield "deadline", "hold", "12", *game
    yield "deadline", "resume", *game
    yield "deadline", "resume", *game
    yield "receive", orders[0], *game
    yield "receive", orders[0], folder / "players.yaml", *game
    yield "turn", *game
    yield "turn", "--missing-ok", *game
    yield "receive", *orders, *game
    yield "turn", *game
    yield "turn", "--dry-run", "--missing-ok", *game
    yield "turn", "--early", *game
    yield "undo", *game
    yield "undo", "--published", *game
    yield "undo", "--unpublished", "--reopen", "12", *game
    yield "amend", *game
    yield "amend", "gold", "LIT", "+12.50", *game
    yield "amend", "gold", "LIT", "+12.50", "--why", "12", *game
    for words in (("gold", "LIT", "x"), ("gold", "LTI", "1"), ("glod", "LIT", "1"), ("gold", "LIT", "-9999")):
        yield "amend", "--why", "12", *game, "--", *words
    for words in (
        ("owner", "Minsk", "POL"),
        ("status", "LIT", "commoner"),
        ("relation", "LIT", "POL", "war"),
    ):
        yield "amend", "--why", "12", *game, "--", *words
    yield "amend", "--take-back", *game
    yield "player", "absent", "LIT", *game
    yield "player", "absent", "LIT", "--until", "3", "--steward", *game
    yield "player", "back", "LIT", *game
    yield "player", "replace", "XXX", "--email", "c@example.org", *game
    yield "player", "replace", "LIT", "--email", "nobody", *game
    yield "player", "replace", "LIT", "--email", "c@example.org", *game
    yield "seat", "LIT", "--name", "LIT", "--email", "d@example.org", *game
    yield "seat", "LIT", "--status", "king", *game
    yield "seat", "LIT", *game
    yield "announce", "-", *game
    yield "mail", "send", *game
    yield "week", *game
    yield "status", *game
    yield "undo", "--published", "--why", "12", *game
    yield "undo", "--reopen", "12", *game
    yield "status", *game
    yield "verify", *game
    yield "verify", "--replay", *game
    for words in (
        (),
        ("LIT",),
        ("LIT", "A1"),
        ("LIT", "gold"),
        ("Minsk",),
        ("Minks",),
        ("luck",),
        ("LIT:99",),
    ):
        yield "why", *words, *game
    yield "turn", "--nonsense", *game
    yield ("trun",)
    yield "deadline", "move", *game
    yield "turn", "--game", folder / "nowhere"
    yield "turn", "--game", folder.parent


@pytest.mark.slow
def test_all_that_the_desk_runs_can_be_translated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GM_EARLY", raising=False)
    lost: dict[str, set[str]] = {}
    with other_letters():
        for words in week_of(folder):
            result = command("--language", LANGUAGE, *words, code=None)
            assert result.output.strip(), words
            if left := heard(result):
                lost[" ".join(map(str, words))] = left
    assert not lost, "\n".join(f"{words}: {sorted(left)}" for words, left in lost.items())


@pytest.mark.slow
def test_a_week_by_mail_can_be_translated(folder: Path) -> None:
    """Letters of all sorts are fetched, sent, returned and refused."""
    command("seat", "LIT", "--email", "anna@example.org", "--game", folder)
    lost: dict[str, set[str]] = {}
    with office_of(folder, command, "--game", str(folder)) as office:
        now = "2026-11-29 09:00"
        office.orders("LIT", now, key="wrong")
        office.orders("LIT", now)
        with other_letters():
            for words in (
                ("mail", "fetch"),
                ("mail", "send"),
                ("mail", "again"),
                ("mail", "outbox", "--all"),
                ("week", "--pretend-now", "2035-01-01 20:00"),
                ("week",),
                ("status",),
            ):
                result = command("--language", LANGUAGE, *words, "--game", folder, code=None)
                if left := heard(result):
                    lost[" ".join(words)] = left
    assert not lost, "\n".join(f"{words}: {sorted(left)}" for words, left in lost.items())


@pytest.mark.parametrize("path", sorted(Path("gm/cli").resolve().glob("*.py")), ids=lambda path: path.stem)
def test_what_a_command_prints_is_a_message(path: Path) -> None:
    """No sentence is printed or raised as it stands: it goes through ``says``, by which it is collected."""
    bare = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        text = node.args[0]
        values = text.values if isinstance(text, ast.JoinedStr) else [text]
        parts = [part.value for part in values if isinstance(part, ast.Constant)]
        said_bare = name in PRINTING and isinstance(text, ast.Constant | ast.JoinedStr)
        if said_bare and re.search(r"[A-Za-z]{2}", TYPED.sub(" ", " ".join(map(str, parts)))):
            bare.append(f"{path.name}:{node.lineno}: {ast.unparse(text)}")
    assert bare == []


FINDING = {"Check", "unless", "Difference", "roll_check", "BrokenFolderError", "Explanation", "ValueError"}
"""What makes a finding of ``pbem verify``, or an answer of ``pbem why``."""
ANSWERING = (
    *(f"campaign/{name}.py" for name in ("verify", "audit", "replay")),
    "game/base/why.py",
    *(f"games/medieval/analysis/why/{name}.py" for name in ("asking", "inquiry", "orders")),
)
FIELDS = {"votes"}
"""Names in data, which a difference tells as they are."""


def findings_in(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts of which a node makes a finding, or which it returns as one."""
    if (
        isinstance(node, ast.Call)
        and (getattr(node.func, "id", "") or getattr(node.func, "attr", "")) in FINDING
    ):
        for argument in node.args:
            yield from argument.elts if isinstance(argument, ast.Tuple) else [argument]
    elif isinstance(node, ast.Return | ast.Yield) and node.value is not None:
        yield node.value


@pytest.mark.parametrize("name", ANSWERING)
def test_what_is_found_in_a_game_is_a_message(name: str) -> None:
    """No finding of ``pbem verify`` and no answer of ``pbem why`` is made of text as it stands."""
    bare = []
    for node in ast.walk(ast.parse((Path("gm") / name).read_text("utf-8"))):
        for text in findings_in(node):
            values = text.values if isinstance(text, ast.JoinedStr) else [text]
            constants = (part.value for part in values if isinstance(part, ast.Constant))
            parts = {part for part in constants if isinstance(part, str)}
            if re.search(r"[A-Za-z]{2}", TYPED.sub(" ", " ".join(parts - FIELDS))):
                bare.append(f"{name}:{node.lineno}: {ast.unparse(text)}")
    assert bare == []


# -- the setting ---------------------------------------------------------------------------------------------


def test_a_command_speaks_the_language_that_it_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the option, or by the environment; English without either, and after it."""
    resume = ("deadline", "resume", "--game", folder)
    assert command(*resume, code=2).output == "Error: The game is not on hold.\n"
    assert command("--language", "de", *resume, code=2).output == "Fehler: Das Spiel ruht nicht.\n"
    assert command(*resume, code=2).output == "Error: The game is not on hold.\n"
    monkeypatch.setenv(VARIABLE, "de")
    assert command(*resume, code=2).output == "Fehler: Das Spiel ruht nicht.\n"
    assert command("--language", "en", *resume, code=2).output == "Error: The game is not on hold.\n"


def test_an_unknown_language_is_refused_with_the_nearest() -> None:
    """In English, for no other language is known yet."""
    said = command("--language", "dee", "status", code=2).output
    assert "'dee' is none of the languages en, de; did you mean 'de'?" in said


@pytest.mark.parametrize(
    ("words", "says_german"),
    [
        (("turn", "--nonsense"), "Es gibt keine Option '--nonsense'."),
        (("trun",), "Es gibt kein Kommando 'trun'. Meintest du 'turn'?"),
        (("deadline", "move"), "Es fehlt ein Argument 'DAY'."),
        (("deadline", "extend", "--hours", "x"), "'x' ist keine gültige Zahl"),
        (("deadline", "resume", "a", "b"), "Unerwartete Argumente (a b)"),
        (("deadline", "resume", "a"), "Unerwartetes Argument (a)"),
        (("player", "reminders", "LIT", "maybe"), "'maybe' ist keines von"),
        (("receive", "no-such-file"), "'no-such-file' gibt es nicht."),
        (("deadline", "move", "soon"), "'soon' ist kein Datum"),
    ],
)
def test_wrong_usage_is_told_in_the_language(words: tuple[str, ...], says_german: str) -> None:
    """What click says of it, too; and in English again afterwards."""
    said = command("--language", "de", *words, code=2).output
    assert says_german in said
    assert "Aufruf: pbem" in said
    assert "Fehler: " in said
    assert "Usage: pbem" in command(*words, code=2).output


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("deadline", "show"),
        ("seat",),
        ("amend",),
        ("deadline", "hold", "a fair"),
        ("turn", "--dry-run", "--missing-ok"),
        ("deadline", "resume"),
    ],
    ids=" ".join,
)
def test_what_programs_read_is_english(folder: Path, words: tuple[str, ...]) -> None:
    english, german = (
        command("--language", code, *words, "--json", "--game", folder, code=None).output
        for code in ("en", "de")
    )
    assert english == german.replace("Fehler: Das Spiel ruht nicht.", "Error: The game is not on hold.")


def test_a_part_of_a_command_speaks_another_language_for_a_while() -> None:
    with speaking("de"):
        assert worded(says("Nothing was done.")) == "Nichts wurde getan."
        assert worded(ValueError(says("Nothing was done."))) == "Nichts wurde getan."
        assert worded(ValueError("as it is")) == "as it is"
    assert worded(says("Nothing was done.")) == "Nothing was done."
    assert language() == "en"


def test_the_hold_after_an_undone_turn_is_told_in_the_game_masters_language(folder: Path) -> None:
    """It stands in game.yaml as a reason that a game master could have written."""
    command("turn", "--missing-ok", "--early", "--game", folder)
    command("--language", "de", "undo", "--published", "--why", "Irrtum", "--game", folder)
    assert "Zug 1 wurde zurückgenommen: Irrtum" in (folder / "game.yaml").read_text("utf-8")


def test_a_new_game_is_told_in_the_masters_language(tmp_path: Path) -> None:
    """From the first answer on, with numbers before their nouns, and so are the mistakes before it."""
    answer = command(
        "--language", "de", "new", tmp_path / "mm", "--player", "LIT=a@example.org", "--at", "2026-01-06"
    )
    assert "Das Spiel mm liegt bereit in" in answer.output
    assert ": 1 Spieler, 4 Reiche." in answer.output
    assert "Die Befehle für Zug 1 sind fällig: Sonntag 2026-01-11 20:00 UTC." in answer.output
    again = command("--language", "de", "new", tmp_path / "mm", code=2)
    assert "gibt es schon, und der Ordner ist nicht leer" in again.output
    unknown = command("--language", "de", "new", tmp_path / "other", "--map", "mink", code=2)
    assert "keine Karte heißt 'mink'; meintest du 'minsk'?" in unknown.output


def test_an_empty_message_is_empty_in_every_language() -> None:
    assert worded(joined([])) == ""
    with speaking("de"):
        assert worded(joined([])) == ""
