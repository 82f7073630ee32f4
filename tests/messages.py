"""Collect the catalogues of other languages and compile them: ``python -m tests.messages [KEY ...]``.

The messages of a game are its sentences and reasons, the texts of its handbook, clauses and rulings, its
labels (``rules/KEY/labels.yaml``, if there is one), what its Python code and templates put into ``_(...)``,
the titles of its maps, what their provinces are called, and the names of its steps; those of ``game`` are the
core's own. Medieval's templates and scripts are so whole. Babel merges them into
``rules/KEY/locale/LANGUAGE/LC_MESSAGES/messages.po``, for people to translate, and compiles them into the
``messages.mo`` beside it, which the program reads. ``--add LANGUAGE`` begins a new one; ``--check`` only
looks; ``--rename FILE`` changes English sentences and keeps their translations (``tests/renaming.py``).
"""

import ast
import io
import json
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Any

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from gm.campaign.receive import ReceiptStatus
from gm.cli.app import SECTIONS, gm
from gm.cli.helping import localised_help
from gm.core.yaml.models import load_data
from gm.game.base import texts
from gm.game.base.position import CONTROLLERS, PLAYING
from gm.game.base.texts import sentences
from gm.game.base.writer import order_phrases
from gm.game.spec import MAP_FILE
from gm.games import GAMES, game_spec
from gm.games.medieval.advice.grounds import reasons
from gm.games.medieval.analysis.choices_file import titles
from gm.games.medieval.analysis.ledger import SEQUENCE
from gm.games.medieval.analysis.odds.typed import TACTICS
from gm.games.medieval.combat.contingents import ContingentStatus, Role
from gm.games.medieval.data.atlas import Barrier
from gm.games.medieval.handbook import figures, tables
from gm.games.medieval.handbook import texts as handbook
from gm.games.medieval.orders.model import Structure
from gm.games.medieval.report import battle_entries, battle_why, changed, map_marks
from gm.games.medieval.report.files import FIGURE_COLUMNS
from gm.games.medieval.state.realm import Controller, Relation, Status
from gm.games.medieval.state.unit import UnitKind
from gm.mail.outbox import State
from gm.resources import resource
from gm.store.deadlines import WEEKDAYS
from gm.text.languages import SHARED
from gm.text.localised import localised_script, localised_template
from gm.text.pages import SPELLED
from gm.text.words import Sentence, load_reasons, load_sentences
from tests.renaming import forms_of, rename, renamings

