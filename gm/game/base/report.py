"""All files of a small game's turn by path, and its summary for the game master."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache, partial
from typing import Any

from gm.core.diagnostics import said, says
from gm.core.values import GM, PUBLIC, DiceRolled, PhaseLimitReached
from gm.game.base.course import course_html
from gm.game.base.events import OrderOutcome, lines_in
from gm.game.base.files import SCHEMA, order_template, realm_schema, results_text
from gm.game.base.herald import Herald, News, grammar
from gm.game.base.herald_events import event_news, letters_of, paper_of
from gm.game.base.herald_page import herald_file, herald_lines, herald_page, herald_part
from gm.game.base.hooks import Cell, Hooks, Scene, scene_of
from gm.game.base.past import STEPPER, STEPPER_STYLE, drawn_before, past_part
from gm.game.base.position import PLAYER
from gm.game.base.press import press_html, talk_html
from gm.game.set_aside import set_aside_lines
from gm.game.values import GameData, TurnResult
from gm.store.disk import Files
from gm.store.moments import due_in_words
from gm.text.languages import ENGLISH, languages_of
from gm.text.names import the
from gm.text.pages import aligned, figure, inlined_files, ready_markup, render, script_json

STYLES = ("game/css/game.css", "game/css/herald.css")
TALK_SCRIPTS = ("game/dom.js", "game/drafts.js", "game/talk.js")
WORDS = ("Player", "Orders", "status")  # The columns of the summary that hold no numbers
FEW_LINES = 3  # That all lines of a file fail is nothing unusual if there are fewer
LONGEST_DIGEST = 12  # So many sentences of a turn are in a mail; the report has them all


def reports(spec: Hooks[Any], table: GameData, result: TurnResult, *, html: bool = True) -> Files:
    """Return a turn's reports by path: results, pages, Herald, order templates, schemas, summary.

    Each is made when it is asked for: nobody reads those of the parties that bots play. Without ``html``
    there are no pages; before the first turn there is neither Herald nor summary.
    """
    files: dict[str, Callable[[], str]] = {}
    maps = cache(partial(drawn_before, spec, table, result))  # of the turns before, by language
    papers = cache(partial(herald, spec, table, result))  # by language

    for code in sorted(result.after.parties):
        scene = scene_of(spec, table, result, code)
        files[f"results/{code}.yaml"] = partial(results_text, scene)
        if scene.plays:
            files[f"next/{code}.yaml"] = partial(order_template, scene)
            files[f"next/{code}{SCHEMA}"] = partial(realm_schema, spec, table, scene.after, result.game, code)
        if html:
            files[f"results/{code}.html"] = partial(_party_page, scene, maps, papers)
    if result.turn:
        files["summary.txt"] = lambda: "\n".join(summary(spec, table, result)) + "\n"
    if result.turn and html:
        files |= _common_pages(spec, table, result, papers)
    return Files({name: partial(_encoded, files[name]) for name in sorted(files)})


def _common_pages(
    spec: Hooks[Any], table: GameData, result: TurnResult, papers: Callable[[str], Herald]
) -> dict[str, Callable[[], str]]:
    """Return makers of a turn's common pages, by path; ``papers`` returns the Herald in a language."""

    def paper(language: str) -> str:
        return herald_page(papers(language), spec.key, language)

    # in all languages: the files must not reveal which of them the players read
    heralds = {herald_file(language): partial(paper, language) for language in languages_of(spec.key)}
    gm_language = result.languages.get(GM, ENGLISH)
    language = gm_language if gm_language in languages_of(spec.key) else ENGLISH
    summary_page = partial(_summary_page, partial(scene_of, spec, table, result, language=language))
    return {"summary.html": summary_page, **heralds}


def _encoded(make: Callable[[], str]) -> bytes:
    """Return the text that ``make`` makes, in UTF-8."""
    return make().encode()


