"""All files of a turn of a small game by name, and its handbook, made of its texts and its rules data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gm.core.codec import to_plain
from gm.game.base import texts
from gm.game.base.events import Fate
from gm.game.base.files import SCHEMA, order_template, party_schema, results_text
from gm.game.base.hooks import Hooks, Scene, scene_of, setting_text
from gm.game.base.summary import summary_lines, summary_page
from gm.game.base.views import Cell, Fact, Grid, Listing, Page, Part, Prose, Ready, Section, Shown, Story
from gm.game.values import GameData, MapView, TurnResult
from gm.resources import resource
from gm.text.inlining import inlined_files
from gm.text.markup import Figures, html_of
from gm.text.pages import ready_markup, render
from gm.text.words import translator

if TYPE_CHECKING:
    from markupsafe import Markup

STYLES = ("game/css/game.css",)
TONES = {Fate.DONE: "good", Fate.REDUCED: "warn", Fate.FAILED: "bad", Fate.SKIPPED: "soft"}
LONGEST_DIGEST = 12
"""So many sentences of a turn stand in a mail; the report has them all."""


def turn_files(spec: Hooks[Any], table: GameData, result: TurnResult, *, html: bool = True) -> dict[str, str]:
    """``results/RED.yaml``, ``results/RED.html``, ``next/RED.yaml``, ``next/RED.schema.json``, ``summary.*``. Pure."""
    files: dict[str, str] = {}
    for code in sorted(result.after.parties):
        scene = scene_of(spec, table, result, code)
        files[f"results/{code}.yaml"] = results_text(scene)
        if plays_on(scene):
            files[f"next/{code}.yaml"] = order_template(scene)
            files[f"next/{code}{SCHEMA}"] = party_schema(spec, table, scene.after, code, result.game)
        if html:
            files[f"results/{code}.html"] = page_html(spec.key, party_page(scene))
    if result.turn:
        scene = scene_of(spec, table, result, None)
        files["summary.txt"] = "\n".join(summary_lines(scene)) + "\n"
        if html:
            files["summary.html"] = page_html(spec.key, summary_page(scene))
    return dict(sorted(files.items()))


def page_html(game: str, page: Page) -> str:
    """A page as one self-contained HTML file. ``game`` is the key whose catalogues its fixed words come from."""
    values: dict[str, Any] = {
        "page": page,
        "inlined": inlined_files((*STYLES, *page.styles), tuple(page.scripts)),
        "data": {name: script_data(value) for name, value in page.data.items()},
        "ready": ready_markup,
        "_": translator(game, page.language),
    }
    return render(resource("templates"), "game/report.html", values)


def script_data(value: object) -> Markup:
    """A value as JSON inside a script element: no character in it can end the element or a line of it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return ready_markup(text)


def plays_on(scene: Scene) -> bool:
    """Whether the scene's party is asked for orders now."""
    state = scene.after
    waits = scene.party in scene.spec.waiting(scene.table, state)
    return state.winners is None and not state.parties[scene.party].out and not waits


def digest(scene: Scene) -> list[str]:
    """The turn in a few sentences for the scene's party."""
    sentences = [says for event in scene.events() if (says := scene.says(event))]
    fates = [each.fate for each in scene.settled() if each.fate is not Fate.SKIPPED]
    lines = []
    if fates:
        done = sum(fate is Fate.DONE for fate in fates)
        lines.append(scene.translate("Orders carried out: {done} of {all}.").format(done=done, all=len(fates)))
    if len(sentences) > LONGEST_DIGEST:
        more = scene.translate("... and {more} more in the report.").format(more=len(sentences) - LONGEST_DIGEST)
        sentences = [*sentences[:LONGEST_DIGEST], more]
    return [*lines, *sentences]


