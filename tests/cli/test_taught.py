"""What files that people edit teach in their remarks, and what helps show, is read as it stands there
(item 9).
"""

import re
import shlex
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click
import pytest
from ruamel.yaml import YAML

from gm.cli.app import gm as program
from gm.core.yaml.source import read_yaml
from gm.mail.settings import WAYS, load_mail_settings
from gm.store.folder import GameFolder
from tests.cli.conftest import AT, Run

TOP = Path(__file__).parents[2]
DOCUMENTS = [
    *(
        TOP / name
        for name in ("README.md", "CONTRIBUTING.md", "maps/README.md", "examples/clients/README.md")
    ),
    *sorted((TOP / "docs").rglob("*.md")),
]
LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)")
HELPS = sorted((TOP / "templates/help").glob("*.yaml"))
_ENTRY = re.compile(r"(?P<entry> *\w+: )(?P<value>.*?) +# (?P<remark>.*)")
_BRACKETS = re.compile(r"\[.*\]|\{.*\}")
# the single words that a remark offers for an entry
OFFERED = {
    "every": ("14d", "12h", "mon,thu", "none"),
    "early": ("true",),
    "late": ("take", "refuse"),
    "missed": ("0",),
    "policy": ("local forces", "standstill"),
    "open": ("true",),
    "keys": ("false",),
    "short_keys": ("true",),
    "clock": ("14d+1d",),
    "security": ("tls", "starttls", "none"),
    "gate": ("true",),
    "rolls_limit": ("0",),
    "port": ("0",),
}
UNWRITTEN = ("open", "keys", "short_keys", "clock", "port")  # their remark tells what stands there already


def examples_of(text: str) -> Iterator[tuple[str, str, str]]:
    """(line, the same with what its remark offers as its value, the example) of each remark in a settings
    file.
    """
    for line in text.splitlines():
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            continue
        name = entry["entry"].strip(" :")
        remark = entry["remark"]
        words = OFFERED.get(name, ())
        offered = [word for word in words if word in remark or name in UNWRITTEN]
        assert offered == list(words), f"{line}: the remark offers other words than this test tries"
        bracketed = _BRACKETS.search(remark)
        examples = [*offered, *([bracketed[0]] if bracketed else [])]
        for example in examples:
            yield line, f"{entry['entry']}{example}", example


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A game with everything that can stand in its settings, and one with a clock."""
    top = tmp_path_factory.mktemp("taught")
    full = ["--press", "signed", "--press", "public", "--open", "--missed", "3", "--no-keys", "--short-keys"]
    clock = ["--game", "conquest-fields", "--clock", "14d+1d", "--player", "anna@example.org"]
    ways = {"full": [*full, "--player", "LIT=Anna <anna@example.org>"], "clock": clock}
    for name, words in ways.items():
        command = ["new", str(top / name), *words, "--at", AT]
        program.main(command, prog_name="pbem", standalone_mode=False)
    return top / "full", top / "clock"


def test_what_the_remarks_in_game_yaml_teach_is_read(games: tuple[Path, Path]) -> None:
    """item 9: each example put in the place of the value beside it."""
    tried = []
    for game in games:
        text = (game / "game.yaml").read_text(encoding="utf-8")
        for line, changed, example in examples_of(text):
            data = text.replace(line, changed).encode()
            settings = GameFolder(game).planned(settings=data).settings
            assert settings.deadline.of_turn(9), example
            tried.append(example)
    assert '{7: "2026-04-12 22:00"}' in tried
    assert len(set(tried)) >= 12


def test_an_unquoted_time_as_earlier_remarks_taught_it_is_answered_with_what_to_write(
    game: Path, run: Run
) -> None:
    """item 9: games that began with an earlier version still have that remark."""
    path = game / "game.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("extended: {}", "extended: {1: 2026-01-10 22:00}"), encoding="utf-8")
    said = run("deadline", "show", code=2).output
    assert "a date with a time needs straight quotes here" in said
    assert 'write "2026-01-10 22:00"' in said


def test_what_the_remarks_in_players_yaml_teach_is_read(games: tuple[Path, Path]) -> None:
    """item 9: each entry that the head of the file offers, put into a seat's entry."""
    tried = []
    for game in games:
        text = (game / "players.yaml").read_text(encoding="utf-8")
        offered = re.findall(r"^#   (\w+): (\S+(?: \S+)*?) +\((.*)\)$", text, re.MULTILINE)
        for name, value, remark in offered:
            alternatives = re.findall(r"\"[^\"]+\"", remark) if name == "bot" else []
            for choice in [value, *alternatives]:
                without = re.sub(rf"(?m)^(  - .*) {name}: [^,}}]+,", r"\1", text)
                data = without.replace(" secret:", f" {name}: {choice}, secret:", 1).encode()
                first = GameFolder(game).planned(players=data).players.players[0]
                assert str(getattr(first, name)).lower() == choice.strip('"').lower()
                tried.append(name)
    assert {"status", "controller", "since", "bot", "language", "zone", "absent_until", "open"} <= set(tried)


SETUPS = {
    "maildir": "--maildir . --smtp localhost",
    "imap": "--imap imap.example.org --smtp smtp.example.org --user gm@example.org --password-env SECRET",
}