ROOT = Path(__file__).resolve().parent.parent
CALL = re.compile(r"""\b(?:_\(\s*"((?:[^"\\]|\\.)*)"\s*\)|phrase\(\s*"((?:[^"\\]|\\.)*)"\s*,)""")
"""A message in a template, as it is or with figures."""
LOCALISED = (".html", ".txt", ".js", ".css")
ENGLISH_ONLY = (
    "handbook.html",
    "battle.txt",
    "diff.txt",
    "luck.txt",
    "place.txt",
    "present.txt",
    "settings.yaml.txt",
)
"""Answers about a turn, settings, and what marks its messages itself."""
CAUSES = (
    *(
        "killed",
        "captured",
        "lost",
        "independent",
        "corrected",
        "disbanded",
        "dismissed",
        "given",
        "received",
    ),
    *("overboard", "recruited", "hired", "unpaid", "scuttled"),
)
"""How troops come and go (TroopsChanged)."""
CALLED = {"_": 0, "translate": 0, "says": 0, "_said": 0, "phrase": 0, "told": 0, "fill_pattern": 0, "line": 1}
CALLED |= {"Correction": 0, "_tell": 0, "worded": 0}
"""The functions that translate, or whose words are translated, with the place of the message among their
arguments."""
KINDS = {"NameIndex": 0, "named": 3, "the_one": 2, "whole": 1, "Format": 0, "centre": 3}
"""The functions that get the noun of a kind, with its place among their arguments."""
_NAMES = ("no {} is called {{0}}", "the name of a {}")
OF_KINDS = {
    "NameIndex": _NAMES,
    "named": _NAMES,
    "the_one": _NAMES[:1],
    "Format": ("a {}",),
    "centre": _NAMES[:1],
    "whole": ("{{0}} is no {}: it goes from {{1}} to {{2}}",),
}
"""What these functions say of the kind."""
STANDINGS = ("status", "controller", "name", "email", "bot", "key", "person", "realm", "player", "gold")
"""What the tables of a game call the properties of a seat."""
WAITING = (
    *State,
    "out",
    "standing",
    "in",
    "steward",
    "unreadable",
    "turn",
    "orders",
    "deadline",
    "left",
    "over",
    "in time",
    "not asked",
)
"""How letters and the orders of seats stand, and the heads of the table of games."""
CLICK = (
    *("Error: {message}", "Usage:", "Try '{command} {option}' for help.", "Missing command.", "Aborted!"),
    *("Invalid value: {message}", "Invalid value for {param_hint}: {message}", "No such option {name!r}."),
    *("Missing argument", "Missing option", "Missing parameter", "Missing parameter: {param_name}"),
    *("Choose from:\n\t{choices}", "{value!r} is not a valid {number_type}."),
    *("{value} is not in the range {range}.", "{name} {filename!r} does not exist.", "unknown error"),
    *("{name} {filename!r} is a file.", "{name} {filename!r} is a directory."),
    *("{name} {filename!r} is not readable.", "{name} {filename!r} is not writable."),
    *("Could not open file {filename!r}: {message}", "Option {name!r} does not take a value."),
    *("Argument {name!r} takes {nargs} values.", "No such command {name!r}.", "Missing {param_type}"),
    *("{name} {filename!r} is not executable.", "file", "directory", "path", "deprecated", "(dynamic)"),
    *("Options", "Commands", "Positional arguments", "default: {default}", "env var: {var}", "required"),
    *(
        "[OPTIONS]",
        "COMMAND [ARGS]...",
        "[COMMAND] [ARGS]...",
        "INTEGER",
        "INTEGER RANGE",
        "Show this message and exit.",
    ),
    *("Repeat for confirmation", "Error: The two entered values do not match."),
    *("Value must be an iterable.", "Press any key to continue...", "Do you want to continue?"),
    "{value!r} is not a valid boolean. Recognized values: {states}",
)
"""What click says of wrong input, in its own words."""
CLICK_PLURALS = {
    "Did you mean {possibility}?": "(Did you mean one of: {possibilities}?)",
    "{value!r} is not {choice}.": "{value!r} is not one of {choices}.",
    "Option {name!r} requires an argument.": "Option {name!r} requires {nargs} arguments.",
    "Got unexpected extra argument ({args})": "Got unexpected extra arguments ({args})",
}
"""Its sentences with another form for several."""
FATES = ("done", "reduced", "failed", "skipped")
FIXED = (
    PLAYING,
    *CONTROLLERS,
    *FATES,
    "Before the turn",
    "The end",
    "the start",
    "and",
    "none",
    "error",
    "warning",
)
FIXED += (
    *map(str.capitalize, WEEKDAYS),
    "input should be a valid string",
    "input should be a valid integer, unable to parse string as an integer",
    "input should be a valid integer, got a number with a fractional part",
    "input should be a valid integer",
    "input should be a valid list",
    "input should be a valid tuple",
    "input should be a valid dictionary",
    "input should be a valid date",
    "input should be a valid date or datetime, input is too short",
    "input should be a valid date or datetime, invalid character in year",
    "input should be a valid number, unable to parse string as a number",
    "Skip to the content",
    "run {number}",
)
FIXED += ("the text of your mail", "the web page in your mail", *SPELLED, "one {noun}")
AMBIGUOUS = {"free"}
"""What a game says in another sense than the core: its own catalogue has it, too."""


@cache
def messages(key: str) -> tuple[str, ...]:
    """Every message of a game, or of the shared pages, each once, sorted."""
    texts = {*_shared()} if key == SHARED else {*_own(key)} - ({*messages(SHARED)} - AMBIGUOUS)
    return tuple(sorted(text for text in texts if text))


def help_messages(command: click.Command) -> Iterator[str]:
    """Yield the English messages in the help of a command and of those below it."""
    messages: list[str] = []

    def keep(text: str) -> str:
        """Keep a message in place of translating it."""
        messages.append(text)
        return text

    if hasattr(command, "explain"):  # a command that reads its help when it is needed
        command.explain()
    for text in (command.help, command.epilog):
        localised_help(text or "", keep)
    yield from (*messages, command.short_help or "")
    yield from (getattr(parameter, "help", None) or "" for parameter in command.params)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from help_messages(below)


