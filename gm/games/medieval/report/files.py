"""The reports of a turn for people.

These are its files by name, which the game folder stores, lines for mails, and the summary for the game
master: files that came, outcomes, and what to look at.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, groupby
from typing import Any

from gm.core.diagnostics import Translate, said, says
from gm.core.values import GM, DiceRolled
from gm.game.answers import Fight, TurnStory
from gm.game.base.herald import FRONT, Herald
from gm.game.base.herald_page import herald_file, herald_lines, herald_page
from gm.game.set_aside import set_aside_lines
from gm.games.medieval.analysis.exposure import Threats
from gm.games.medieval.analysis.forecast import Forecast, standing_forecasts
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.orders.schema_realm import RealmSchemas
from gm.games.medieval.orders.template import SCHEMA, TemplateHead, describe, orders_template
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.changed_lines import Weight, plain_line
from gm.games.medieval.report.herald import herald
from gm.games.medieval.report.map_news import places_of, works_in
from gm.games.medieval.report.results import Results, battle_text
from gm.games.medieval.report.turn_result import MedievalResult, TurnView, turn_view
from gm.games.medieval.report.views import realm_name
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.store.disk import Content, Files
from gm.store.moments import due_in_words
from gm.text.languages import ENGLISH, languages_of
from gm.text.names import the
from gm.text.pages import capitalised, gold, listed, render, signed
from gm.text.words import Said


def turn_reports(result: MedievalResult, *, html: bool = True) -> Files:
    """Return every report file of a turn.

    ``results/ENG.yaml``, ``results/ENG.html``, ``results/battles/01-london.html``, ``next/ENG.yaml``,
    ``next/ENG.schema.json``, ``summary.*``. File names come from realm codes and, for battles, from places of
    the map, never from what a player wrote. A realm's page is in its player's language, and battles have one
    in each of these, too (``01-london.de.html``). Pure: the same record gives the same text. Without ``html``
    only the files for programs and the summary's text are made.
    """
    views = partial(turn_view, result)
    papers = cache(lambda language: herald(views(language)))
    battles = views(ENGLISH).battles
    results = Results(result, views(ENGLISH).formatter, [entry.page for entry in battles])
    table = (result.rules, result.atlas)
    threats = cache(lambda: Threats(result.after, *table))  # of forecasts, and of the data in pages
    forecasts = cache(lambda: standing_forecasts(result.after, result.players, *table, threats()))

    def foretold(make: Callable[[str, Forecast], Content], code: str) -> Content:
        return make(code, forecasts()[code])

    after = result.after
    about = _next_orders(result)
    turn = result.turn + 1
    schemas = RealmSchemas(after, game=result.game, turn=turn, **about)

    files: dict[str, Callable[[], Content]] = {
        f"results/{entry.data}": partial(_encoded, battle_text, entry.report) for entry in battles
    }
    for code in result.players:
        files[f"results/{code}.yaml"] = partial(foretold, results.data, code)
        if not (after.realms[code].defeated or after.winners or after.drawn):
            key = result.keys.get(code, "")
            head = TemplateHead(result.game, turn, key, result.standing_vote(code), result.stands_until(code))
            files[f"next/{code}.yaml"] = partial(_encoded, orders_template, after, code, head=head, **about)
            files[f"next/{code}{SCHEMA}"] = partial(_encoded, schemas.text, code)
    if result.after.turn:  # nothing has been played before turn 1: there is nothing to sum up
        files |= _summary_files(views, result.language(GM), papers, html=html)
    if html:
        files |= _pages(result, views, papers, foretold, threats)
    return Files(files)


def _next_orders(result: MedievalResult) -> dict[str, Any]:
    """Return rules, map and descriptions of units, for templates and schemas of the next orders."""
    units = chain.from_iterable(map(result.after.of_realm, result.players))
    descriptions = {unit.key: describe(unit, result.rules) for unit in units}
    return {"rules": result.rules, "atlas": result.atlas, "unit_texts": descriptions}


def _summary_files(
    views: Callable[[str], TurnView], language: str, papers: Callable[[str], Herald], *, html: bool
) -> dict[str, Callable[[], Content]]:
    """Return the game master's summary.

    It is English text for programs and, with ``html``, a page in a ``language``.
    """
    summary = cache(lambda language: summary_of(views(language)))
    files: dict[str, Callable[[], Content]] = {
        "summary.txt": lambda: gm_summary_text(summary(ENGLISH)).encode()
    }
    if html:
        page = partial(_encoded, render, "medieval/summary.html")
        files["summary.html"] = lambda: page(
            {"summary": summary(language), "headlines": papers(language).of(FRONT)}, language
        )
    return files


def _pages(
    result: MedievalResult,
    views: Callable[[str], TurnView],
    papers: Callable[[str], Herald],
    foretold: Callable[..., Content],
    threats: Callable[[], Threats],
) -> dict[str, Callable[[], Content]]:
    """Return the pages of realms and battles; ``foretold`` gives a realm's page its forecast."""
    # none of the pages' code is needed for the rest
    from gm.games.medieval.report.battle_chances import FoughtBattles
    from gm.games.medieval.report.battle_pages import BattlePages
    from gm.games.medieval.report.realm_page import RealmPages

    files: dict[str, Callable[[], Content]] = {}
    fought = FoughtBattles(result.before, result.after, result.public, result.rules, result.atlas)
    readers = _readers(result)
    battles = views(ENGLISH).battles
    chances = cache(lambda number: fought.chances(battles[number - 1].report))
    # which of them are read is nobody's business
    if result.turn:
        for language in languages_of("medieval"):
            files[herald_file(language)] = partial(_herald_html, papers, language)
    for language in dict.fromkeys((ENGLISH, result.language(GM), *readers)):
        view = views(language)
        battle_pages = BattlePages(view, chances)
        if language in readers:
            pages = RealmPages(view, battle_pages, papers, threats)
            files |= {
                f"results/{code}.html": partial(foretold, pages.html, code) for code in readers[language]
            }
        files |= {
            f"results/{entry.page}": partial(_encoded, battle_pages.html, entry) for entry in view.battles
        }
    return files