@pytest.mark.parametrize("kind", SETUPS)
def test_what_the_remarks_in_mail_yaml_teach_is_read(kind: str, game: Path, run: Run) -> None:
    """item 9: each example put in the place of the value beside it; a login names each way to a password."""
    run("mail", "setup", "--from", "gm@example.org", *SETUPS[kind].split())
    path = game / "mail.yaml"
    text = path.read_text(encoding="utf-8")
    tried = []
    for line, changed, example in examples_of(text):
        if example == "none" and kind == "imap":
            continue  # only on this machine, as the remark says
        path.write_text(text.replace(line, changed), encoding="utf-8")
        assert load_mail_settings(game)
        tried.append(example)
    assert "[anna@example.org, ben@example.org]" in tried
    for way in WAYS if kind == "imap" else ():
        assert way in text
        path.write_text(text.replace("password_env:", f"{way}:"), encoding="utf-8")
        assert getattr(load_mail_settings(game).inward, way) == "SECRET"


def test_yaml_in_the_documentation_is_read(game: Path) -> None:
    """item 9: and hooks, which are shown for game.yaml, are read there."""
    tried = 0
    for path in DOCUMENTS:
        for block in re.findall(r"^```yaml\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            assert read_yaml(block.encode(), path.name)
            if block.startswith("hooks:"):
                data = (game / "game.yaml").read_text(encoding="utf-8") + block
                assert GameFolder(game).planned(settings=data.encode()).settings.hooks
                tried += 1
    assert tried == 1


def test_links_of_documents_lead_to_files_and_headings() -> None:
    """Issue 38, item 6: in the repository; the site's own build looks at its links."""
    made = {
        "commands.md",
        "clauses.md",
        "handbooks.md",
        "evidence.md",
        "speed.md",
        "strength.md",
        "balance.md",
    }
    tried = 0
    for path in DOCUMENTS:
        for target, heading in LINK.findall(path.read_text("utf-8")):
            place = (path.parent / target).resolve() if target else path
            tried += 1
            if place.parent == TOP / "docs" and place.name in made:
                continue
            assert place.exists(), f"{path.relative_to(TOP)}: {target}"
            headings = re.findall(r"^#+ (.*)$", place.read_text("utf-8"), re.MULTILINE) if heading else ()
            names = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in headings}
            assert heading in names or not heading, f"{path.relative_to(TOP)}: {target}#{heading}"
    assert tried > 60


def test_examples_in_the_remarks_of_rules_and_maps_are_yaml() -> None:
    """item 9: what a GM may copy into the file below."""
    files = [*sorted(TOP.glob("rules/*/*.yaml")), *sorted(TOP.glob("maps/*/*/*.yaml"))]
    tried = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        for remark in re.findall(r"^ *# .*|(?<= )# .*", text, re.MULTILINE):
            for example in re.findall(r"\{[^{}]*:[^{}]*\}", remark):
                assert read_yaml(example.encode(), path.name)
                tried += 1
    assert tried >= 2


def command_lines() -> Iterator[tuple[str, str]]:
    """(help file, command line) of each example in the helps."""
    for path in HELPS:
        for about in YAML(typ="safe").load(path).values():
            text = re.sub(r" \\\n +", " ", about.get("about", ""))
            for line in re.findall(r"^  (pbem .*)$", text, re.MULTILINE):
                yield path.name, re.split(r"  +| && | > | \| ", line)[0]


def document_lines() -> Iterator[tuple[str, str]]:
    """(document, command line) of each line of a block of commands, and of each command in a sentence."""
    for path in DOCUMENTS:
        text = path.read_text("utf-8")
        blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        lines = list(chain.from_iterable(re.sub(r" \\\n +", " ", block).splitlines() for block in blocks))
        spoken = re.findall(
            r"`(pbem [a-z][^`]*)`", re.sub(r"\n *", " ", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))
        )
        for line in (*(line for line in lines if line.startswith("pbem ")), *spoken):
            bare = re.split(r"  +| && | \|\| | ?; | > | \| ", line)[0]
            if "..." not in bare and " COMMAND" not in bare:
                yield path.name, bare


def parsed(line: str) -> None:
    """Let the command read its words, and do nothing."""
    words = shlex.split(line)[1:]
    command: click.Command = program
    parent = click.Context(program, info_name="pbem", help_option_names=["-h", "--help"])
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        command_found = command.get_command(parent, words[0])
        if command_found is None:
            break  # a group that is a command of its own, with words
        command = command_found
        words = words[1:]
    with command.make_context(line, list(words), parent=parent):
        pass


def test_command_lines_in_helps_and_documents_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    """item 9: by the command that they show, whatever files there are."""
    monkeypatch.setattr(click.Path, "convert", lambda self, value, param, ctx: Path(value))
    monkeypatch.setattr(click.File, "convert", lambda self, value, param, ctx: None)
    tried = 0
    for file, line in (*command_lines(), *document_lines()):
        try:
            parsed(line)
        except click.exceptions.Exit:
            pass  # it lists what can be chosen, as '--set help' does
        except click.ClickException as error:
            if file.endswith(".md") and isinstance(error, click.MissingParameter | click.BadOptionUsage):
                continue  # a sentence names a command without its words
            pytest.fail(f"{file}: {line}: {error.format_message()}")
        tried += 1
    assert tried > 200