def page_html(scene: Scene, page: str, *, steps: dict[str, Any] | None = None, **values: Any) -> str:
    """Return the page ``templates/game/PAGE.html``.

    ``steps``: data to step through earlier turns, if any; ``values``: further values for the template, of
    which ``talk`` and ``press`` also bring their scripts.
    """
    spec = scene.spec
    own_styles, own_scripts, own_data = spec.page_extras(scene) if page == "report" else ((), (), {})
    styles = [*STYLES, *spec.page_styles, *own_styles]
    scripts = [*STEPPER] if steps else []  # before others draw on the map, of which it takes a copy
    data = dict(own_data)
    if values.get("talk"):
        styles.append("game/css/talk.css")
        scripts += TALK_SCRIPTS
    scripts += own_scripts
    if values.get("press"):
        scripts.append("game/press.js")
    if page == "report":
        scripts.append("game/fold.js")
    if steps:
        styles.append(STEPPER_STYLE)
        data["steps"] = steps
    shared: dict[str, Any] = {
        "scene": scene,
        "spec": spec,
        "result": scene.result,
        "code": scene.code,
        "Cell": Cell,
        "inlined": inlined_files(tuple(styles), tuple(dict.fromkeys(scripts)), spec.key, scene.language),
        "data": {name: script_json(value) for name, value in data.items()},
        "ready": ready_markup,
        "_": scene.translate,
    }
    return render(f"game/{page}.html", {**shared, **values})


def party_names(scene: Scene) -> dict[str, str]:
    """Return the names of the parties in the reader's language, by code."""
    return {code: scene.translate(party.name) for code, party in scene.after.parties.items()}


def herald(spec: Hooks[Any], table: GameData, result: TurnResult, language: str = ENGLISH) -> Herald:
    """Return the newspaper of a turn in a language."""
    scene = scene_of(spec, table, result, language=language)
    now = scene.after
    formatter = scene.formatter
    lands = (_land(spec, table, scene.before), _land(spec, table, now))
    weather = News("weather", 0, {"season": getattr(now, "season", "")})  # dropped if the grammar lacks it
    news = (*event_news(grammar(spec.key), result.public, formatter), weather)
    blank = Herald(
        result.game,
        table.board.title,
        result.turn,
        spec.label(now, scene.translate),
        letters=letters_of(result.press, result.turn, formatter.names),
        leader=result.leader,
    )
    return paper_of(spec.key, blank, formatter, news, lands)


def _land(spec: Hooks[Any], table: GameData, state: Any) -> dict[str, int]:
    """Return how much of the map each party has, by code."""
    return {code: int(row[spec.land]) for code, row in spec.figures(table, state).items()}


def digests(spec: Hooks[Any], table: GameData, result: TurnResult) -> dict[str, list[str]]:
    """Return the turn in a few sentences for each party, by code: headlines, and how its report begins."""
    papers = cache(partial(herald, spec, table, result))
    scenes = (scene_of(spec, table, result, code) for code in sorted(result.after.parties))
    return {
        scene.code: [*herald_lines(papers(scene.language), scene.translate), *_digest(scene)]
        for scene in scenes
    }


def _digest(scene: Scene) -> Iterator[str]:
    """Yield how many of a party's orders were carried out, its report's first sentences, how many follow."""
    sentences = list(filter(None, map(scene.formatter.format_event, scene.events())))
    fates = [line.fate for line in scene.settled() if line.fate is not OrderOutcome.SKIPPED]
    if fates:
        done_count = fates.count(OrderOutcome.DONE)
        yield scene.translate("Orders carried out: {done} of {all}.").format(done=done_count, all=len(fates))
    yield from sentences[:LONGEST_DIGEST]
    if len(sentences) > LONGEST_DIGEST:
        yield scene.translate("... and {more} more in the report.").format(
            more=len(sentences) - LONGEST_DIGEST
        )