def _encoded(make: Callable[..., str], *given: Any, **named: Any) -> bytes:
    return make(*given, **named).encode()


def turn_story(result: MedievalResult, realm: str, language: str) -> TurnStory:
    """Return the battles with their aftermath, the headlines, and for a realm its changes."""
    view = turn_view(result, language)
    fights = (Fight(places_of(entry), entry.title, _in_short(entry, view)) for entry in view.battles)
    own_changes = changes(view, realm) if realm else ()
    weighty = tuple(plain_line(change) for change in own_changes if change.weight <= Weight.PEACE)
    news = (*map(plain_line, own_changes), *herald(view).lines)
    return TurnStory(tuple(fights), news, weighty, tuple(works_in(view, realm)))


def _in_short(battle: BattleEntry, view: TurnView) -> str:
    return " ".join((f"{capitalised(battle.sides)}.", battle.result, *view.teller.brief(battle.report)))


def turn_herald(result: MedievalResult, language: str) -> Herald:
    """Return the turn's newspaper in a language."""
    return herald(turn_view(result, language))


def _herald_html(papers: Callable[[str], Herald], language: str) -> bytes:
    return herald_page(papers(language), "medieval", language).encode()


def turn_digests(result: MedievalResult) -> dict[str, list[str]]:
    """Return the news, and the changes for each realm, in plain lines.

    They are the top of a realm's page for readers of mail.
    """
    digests: dict[str, list[str]] = {}
    for language, readers in _readers(result).items():
        view = turn_view(result, language)
        world = herald_lines(herald(view), view.formatter.translate)
        digests |= {realm: [*world, *map(plain_line, changes(view, realm))] for realm in readers}
    return digests


def _readers(result: MedievalResult) -> dict[str, list[str]]:
    """Return the realms by the language of their players."""
    return {
        language: [*codes]
        for language, codes in groupby(sorted(result.players, key=result.language), result.language)
    }


def summary_lines(result: MedievalResult, language: str) -> list[str]:
    """Return the turn in a few lines for the game master's terminal: the summary's text in a language."""
    view = turn_view(result, language)
    return gm_summary_text(summary_of(view), view.formatter.translate).splitlines()


Summary = Mapping[str, Any]  # all that the game master is told of a turn, as page and text ask for it


