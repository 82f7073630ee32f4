"""All files of a turn of a small game by name, and nothing on the disk: the game folder writes them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gm.core.events import Event
from gm.game.base.events import Fate
from gm.game.base.page import page_html
from gm.game.base.results import refused, results_text
from gm.game.base.scene import Scene, scene_of
from gm.game.base.summary import summary_html, summary_text
from gm.game.base.template import SCHEMA, order_template, party_schema
from gm.game.base.views import Cell, Grid, Listing, Page, Prose, Section, Story
from gm.game.spec import GameData
from gm.game.turn_result import TurnResult

if TYPE_CHECKING:
    from gm.game.base.game import BaseGame

TONES = {Fate.DONE: "good", Fate.REDUCED: "warn", Fate.FAILED: "bad", Fate.SKIPPED: "soft"}
LONGEST_DIGEST = 12
"""So many sentences of a turn stand in a mail; the report has them all."""


def turn_files(spec: BaseGame[Any], table: GameData, played: TurnResult, *, html: bool = True) -> dict[str, str]:
    """``results/RED.yaml``, ``results/RED.html``, ``next/RED.yaml``, ``next/RED.schema.json``, ``summary.*``.

    Nothing is summed up before turn 1, and nobody is asked for orders after the end. Pure.
    """
    files: dict[str, str] = {}
    for code in sorted(played.after.parties):
        scene = scene_of(spec, table, played, code)
        files[f"results/{code}.yaml"] = results_text(scene)
        if plays_on(scene):
            files[f"next/{code}.yaml"] = order_template(scene)
            files[f"next/{code}{SCHEMA}"] = party_schema(spec, table, scene.after, code, played.game)
        if html:
            files[f"results/{code}.html"] = page_html(spec.key, party_page(scene))
    if played.after.turn:
        files["summary.txt"] = summary_text(spec, table, played)
        if html:
            files["summary.html"] = summary_html(spec, table, played)
    return dict(sorted(files.items()))


def plays_on(scene: Scene) -> bool:
    """Whether the scene's party is asked for orders now."""
    state = scene.after
    waits = scene.party in scene.spec.waiting(scene.table, state)
    return state.winners is None and not state.parties[scene.party].out and not waits


def digest(scene: Scene) -> list[str]:
    """The turn in a few sentences for the scene's party."""
    told = [says for event in scene.events() if (says := scene.says(event))]
    fates = [each.fate for each in scene.settled() if each.fate is not Fate.SKIPPED]
    lines = []
    if fates:
        done = sum(fate is Fate.DONE for fate in fates)
        lines.append(scene.translate("Orders carried out: {done} of {all}.").format(done=done, all=len(fates)))
    if len(told) > LONGEST_DIGEST:
        more = len(told) - LONGEST_DIGEST
        told = [*told[:LONGEST_DIGEST], scene.translate("... and {more} more in the report.").format(more=more)]
    return [*lines, *told]


def party_page(scene: Scene) -> Page:
    """The page of the scene's party."""
    _, spec, played = scene.translate, scene.spec, scene.played
    party = scene.after.parties[scene.party]
    under = _(party.status)
    if played.deadline and plays_on(scene):
        under = f"{under} · {_('next orders due')} {_due(scene)}"
    first, *more = spec.sections(scene)
    sections = [
        first,
        *_orders(scene),
        *_told(scene),
        *more,
        *_writing(scene),
        *_dice(scene),
    ]
    extra = spec.page_extras(scene)
    return Page(
        title=_(party.name),
        over=f"{spec.title} · {played.game} · {spec.label(scene.after, _)}",
        under=under,
        sections=sections,
        colour=party.colour,
        facts=spec.facts(scene),
        banner=[scene.says(each) for each in played.events if each.kind == "GameOver"],
        foot=_foot(scene),
        language=scene.language,
        styles=(*spec.page_styles, *extra.styles),
        scripts=extra.scripts,
        data=extra.data,
    )


def _due(scene: Scene) -> str:
    """The deadline, its day of the week in the reader's language."""
    day, _blank, rest = scene.played.deadline.partition(" ")
    return f"{scene.translate(day)} {rest}".strip()


def _foot(scene: Scene) -> list[str]:
    _, code = scene.translate, scene.party or ""
    key = scene.played.keys.get(code, "")
    own = [_("Your key for the next orders: {key}").format(key=key)] if key and plays_on(scene) else []
    return [*own, _("The same in a form for programs is in {file}.").format(file=f"{code}.yaml")]