def messages_of(source: str, name: str) -> Iterator[str]:
    """Yield every message of a template or script. ``name``: its file, whose ending says what it is."""
    messages: list[str] = []

    # stands in for the translator, which is called with each message
    def keep(message: str) -> str:
        messages.append(message)
        return message

    if name.endswith((".js", ".css")):
        localised_script(source, keep)
    else:
        localised_template(source, name, keep)
    yield from messages


def _of_herald(key: str) -> Iterator[str]:
    """What the Herald of a game says."""
    herald = load_data(resource("templates", key, "herald.yaml"))[0]
    yield herald.get("noun", "")
    slots = chain.from_iterable((kind.get("head", ()), *kind["tells"]) for kind in herald["kinds"].values())
    yield from (leaf for slot in slots for form in slot for leaf in leaves(form))


def _shared() -> Iterator[str]:
    """Yield the messages of what all games share: sentences, lessons, pages, mail and the parts' code."""
    yield from FIXED
    yield from _of_herald(SHARED)
    yield from chain.from_iterable(
        leaves(sentence) for sentence in load_sentences("templates", "game", "sentences").values()
    )
    lessons = load_data(resource("templates", "play", "practice.yaml"))[0]["lessons"]
    yield from (" ".join(lesson[name].split()) for lesson, name in product(lessons, ("title", "goal", "why")))
    tasks = chain.from_iterable(lesson["tasks"] for lesson in lessons)
    yield from (" ".join(task["say"].split()) for task in tasks)
    pages = chain.from_iterable(resource("templates", folder).iterdir() for folder in ("play", "desk"))
    for path in sorted(page for page in pages if page.suffix in LOCALISED):
        yield from _called(path)
        yield from messages_of(path.read_text("utf-8"), path.name)
    for path in sorted(resource("templates", "site").iterdir()):
        yield from _called(path)
        yield from messages_of(path.read_text("utf-8"), path.name) if path.suffix == ".html" else ()
    parts = ("core", "game", "campaign", "store", "story", "play", "desk", "site", "bots", "cli")
    yield from _in_code(ROOT / "gm" / "simulation", ("says",))
    yield from chain.from_iterable(_in_code(ROOT / "gm" / part) for part in parts)
    yield from _in_code(ROOT / "gm" / "text" / "names.py")
    yield from _in_code(ROOT / "gm" / "text" / "layout.py")
    yield from _in_code(ROOT / "gm" / "games" / "__init__.py")
    yield from _in_code(ROOT / "gm" / "mail", ("says",))  # a line there is one of a letter that comes in
    yield from (*STANDINGS, *ReceiptStatus, *WAITING, *CLICK, *CLICK_PLURALS)
    mail = resource("templates", "mail")
    for path in sorted(
        path for path in mail.iterdir() if path.suffix in LOCALISED and path.name not in ENGLISH_ONLY
    ):
        yield from messages_of(path.read_text("utf-8"), path.name)
    for path in sorted(mail.iterdir()):
        yield from _called(path)
    yield from (" ".join(text.split()) for text in load_data(mail / "advice.yaml")[0].values())
    yield from (part["words"] for part in load_data(mail / "parts.yaml")[0].values())
    words = json.loads((ROOT / "gm" / "core" / "yaml" / "complaints.json").read_bytes())
    yield from (row[4] for row in words["complaints"])
    yield from chain.from_iterable(row[3:] for row in words["slips"])
    folders = ("game", "story", "cli")
    yield from chain.from_iterable(_in_templates(resource("templates", name)) for name in folders)
    yield from (*SECTIONS, *(short for section in SECTIONS.values() for _, short in section.values()))
    yield from help_messages(gm)


