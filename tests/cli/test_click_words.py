"""click's own words are in the language of the commands: errors, questions and the frame of ``--help``."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gm.cli.app import gm
from gm.cli.questions import agreed
from gm.cli.speech import speaking
from gm.text.languages import SHARED, translator
from tests.messages import CLICK_PLURALS, help_messages

SAME = ["BOTS:"]
"""Messages that are the same in German."""
OF_PROGRAMMERS = (
    *("Name '", "No options defined", "Could not determine", "Boolean option", "Arguments take exactly"),
    *("DeprecationWarning", "Unknown", "Choice(", "Invalid start character", "%(prog)s", "Takes {nargs}"),
    *("{len_type}", "Couldn't detect Bash", "Shell completion", "Windows error", "{editor}"),
)
"""How messages begin that a mistake in a program brings, or that no command of ours can."""
OF_OTHERS = {
    "Confirm the action without prompting.",
    "Show the version and exit.",
    "Error: invalid input",
    "d",
    "{value!r} does not match the format {format}.",
    "{value!r} is not a valid UUID.",
}
"""Messages of parts of click that no command of ours uses: questions are :mod:`gm.cli.questions`' own."""


def said_by_click() -> Iterator[str]:
    """Yield the messages that click's source puts into its translator."""
    for path in sorted(Path(click.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in {"_", "ngettext"}:
                continue
            if isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value)


def test_every_message_of_click_that_a_user_can_meet_is_translated() -> None:
    german = translator(SHARED, "de")
    messages = {text for text in said_by_click() if not text.startswith(OF_PROGRAMMERS)} - OF_OTHERS
    assert len(messages) > 30
    assert sorted(text for text in messages - CLICK_PLURALS.keys() if german(text) == text) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help"], ["Aufruf: pbem [OPTIONEN] KOMMANDO [ARGUMENTE]...", "Optionen:", "Zeigt diese Hilfe."]),
        (["player", "--help"], ["Kommandos:", "KOMMANDO [ARGUMENTE]..."]),
        (["service", "install", "--help"], ["[Standard: 5]"]),
        (["turn", "--nix"], ["Aufruf: pbem turn [OPTIONEN]", "Fehler: Es gibt keine Option '--nix'"]),
        (["new", "x", "--vacations", "99"], ["'--vacations': 99 liegt nicht im Bereich 0<=x<=52."]),
        (["new", "x", "--vacations", "viel"], ["'viel' ist keine gültige Zahl."]),
        (["check", "nichts.yaml"], ["'nichts.yaml' gibt es nicht."]),
    ],
)
def test_the_frame_of_help_and_wrong_usage_speak_german(words: list[str], said: list[str]) -> None:
    for given, environment in (([*("--language", "de"), *words], {}), (words, {"GM_LANGUAGE": "de"})):
        output = CliRunner().invoke(gm, given, env=environment, prog_name="pbem").output
        assert [text for text in said if text not in output] == []
    assert "Usage: pbem" in CliRunner().invoke(gm, ["--help"], prog_name="pbem").output


@pytest.mark.parametrize(
    ("code", "typed", "asked", "answer"),
    [
        ("en", "y\n", "Really? [y/N]: ", True),
        ("en", "\n", "Really? [y/N]: ", False),
        ("de", "ja\n", "Really? [j/N]: ", True),
        ("de", "vielleicht\nN\n", "Really? [j/N]: ", False),
    ],
)
def test_a_question_is_answered_in_the_language_it_is_asked_in(
    code: str, typed: str, asked: str, *, answer: bool
) -> None:
    @click.command()
    def asking() -> None:
        with speaking(code):
            click.echo(agreed("Really?", default=False))

    output = CliRunner().invoke(asking, input=typed).output
    assert output.startswith(asked)
    assert output.endswith(f"{answer}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--help"],
            ["Jede Woche:", "Spielt den nächsten Zug und schreibt seine Berichte", "den Zug spielen"],
        ),
        (
            ["turn", "--help"],
            ["Der Zug wird ganz geschrieben oder gar nicht.", "Spielt, obwohl Befehle fehlen."],
        ),
        (["player", "--help"], ["Beispiele:", "bis wieder Befehle kommen", "Setzt einen Nachrücker ein."]),
        (["completion", "--help"], ["bash   in ~/.bashrc eintragen:", "fish   einmal aufrufen:"]),
    ],
)
def test_help_is_german_with_its_examples_as_they_stand(words: list[str], said: list[str]) -> None:
    german = CliRunner().invoke(gm, ["--language", "de", *words], prog_name="pbem").output
    assert [text for text in said if text not in german] == []
    english = CliRunner().invoke(gm, words, prog_name="pbem").output
    typed = re.compile(r"^ +(pbem \S.*?)(?: {3}|$)", re.MULTILINE)
    assert typed.findall(german) == typed.findall(english)


def test_each_paragraph_of_every_help_is_translated() -> None:
    german = translator(SHARED, "de")
    texts = {text for text in help_messages(gm) if text}
    assert len(texts) > 400
    assert sorted(text for text in texts if german(text) == text) == SAME
