"""All files of a turn of a small game by name, and its handbook, made of its texts and its rules data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gm.core.codec import to_plain
from gm.game.base import texts
from gm.game.base.events import Fate
from gm.game.base.files import SCHEMA, order_template, party_schema, results_text
from gm.game.base.hooks import Cell, Hooks, Scene, scene_of, setting_text
from gm.game.base.summary import summary_lines, summary_values
from gm.game.values import GameData, MapView, TurnResult
from gm.resources import resource
from gm.text.inlining import inlined_files
from gm.text.markup import Figures, html_of
from gm.text.pages import ready_markup, render

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
            files[f"results/{code}.html"] = party_page(scene)
    if result.turn:
        scene = scene_of(spec, table, result, None)
        files["summary.txt"] = "\n".join(summary_lines(scene)) + "\n"
        if html:
            files["summary.html"] = page_html(scene, "summary", **summary_values(scene))
    return dict(sorted(files.items()))


def page_html(scene: Scene, page: str, **values: Any) -> str:
    """``templates/game/PAGE.html`` as one self-contained HTML file."""
    spec = scene.spec
    styles, scripts, data = spec.page_extras(scene) if scene.party else ((), (), {})
    shared: dict[str, Any] = {
        "scene": scene,
        "spec": spec,
        "result": scene.result,
        "code": scene.code,
        "Cell": Cell,
        "inlined": inlined_files((*STYLES, *spec.page_styles, *styles), tuple(scripts)),
        "data": {name: script_data(value) for name, value in data.items()},
        "ready": ready_markup,
        "_": scene.translate,
    }
    return render(resource("templates"), f"game/{page}.html", {**shared, **values})


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


def party_page(scene: Scene) -> str:
    """The page of the scene's party."""
    plays = plays_on(scene)
    return page_html(
        scene,
        "report",
        plays=plays,
        own=[(anchor, title, html) for anchor, title, part in scene.page.sections if (html := part())],
        banner=[scene.says(each) for each in scene.result.events if each.kind == "GameOver"],
        stories=list(_stories(scene)),
        template=order_template(scene) if plays else "",
        TONES=TONES,
    )


def _stories(scene: Scene) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The turn, step by step: the title of each and its sentences with their clauses."""
    told: dict[str, list[tuple[str, str]]] = {}
    for event in scene.events():
        if says := scene.says(event):
            told.setdefault(event.step, []).append((says, str(getattr(event, "clause", ""))))
    own = scene.spec.step_titles()
    titles = {"orders": "Before the turn", **own, "end": "The end"}
    for name in (*titles, *(each for each in told if each not in titles)):
        if name in told or (scene.spec.tells_every_step and name in own):
            yield titles.get(name, name), told.get(name, [])


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
        "tables": scene.page.tables(),
        "settings": list(_settings(spec, settings)),
        "Cell": Cell,
        "map": ready_markup(spec.draw(table, state, MapView())),
        "inlined": inlined_files((*STYLES, *spec.page_styles)),
        "ready": ready_markup,
        "_": str,
    }
    return render(resource("templates"), "game/handbook.html", values)


def _settings(spec: Hooks[Any], settings: Any) -> Iterator[tuple[str, str, str]]:
    """What was chosen for this game: name, value, what it is."""
    if settings is not None:
        for name, what in spec.words.settings.items():
            if (value := getattr(settings, name)) not in (None, "", ()):
                yield name, setting_text(value), what


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