def _own(key: str) -> Iterator[str]:
    """Yield the messages that a game has for itself: those that it does not share with all games."""
    yield from order_phrases(key).values()
    if key == "medieval":
        yield from _of_medieval()
        return
    spec: Any = game_spec(key)
    shared = load_sentences("templates", "game", "sentences")
    for name, sentence in sentences(key).items():
        if shared.get(name) != sentence:
            yield from leaves(sentence)
    yield from _of_rules(key)
    guide = texts.guide(key)
    yield from (guide.summary, *chain.from_iterable((part.title, part.text) for part in guide.parts))
    yield from spec.words.settings.values()
    yield from spec.step_titles().values()
    for name, folder in spec.maps().items():
        board = spec.read_board(folder / MAP_FILE, name)
        yield from (board.title, *(province.name for province in getattr(board, "provinces", {}).values()))
    yield from _in_code(ROOT / "gm" / "games" / key.replace("-", "_"))
    yield from _in_templates(resource("templates", key))
    yield from _of_herald(key)
    yield from _words_of(spec)
    labels = resource("rules", key) / "labels.yaml"
    if labels.is_file():
        yield from map(str, load_data(labels)[0].values())


def _of_medieval() -> Iterator[str]:
    """Yield the messages of Medieval Diplomacy: rules, handbook, sentences, herald, code and pages."""
    table = game_spec("medieval").shipped_table("minsk")
    rules = table.rules
    board = table.board
    yield from _words_of(game_spec("medieval"))
    yield from _of_rules("medieval")
    yield from _of_handbook()
    yield from (*tables.soldier_groups(rules), *tables.ship_groups(rules), *rules.statuses)
    yield from (*rules.seasons, *figures.WORDS, *figures.PARTS.values())
    yield from (region.title() for region in rules.recruits)
    yield from (name for name, *_ in tables.structure_rows(rules))
    yield from (troop.kind.value for troop in rules.troops.values())
    yield from (city.region for city in tables.city_rows(board, rules))
    yield from titles().values()
    yield from reasons().values()
    yield from (*Role, *ContingentStatus, *Relation, *Controller, *Barrier, "strait", "at war", *TACTICS)
    yield from (*CAUSES, *SEQUENCE, "decay", *FIGURE_COLUMNS)
    for folder in ("sentences", "story"):
        patterns = load_sentences("templates", "medieval", folder).values()
        yield from chain.from_iterable(leaves(pattern) for pattern in patterns)
    yield from _of_herald("medieval")
    yield from _words_of_medieval()
    yield from _in_code(ROOT / "gm" / "games" / "medieval")
    pages = resource("templates", "medieval")
    yield from _in_templates(pages)
    for path in sorted(path for path in pages.rglob("*.*") if path.suffix in LOCALISED):
        if path.parent.name != "handbook" and path.name not in ENGLISH_ONLY:
            yield from messages_of(path.read_text("utf-8"), path.name)


def _of_handbook() -> Iterator[str]:
    """Yield what stands in the handbook of Medieval Diplomacy."""
    for name in handbook.GUIDES:
        guide = handbook.guide(name)
        yield from (guide.title, guide.lead)
        for part in guide.parts:
            yield from (part.title, part.text, part.after)
            if part.table:
                yield from (part.table.caption, *part.table.head, *chain.from_iterable(part.table.rows))
    lesson = handbook.tutorial()
    yield lesson.lead
    yield from chain.from_iterable((step.title, step.text, step.after) for step in lesson.steps)
    for topic in handbook.topics():
        yield topic.title
        yield from chain.from_iterable((question.asks, question.answer) for question in topic.questions)
    yield from chain.from_iterable((term.term, term.says) for term in handbook.terms())
    for stage in tables.order_of_events():
        yield stage.title
        yield from chain.from_iterable((row.title, row.remark) for row in stage.steps)
    for title, rows in tables.word_sections().values():
        yield title
        yield from chain.from_iterable((word.says, *who, example.note) for word, who, example in rows)


def _of_rules(key: str) -> Iterator[str]:
    """The clauses of a game with all that is said of them."""
    yield from (clause.title for clause in texts.clauses(key).values())
    yield from texts.clause_texts(key).values()
    yield from (ruling.ruling for ruling in texts.rulings(key))
    yield from chain.from_iterable((chapter.title, chapter.about) for chapter in texts.chapters(key))
    yield from (reason.says for reason in load_reasons(key).values())