def warnings(spec: Hooks[Any], table: GameData, result: TurnResult) -> tuple[str, ...]:
    """Return messages on parties whose orders, ``FEW_LINES`` or more, all failed, and on broken-off steps."""
    lines = []
    for code, party in sorted(result.after.parties.items()):
        fates = [line.fate for line in lines_in(result.events, code) if line.fate is not OrderOutcome.SKIPPED]
        if len(fates) >= FEW_LINES and set(fates) == {OrderOutcome.FAILED}:
            lines.append(says("all {0} orders of {1} failed", len(fates), the(party.name)))
    if any(isinstance(event, PhaseLimitReached) for event in result.events):
        lines.append(says("a repeated step was ended by the guard on its rounds, which should never happen"))
    return tuple(lines)


def rounded(value: float) -> str:
    """Return a figure as text, with two decimals at most."""
    return figure(Decimal(str(round(value, 2))))


def _file_status(scene: Scene, code: str) -> str:
    """Return what became of a party's order file, as a word for the summary."""
    result = scene.result
    if code in result.sheets:
        return "late" if result.sheets[code].late else "in time"
    if result.set_aside.get(code):
        return "rejected"
    return "not asked" if code in scene.spec.waiting(scene.table, result.before) else "none"


def _rows(scene: Scene) -> tuple[list[str], list[list[str]]]:
    """Return (English names of the columns, rows in the reader's language) of the summary of the parties."""
    spec = scene.spec
    result = scene.result
    fates = Counter((line.audience, line.fate) for line in lines_in(result.events))
    listed_fates = [fate for fate in OrderOutcome if fate is not OrderOutcome.SKIPPED or spec.skips]
    figures = spec.figures(scene.table, result.after)
    names = list(next(iter(figures.values()), {}))  # all parties have the same columns

    def row(code: str) -> list[str]:
        """Return the summary's row of a party."""
        party = result.after.parties[code]
        return [
            scene.translate(party.name),
            scene.translate(_file_status(scene, code)),
            *(str(fates[code, fate]) for fate in listed_fates),
            str(len(result.refused(code))),
            scene.translate(party.status),
            *(rounded(figures[code][name]) if code in figures else "" for name in names),
        ]

    columns = ["Player", "Orders", *(fate.value for fate in listed_fates), "refused", "status", *names]
    return columns, list(map(row, result.after.parties))


def _news(scene: Scene) -> tuple[list[str], list[str]]:
    """Return (sentences for the game master alone, sentences about what everybody may know).

    The game master's are also about rejected files and the turn's warnings.
    """
    result = scene.result
    events = (
        event
        for event in result.events
        if event.audience in (GM, PUBLIC) and not isinstance(event, DiceRolled)
    )
    sentences = [(event.audience, scene.formatter.format_event(event)) for event in events]
    set_aside = set_aside_lines(result.set_aside, party_names(scene), scene.translate)
    warnings_said = (said(warning, scene.translate) for warning in warnings(scene.spec, scene.table, result))
    warned = [f"{warning[:1].upper()}{warning[1:]}." for warning in warnings_said]

    def sentences_for(audience: str) -> list[str]:
        return [sentence for reader, sentence in sentences if reader == audience and sentence]

    return [*sentences_for(GM), *set_aside, *warned], sentences_for(PUBLIC)


def summary(spec: Hooks[Any], table: GameData, result: TurnResult, language: str = ENGLISH) -> list[str]:
    """Return the game master's summary of a turn for a terminal or a mail, line by line."""
    scene = scene_of(spec, table, result, language=language)
    translate = scene.translate
    lines = [f"{table.board.title}, {spec.label(result.after, translate)}"]
    if result.deadline and result.after.winners is None:
        due = due_in_words(result.deadline, translate)
        lines.append(str(said(says("Next orders are due {0}.", due), translate)))
    columns, rows = _rows(scene)
    heads = list(map(translate, columns))
    lines += ["", *aligned([heads, *rows], left=[at for at, name in enumerate(columns) if name in WORDS])]
    for title, lines_of_section in zip(("To look at", "What happened"), _news(scene), strict=True):
        if lines_of_section:
            lines += ["", f"{translate(title)}:", *(f"  - {line}" for line in lines_of_section)]
    return lines