def party_page(scene: Scene) -> Page:
    """The page of the scene's party."""
    _, spec, result = scene.translate, scene.spec, scene.result
    party = scene.after.parties[scene.party]
    under = _(party.status)
    key = result.keys.get(scene.code, "") if plays_on(scene) else ""
    if result.deadline and plays_on(scene):
        # the day of the week in the reader's language
        day, _blank, rest = result.deadline.partition(" ")
        under = f"{under} · {_('next orders due')} {_(day)} {rest}".strip()
    own = ((anchor, title, part()) for anchor, title, part in scene.page.sections)
    first, *more = (Section(anchor, title, [Ready(part)]) for anchor, title, part in own if part)
    extra = spec.page_extras(scene)
    return Page(
        title=_(party.name),
        over=f"{spec.title} · {result.game} · {spec.label(scene.after, _)}",
        under=under,
        sections=[first, *_orders(scene), *_story(scene), *more, *_writing(scene), *_dice(scene)],
        colour=party.colour,
        facts=[Fact(*each) for each in scene.page.facts],
        banner=[scene.says(each) for each in result.events if each.kind == "GameOver"],
        foot=[
            *([_("Your key for the next orders: {key}").format(key=key)] if key else []),
            _("The same in a form for programs is in {file}.").format(file=f"{scene.code}.yaml"),
        ],
        language=scene.language,
        styles=(*spec.page_styles, *extra.styles),
        scripts=extra.scripts,
        data=extra.data,
    )


def _orders(scene: Scene) -> Iterator[Section]:
    """Each line of the party's file with its fate, and what could not be read of it."""
    _, result = scene.translate, scene.result
    if not scene.turn:
        return
    rows: list[tuple[Cell, Cell, Cell, Cell]] = []
    for event in scene.settled():
        clause, why = scene.reason(event)
        fate = Cell(_(event.fate.value), tone=TONES[event.fate])
        rows.append((Cell(str(event.line)), Cell(event.text, code=True), fate, Cell(why, clause=clause)))
    missing = scene.code not in result.readings
    nothing = _("No orders of yours stood for this turn.") if missing else _("Your file held no orders.")
    columns = (_("Line"), _("Order"), _("Fate"), _("Why"))
    parts = [Grid(columns, rows, _("What became of your orders"), nothing=nothing)]
    found = [
        (
            Cell(str(each.line or "")),
            Cell(_("refused") if each.is_error else _("remark"), tone="bad" if each.is_error else "warn"),
            Cell(f"{each.message}. {each.suggestion}".strip(), clause=each.clause),
        )
        for each in (*result.findings(scene.code), *result.set_aside.get(scene.code, ()))
    ]
    if found:
        parts.append(Grid((_("Line"), _("What"), _("Why")), found, _("What was found in your file")))
    yield Section("orders", _("Your orders"), parts)


def _story(scene: Scene) -> Iterator[Section]:
    """The turn, step by step."""
    _ = scene.translate
    if not scene.turn:
        return
    told: dict[str, list[tuple[str, str]]] = {}
    for step, events in groupby(scene.events(), lambda each: each.step):
        told.setdefault(step, []).extend((scene.says(each), str(getattr(each, "clause", ""))) for each in events)
    own = scene.spec.step_titles()
    titles = {"orders": "Before the turn", **own, "end": "The end"}
    stories = []
    for name in (*titles, *(each for each in told if each not in titles)):
        sentences = [each for each in told.get(name, ()) if each[0]]
        if sentences or (scene.spec.tells_every_step and name in own):
            stories.append(Story(_(titles.get(name, name)), sentences, _("Nothing happened.")))
    yield Section("turn", _("The turn"), stories or [Prose((_("Nothing happened."),))])


def _writing(scene: Scene) -> Iterator[Section]:
    """The template for the next orders."""
    _ = scene.translate
    if plays_on(scene):
        hint = _("Copy this into a file, change it, and send it: as the text of a mail or as a file.")
        parts: list[Part] = [Ready(scene.page.choices()), Prose((hint,)), Listing(order_template(scene))]
        yield Section("write", _("Next orders"), parts)