def summary_of(view: TurnView) -> Summary:
    """Return the summary of one turn; its flags are the events, except dice, for the game master alone."""
    result = view.result
    formatter = view.formatter
    battles = view.battles
    season, year = season_of(result.turn, result.rules)
    flagged = (event for event in result.events if event.audience == GM and not isinstance(event, DiceRolled))
    aside = set_aside_lines(
        result.set_aside,
        {code: realm.name for code, realm in result.after.realms.items()},
        formatter.translate,
    )
    return {
        "title": result.title,
        "turn": result.turn,
        "season": season,
        "year": year,
        "due": due_in_words(result.deadline, formatter.translate),
    } | {
        "briefs": {entry.number: " ".join(view.teller.brief(entry.report)) for entry in battles},
        "realms": list(_realms(result)),
        "battles": battles,
        "changed": [
            (
                name,
                formatter.translate(realm_name(result.before, former)),
                formatter.translate(realm_name(result.after, owner)),
            )
            for name, former, owner in view.owners_changed
        ],
        "flags": [*filter(None, map(formatter.format_event, flagged)), *aside],
        "winners": [result.after.realms[code].name for code in result.after.winners],
        "phases": max((event.phase for event in result.events), default=0),
    }


def _realms(result: MedievalResult) -> Iterator[dict[str, Any]]:
    """Yield a row of the summary for each player's realm."""
    fates = Counter(
        (event.audience, event.fate) for event in result.events if isinstance(event, OrderSettled)
    )
    for code in result.players:
        realm = result.after.realms[code]
        before = result.before.realms[code]
        orders = {fate.value: fates[code, fate] for fate in OrderOutcome} | {
            "refused": len(result.refused(code))
        }
        treasury = {"before": before.treasury, "after": realm.treasury}
        seat = {"code": code, "name": realm.name, "missed": realm.missed_turns, "defeated": realm.defeated}
        # what became of the realm's order file (O1, O7)
        sheet = result.sheets.get(code)
        if sheet is None:
            file = "rejected" if result.set_aside.get(code) else "missing"
        else:
            file = "late" if sheet.late else "in time"
        yield seat | orders | treasury | {"file": file}


def gm_summary_text(summary: Summary, translate: Translate = str) -> str:
    """Return the summary as plain text, for a terminal or a mail."""

    def worded(pattern: str, *values: object) -> str:
        return str(said(says(pattern, *values), translate))

    season = translate(summary["season"])
    lines = [worded("{0}, turn {1}: {2} {3}", summary["title"], summary["turn"], season, summary["year"])]
    if summary["due"]:
        lines.append(worded("Next orders are due {0}.", summary["due"]))
    if summary["winners"]:
        winners = listed([said(the(name), translate) for name in summary["winners"]], last=translate("and"))
        lines.append(worded("The game is won by {0}.", winners))
    lines += ["", *_realm_table(summary["realms"], translate)]
    fought = [
        f"{worded('{0} (phase {1})', entry.title, entry.phase)}: {summary['briefs'][entry.number]}"
        for entry in summary["battles"]
    ]
    changed = [
        worded("{0}: {1} to {2}", name, former, said(the(owner), translate))
        for name, former, owner in summary["changed"]
    ]
    lines += _listing(translate("To look at"), summary["flags"])
    lines += _listing(worded("{0:battle}", Said(len(fought))), fought)
    lines += _listing(translate("Provinces that changed hands"), changed)
    return "\n".join(lines) + "\n"


FIGURE_COLUMNS = {"done": 5, "reduced": 8, "failed": 7, "refused": 8, "gold": 11, "change": 10}
"""The columns of figures and their widths in characters."""


def _realm_table(rows: Sequence[Mapping[str, Any]], translate: Translate) -> Iterator[str]:
    """Yield the lines of the table of realms; a longer word makes its column wider."""
    heads = {name: translate(name) for name in FIGURE_COLUMNS}
    widths = {name: max(width, len(heads[name])) for name, width in FIGURE_COLUMNS.items()}
    files = max(10, *(len(translate(row["file"])) + 1 for row in rows), len(translate("Orders")) + 1)
    titles = " ".join(f"{heads[name]:>{width}}" for name, width in widths.items())
    yield f"{translate('Realm'):<24}{translate('Orders'):<{files}} {titles}"
    for row in rows:
        figures = {**row, "gold": gold(row["after"]), "change": signed(row["after"] - row["before"])}
        cells = " ".join(f"{figures[name]:>{width}}" for name, width in widths.items())
        name = f"{row['code']} {row['name']}"
        yield f"{name:<24.24}{translate(row['file']):<{files}} {cells}"


def _listing(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"{title}:", *(f"  - {line}" for line in lines)] if lines else []