def _words_of_medieval() -> Iterator[str]:
    """What stands in tables of the program and in its data, and is said as it is or in a sentence."""
    yield from (*battle_entries.KIND_WORDS.values(), *battle_entries.LUCKY, *battle_entries.UNLUCKY)
    yield from (words for _, words, _ in battle_why.TERRAIN)
    yield from (*changed.RIGHTS.values(), *changed.ASTRAY, *battle_entries.TOLD)
    for _, _, title, _, by_us, by_them in changed.RELATIONS:
        yield from (title, title.lower(), by_us, by_them)
    yield from (words for _, words in map_marks.BARRIERS.values())
    spec = game_spec("medieval")
    table = spec.shipped_table("europe-1320")
    standing = spec.figures(table, spec.start(table, spec.maps()["europe-1320"], None))
    yield from (name.capitalize() for name in next(iter(standing.values())))
    yield from (words for _, _, words in map_marks.land_legend(table.board))
    yield from (fortification.name for fortification in table.rules.fortifications)
    yield from map_marks.ARROWS.values()
    boards = [spec.shipped_table(name).board for name in spec.maps()]
    seats = chain.from_iterable(board.realms.values() for board in boards)
    yield from (seat.adjective for seat in seats)
    yield from (member.value for member in chain(Status, Structure))
    yield from (kind.name.lower() for kind in UnitKind)


def _words_of(spec: Any) -> tuple[str, ...]:
    """What letters say of a game, and the figures on its public page."""
    words = spec.words.silence, spec.words.report, spec.words.empty_file, spec.words.lesson
    table = spec.shipped_table(spec.default_map)
    rows = spec.figures(table, spec.start(table, spec.maps()[spec.default_map], None)).values()
    figures = next(iter(rows))
    return *words, *figures, *(name.capitalize() for name in figures)


def leaves(sentence: Sentence) -> Iterator[str]:
    """The sentences among variants."""
    if isinstance(sentence, str):
        yield sentence
    else:
        yield from chain.from_iterable(leaves(variant) for name, variant in sentence.items() if name != "by")


def _in_code(folder: Path, functions: Collection[str] = CALLED) -> Iterator[str]:
    """Yield the texts in calls of ``_``, ``translate`` and ``says`` in Python code, also by a name for them.

    The messages about each kind of name that order files may hold are among them.
    """
    for path in sorted(folder.rglob("*.py")) or [folder]:
        tree = ast.parse(path.read_text("utf-8"))
        named: dict[str, list[ast.expr]] = {}
        for assignment in (node for node in ast.walk(tree) if isinstance(node, ast.Assign)):
            named.setdefault(getattr(assignment.targets[0], "id", ""), []).append(assignment.value)
        for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
            yield from _in_call(node, named, functions)


def _in_call(
    node: ast.Call, named: Mapping[str, list[ast.expr]], functions: Collection[str]
) -> Iterator[str]:
    """Yield what one call says; ``named``: the values of each name of its module."""
    called = getattr(node.func, "id", None) or getattr(node.func, "attr", "")
    at = CALLED[called] if called in functions else len(node.args)
    names = named if called == "says" else {}
    for text in chain.from_iterable(_texts(argument, names) for argument in node.args[at : at + 1]):
        yield text
        if called == "line":  # what is left out is named in small letters
            yield text.lower()
    place = KINDS.get(called, len(node.args))
    for what in filter(None, chain.from_iterable(_texts(node, {}) for node in node.args[place : place + 1])):
        yield from (pattern.format(what) for pattern in OF_KINDS[called])


def _texts(node: ast.expr, named: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, named)
        yield from _texts(node.orelse, named)
    elif isinstance(node, ast.Name):
        others = {name: values for name, values in named.items() if name != node.id}
        yield from chain.from_iterable(_texts(value, others) for value in named.get(node.id, ()))
    elif isinstance(node, ast.JoinedStr) and "party" in ast.unparse(node):
        pattern = "".join(value.value if isinstance(value, ast.Constant) else "{}" for value in node.values)
        yield from map(pattern.format, ("realm", "player"))


def _called(path: Path) -> Iterator[str]:
    yield from (plain or figured for plain, figured in CALL.findall(path.read_text("utf-8")))


def _in_templates(folder: Path) -> Iterator[str]:
    for path in sorted(chain.from_iterable(folder.rglob(f"*.{kind}") for kind in ("html", "svg", "txt"))):
        yield from _called(path)
    for path in sorted(folder.rglob("*.js")):
        yield from messages_of(path.read_text("utf-8"), path.name)