def _dice(scene: Scene) -> Iterator[Section]:
    """What is published of the dice."""
    _, result = scene.translate, scene.result
    if not scene.spec.draws(scene.table, scene.before):
        return
    rows: list[tuple[str, Cell]] = []
    if result.proof:
        rows += [
            (_("Secret of this turn"), Cell(result.proof.secret, code=True)),
            (_("Its seal, published before"), Cell(result.proof.seal, code=True)),
        ]
        for each in result.proof.renewed:
            rows.append((_("Withdrawn seal: the turn was taken back"), Cell(each.seal, code=True)))
            rows += [(_("Why"), Cell(why)) for why in (each.why, each.reopened) if why]
        mine = result.proof.order_files.get(scene.code)
        if mine:
            rows.append((_("SHA-256 of your order file"), Cell(mine, code=True)))
    if result.next_seal:
        rows.append((_("Seal of the next turn"), Cell(result.next_seal, code=True)))
    if rows:
        about = _(
            "The dice of a turn are sealed before anybody's orders are known, and every order file has its part in "
            "them: nobody can choose them. 'gm verify' checks it."
        )
        yield Section("dice", _("Dice"), [Prose((about,)), Grid((_("What"), _("Value")), rows)])


def handbook_page(spec: Hooks[Any], table: GameData, settings: Any) -> str:
    """The page, with the figures that a game's settings (none: no game yet) put in force. Raises ``ValueError`` for a
    figure that the rules lack, ``KeyError`` for a clause without a text."""
    if settings is not None:
        seed = table.settings[1] if table.settings else ""
        table = table.evolve(rules=settings.applied(table.rules), settings=(settings, seed))
    figures = figures_of(table)
    state = spec.start(table, resource("maps", spec.key), None)
    code = next(iter(state.parties))
    sample = TurnResult(game="my-game", before=state, after=state, events=(), keys={code: "your-key-12"})
    scene = scene_of(spec, table, sample, code)
    guide = texts.guide(spec.key)
    values: dict[str, Any] = {
        "title": spec.title,
        "board": table.board,
        "summary": html_of(guide.summary, figures),
        "guide": [(part.id, part.title, html_of(part.text, figures)) for part in guide.parts],
        "chapters": texts.chapter_views(spec.key, figures),
        "steps": [(each.title, each.clauses) for stage in spec.stages for each in stage.steps],
        "template": order_template(scene),
        "tables": [*([Ready(tables)] if (tables := scene.page.tables()) else ()), *_settings(spec, settings)],
        "map": ready_markup(spec.draw(table, state, MapView())),
        "inlined": inlined_files((*STYLES, *spec.page_styles)),
        "ready": ready_markup,
        "_": str,
    }
    return render(resource("templates"), "game/handbook.html", values)


def _settings(spec: Hooks[Any], settings: Any) -> Iterator[Grid]:
    """What was chosen for this game."""
    if settings is not None:
        rows: list[list[Shown]] = [
            [Cell(name, code=True), setting_text(value), what]
            for name, what in spec.words.settings.items()
            if (value := getattr(settings, name)) not in (None, "", ())
        ]
        yield Grid(("Setting", "Here", "What it is"), rows, "The settings of this game")


def figures_of(table: GameData) -> Figures:
    """What stands between braces in a text: a path into the rules, e.g. ``{units.tank.strength}``."""
    rules = to_plain(table.rules)

    def figure(path: str) -> str:
        found: Any = rules
        for part in path.split("."):
            if isinstance(found, list) and part.isdigit() and int(part) < len(found):
                found = found[int(part)]
            elif isinstance(found, dict) and part in found:
                found = found[part]
            else:
                raise ValueError(f"the rules have no figure {path!r}")
        if isinstance(found, dict | list):
            raise ValueError(f"{path!r} is no single figure")
        return "none" if found is None else str(found).lower() if isinstance(found, bool) else str(found)

    return figure