def _summary_page(make_scene: Callable[[], Scene]) -> str:
    """Return the game master's summary of a turn as a page."""
    scene = make_scene()
    deadline = scene.result.deadline
    due = due_in_words(deadline, scene.translate) if deadline and scene.after.winners is None else ""
    columns, rows = _rows(scene)
    heads = list(map(scene.translate, columns))
    numbers = [head for head, name in zip(heads, columns, strict=True) if name not in WORDS]
    for_gm, public = _news(scene)
    flags = [(line, "") for line in for_gm]  # (sentence, no clause)
    news = [(line, "") for line in public]
    return page_html(
        scene, "summary", heads=heads, rows=rows, numbers=numbers, due=due, flags=flags, news=news
    )


def _party_page(scene: Scene, maps: Callable[[str], Sequence[str]], papers: Callable[[str], Herald]) -> str:
    """Return a party's report as a page.

    By language, ``maps``: those after the turns before the newest; ``papers``: the game's newspaper.
    """
    plays = scene.plays
    past, steps = past_part(scene, maps(scene.language))
    own_sections = [(anchor, title, macro()) for anchor, title, macro in scene.page.sections]
    return page_html(
        scene,
        "report",
        steps=steps,
        past=past,
        plays=plays,
        own=[(anchor, title, html) for anchor, title, html in own_sections if html],
        talk=_talk(scene),
        course=course_html(scene),
        herald=herald_part(papers(scene.language), scene.spec.key, scene.language),
        press=press_html(
            scene.result.press,
            scene.result.press_rule,
            scene.result.turn,
            scene.code,
            party_names(scene),
            scene.language,
            since=scene.result.seated.get(scene.code, 1),
        ),
        banner=[
            scene.formatter.format_event(event) for event in scene.result.events if event.kind == "GameOver"
        ],
        stories=list(_stories(scene)),
        template=order_template(scene) if plays else "",
    )


def _talk(scene: Scene) -> str:
    """Return the form for letters and votes; empty without an order writer, which puts them into the file."""
    if not (scene.plays and scene.spec.choices(scene)):
        return ""
    state = scene.after
    names = party_names(scene)
    names_left = {
        code: names[code] for code, party in state.parties.items() if not party.out and code != scene.code
    }
    readers = [code for code in names_left if state.parties[code].controller == PLAYER]
    place = f"gm talk {scene.result.game} {scene.code} {scene.result.turn}"
    rule = scene.spec.vote_rule(scene.table, state)
    return talk_html(scene.result.press_rule, rule, names_left, readers, scene.language, place)


def _stories(scene: Scene) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield (title, [(text, clause) of each sentence]) for each part of a turn.

    The parts are the steps, or the parties where these play one after the other (``Hooks.chapter``).
    """
    sentences: dict[str, list[tuple[str, str]]] = {}  # by party's code or name of step
    chapters: dict[str, str] = {}  # the titles of the parties' parts, by code
    for event in scene.events():
        text = scene.formatter.format_event(event)
        if text:
            party = scene.spec.chapter(event)
            if party:
                chapters[party] = scene.translate("The turn of {name}").format(
                    name=scene.formatter.called(party)
                )
            sentences.setdefault(party or event.step, []).append((text, str(getattr(event, "clause", ""))))
    step_titles = scene.spec.step_titles()
    titles = {"orders": "Before the turn", **step_titles, **chapters, "end": "The end"}
    unknown_steps = (step for step in sentences if step not in titles)
    # parts of parties are in the order in which they were played, steps in that of the rules
    for name in sentences if chapters else (*titles, *unknown_steps):
        if name in sentences or (scene.spec.tells_every_step and name in step_titles):
            yield titles.get(name, name), sentences.get(name, [])