def _orders(scene: Scene) -> Iterator[Section]:
    """Each line of the party's file with its fate, and what could not be read of it."""
    _ = scene.translate
    if not scene.turn:
        return
    rows: list[tuple[Cell, Cell, Cell, Cell]] = []
    for event in scene.settled():
        clause, why = scene.tell.reason(event.reason, event.figures) if event.reason else ("", "")
        fate = Cell(_(event.fate.value), tone=TONES[event.fate])
        rows.append((Cell(str(event.line)), Cell(event.text, code=True), fate, Cell(why, clause=clause)))
    parts: list[Any] = []
    columns = (_("Line"), _("Order"), _("Fate"), _("Why"))
    missing = scene.played.readings.get(scene.party or "") is None
    nothing = _("No orders of yours stood for this turn.") if missing else _("Your file held no orders.")
    parts.append(Grid(columns, rows, _("What became of your orders"), nothing=nothing))
    findings = [*refused(scene), *scene.played.set_aside.get(scene.party or "", ())]
    if findings:
        found = [
            (
                Cell(str(each.line or "")),
                Cell(_("refused") if each.is_error else _("remark"), tone="bad" if each.is_error else "warn"),
                Cell(f"{each.message}. {each.suggestion}".strip(), clause=each.clause),
            )
            for each in findings
        ]
        parts.append(Grid((_("Line"), _("What"), _("Why")), found, _("What was found in your file")))
    yield Section("orders", _("Your orders"), parts)


def _told(scene: Scene) -> Iterator[Section]:
    """The turn, step by step."""
    _ = scene.translate
    if not scene.turn:
        return
    told: dict[str, list[tuple[str, str]]] = {}
    for step, events in groupby(scene.events(), lambda each: each.step):
        told.setdefault(step, []).extend(_sentence(scene, each) for each in events)
    titles = {"orders": "Before the turn", **dict(scene.spec.step_titles()), "end": "The end"}
    every = {name for name, _title in scene.spec.step_titles()} if scene.spec.tells_every_step else set()
    stories = []
    for name in (*titles, *(each for each in told if each not in titles)):
        sentences = [each for each in told.get(name, ()) if each[0]]
        if sentences or name in every:
            stories.append(Story(_(titles.get(name, name)), sentences, _("Nothing happened.")))
    yield Section("turn", _("The turn"), stories or [Prose((_("Nothing happened."),))])


def _sentence(scene: Scene, event: Event) -> tuple[str, str]:
    return scene.says(event), str(getattr(event, "clause", ""))


def _writing(scene: Scene) -> Iterator[Section]:
    """The template for the next orders."""
    _ = scene.translate
    if plays_on(scene):
        hint = _("Copy this into a file, change it, and send it: as the text of a mail or as a file.")
        parts = [*scene.spec.writing_parts(scene), Prose((hint,)), Listing(order_template(scene))]
        yield Section("write", _("Next orders"), parts)


def _dice(scene: Scene) -> Iterator[Section]:
    """What is published of the dice."""
    _, played = scene.translate, scene.played
    if not scene.spec.draws(scene.table, scene.before):
        return
    rows: list[tuple[str, Cell]] = []
    if played.proof:
        rows += [
            (_("Secret of this turn"), Cell(played.proof.secret, code=True)),
            (_("Its seal, published before"), Cell(played.proof.seal, code=True)),
        ]
        for each in played.proof.renewed:
            rows.append((_("Withdrawn seal: the turn was taken back"), Cell(each.seal, code=True)))
            rows += [(_("Why"), Cell(why)) for why in (each.why, each.reopened) if why]
        mine = played.proof.order_files.get(scene.party or "")
        if mine:
            rows.append((_("SHA-256 of your order file"), Cell(mine, code=True)))
    if played.next_seal:
        rows.append((_("Seal of the next turn"), Cell(played.next_seal, code=True)))
    if rows:
        about = _(
            "The dice of a turn are sealed before anybody's orders are known, and every order file has its part in "
            "them: nobody can choose them. 'gm verify' checks it."
        )
        yield Section("dice", _("Dice"), [Prose((about,)), Grid((_("What"), _("Value")), rows)])