def catalogues(key: str) -> Mapping[str, Path]:
    """The .po files of a game by language."""
    folder = resource("rules") / key / "locale"
    return {path.parent.parent.name: path for path in sorted(folder.glob("*/LC_MESSAGES/messages.po"))}


def updated(path: Path, language: str, texts: tuple[str, ...]) -> Catalog:
    """A catalogue with exactly these messages, and what was translated of them so far."""
    old = (
        read_po(io.BytesIO(path.read_bytes()), locale=language)
        if path.is_file()
        else Catalog(locale=language)
    )
    fresh = Catalog(locale=language, header_comment="# Messages by python -m tests.messages", fuzzy=False)
    for text in texts:
        message = old.get(text)
        plural = CLICK_PLURALS.get(text)
        # braces are filled in by str.format, which is no printf
        fresh.add((text, plural) if plural else text, message.string if message is not None else "", flags=())
    return fresh


def is_translated(message: Message) -> bool:
    """Return whether a message has its translation, one with a plural both."""
    return all(forms_of(message.string))


def po_bytes(catalogue: Catalog) -> bytes:
    """The .po file, without anything that changes from day to day."""
    target = io.BytesIO()
    write_po(target, catalogue, width=120, omit_header=True, sort_output=True)
    head = (
        'msgid ""',
        'msgstr ""',
        r'"Content-Type: text/plain; charset=utf-8\n"',
        rf'"Language: {catalogue.locale}\n"',
    )
    return "\n".join((*head, "", "")).encode() + target.getvalue()


def mo_bytes(catalogue: Catalog) -> bytes:
    """The .mo file; messages that nobody has translated are left out, and said in English."""
    plain = Catalog(locale=catalogue.locale, fuzzy=False)
    for message in sorted(
        (message for message in catalogue if message.id and is_translated(message)),
        key=lambda message: str(message.id),
    ):
        plain.add(message.id, message.string)
    target = io.BytesIO()
    write_mo(target, plain)
    # the standard library only reads text as UTF-8 when the catalogue says so; its dates say nothing
    return re.sub(rb"(?m)^(POT-Creation-Date|PO-Revision-Date): [^\n]*", _blank, target.getvalue())


def _blank(match: re.Match[bytes]) -> bytes:
    head, _, rest = match[0].partition(b": ")
    return head + b": " + b"-" * len(rest)


def rename_sentences(path: Path) -> int:
    """Change the sentences that a file lists, then collect and compile in a process that reads the new
    sources.
    """
    languages = {file: language for key in (SHARED, *GAMES) for language, file in catalogues(key).items()}
    for line in rename(ROOT, renamings(path), languages):
        print(line)
    return subprocess.run([sys.executable, "-m", "tests.messages"], check=False).returncode


def is_up_to_date(path: Path, data: bytes) -> bool:
    """Return whether a file is there and holds just this."""
    return path.is_file() and path.read_bytes() == data


def write_file(path: Path, data: bytes) -> None:
    """Write a file that is not up to date, and its folder."""
    if not is_up_to_date(path, data):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main(words: list[str]) -> int:
    """Collect and compile.

    The exit code says whether anything is missing or, with ``--check``, out of date.
    """
    if "--rename" in words:
        return rename_sentences(Path(words[words.index("--rename") + 1]))
    check = "--check" in words
    new = words.pop(words.index("--add") + 1) if "--add" in words else ""
    keys = [word for word in words if not word.startswith("-")] or [SHARED, *GAMES]
    stale = 0
    for key in keys:
        texts = messages(key)
        paths = dict(catalogues(key))
        if new:
            paths.setdefault(new, resource("rules") / key / "locale" / new / "LC_MESSAGES" / "messages.po")
        for language, path in paths.items():
            catalogue = updated(path, language, texts)
            missing = [str(message.id) for message in catalogue if message.id and not is_translated(message)]
            print(f"{key}, {language}: {len(texts)} messages, {len(missing)} without a translation")
            for name, data in (("messages.po", po_bytes(catalogue)), ("messages.mo", mo_bytes(catalogue))):
                stale += not is_up_to_date(path.with_name(name), data)
                if not check:
                    write_file(path.with_name(name), data)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
