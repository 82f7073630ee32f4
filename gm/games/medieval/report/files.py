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
from gm.games.medieval.report.herald import herald
from gm.games.medieval.report.results import Results, battle_text
from gm.games.medieval.report.turn_result import (
    MedievalResult,
    TurnView,
    Weight,
    places_of,
    plain_line,
    turn_view,
    works_in,
)
from gm.games.medieval.report.views import realm_name
from gm.games.medieval.steps.outcomes import OrderOutcome, OrderSettled
from gm.store.disk import Content, Files
from gm.store.moments import due_in_words
from gm.text.languages import ENGLISH, languages_of
from gm.text.names import the
from gm.text.pages import capitalised, gold, listed, render, signed
from gm.text.words import Said


def turn_reports(result: MedievalResult, *, html: bool = True) -> Files:
    """Return every report file of a turn, by its path; each is made when it is read.

    ``results/ENG.yaml``, ``results/ENG.html``, ``results/battles/01-london.html``, ``next/ENG.yaml``,
    ``next/ENG.schema.json``, ``summary.*``. File names come from realm codes and, for battles, from places of
    the map, never from what a player wrote. A realm's page is in its player's language, and battles have one
    in each of these, too (``01-london.de.html``). The same result always gives the same files. Without
    ``html`` only the files for programs and the summary's text are made.
    """
    # each of these functions makes its values when a file first needs them
    views = partial(turn_view, result)
    heralds = cache(lambda language: herald(views(language)))
    battles = views(ENGLISH).battles
    results = Results(result, views(ENGLISH).formatter, [entry.page for entry in battles])
    threats = cache(lambda: Threats(result.after, result.rules, result.atlas))  # for forecasts and pages
    forecasts = cache(
        lambda: standing_forecasts(result.after, result.players, result.rules, result.atlas, threats())
    )

    def with_forecast(make: Callable[[str, Forecast], Content], code: str) -> Content:
        """Return what ``make`` makes of a realm's code and forecast."""
        return make(code, forecasts()[code])

    after = result.after
    orders_data = _next_orders(result)
    turn = result.turn + 1
    schemas = RealmSchemas(after, game=result.game, turn=turn, **orders_data)

    files: dict[str, Callable[[], Content]] = {
        f"results/{entry.data}": partial(_encoded, battle_text, entry.report) for entry in battles
    }
    for code in result.players:
        files[f"results/{code}.yaml"] = partial(with_forecast, results.data, code)
        if not (after.realms[code].defeated or after.winners or after.drawn):
            key = result.keys.get(code, "")
            head = TemplateHead(result.game, turn, key, result.standing_vote(code), result.stands_until(code))
            template = partial(orders_template, after, code, head=head, **orders_data)
            files[f"next/{code}.yaml"] = partial(_encoded, template)
            files[f"next/{code}{SCHEMA}"] = partial(_encoded, schemas.text, code)
    if result.after.turn:  # before turn 1 there is nothing to sum up
        files |= _summary_files(views, result.language(GM), heralds, html=html)
    if html:
        files |= _pages(result, views, heralds, with_forecast, threats)
    return Files(files)


def _next_orders(result: MedievalResult) -> dict[str, Any]:
    """Return the arguments that templates and schemas of the next orders have in common.

    They are the rules, the map and the descriptions of the players' units, by the unit's key.
    """
    units = chain.from_iterable(map(result.after.of_realm, result.players))
    descriptions = {unit.key: describe(unit, result.rules) for unit in units}
    return {"rules": result.rules, "atlas": result.atlas, "unit_texts": descriptions}


def _summary_files(
    views: Callable[[str], TurnView], language: str, heralds: Callable[[str], Herald], *, html: bool
) -> dict[str, Callable[[], Content]]:
    """Return what makes the files of the game master's summary, by name.

    One is text in English and, with ``html``, another a page in ``language``. ``views``, ``heralds``: return
    the turn's view and its newspaper in a language.
    """
    summary = cache(lambda reader_language: summary_of(views(reader_language)))
    files: dict[str, Callable[[], Content]] = {
        "summary.txt": lambda: gm_summary_text(summary(ENGLISH)).encode()
    }
    if html:
        page = partial(_encoded, render, "medieval/summary.html")
        files["summary.html"] = lambda: page(
            {"summary": summary(language), "headlines": heralds(language).of(FRONT)}, language
        )
    return files


def _pages(
    result: MedievalResult,
    views: Callable[[str], TurnView],
    heralds: Callable[[str], Herald],
    with_forecast: Callable[..., Content],
    threats: Callable[[], Threats],
) -> dict[str, Callable[[], Content]]:
    """Return what makes the pages of realms, of battles and of the Herald, by path.

    ``views`` and ``heralds`` return the turn's view and newspaper for a language; ``with_forecast`` passes a
    realm's forecast to what makes its page; ``threats`` returns what threatens each place after the turn.
    """
    # imported here, as a turn without pages does not need them
    from gm.games.medieval.report.battle_chances import FoughtBattles
    from gm.games.medieval.report.battle_pages import BattlePages
    from gm.games.medieval.report.realm_page import RealmPages

    files: dict[str, Callable[[], Content]] = {}
    fought = FoughtBattles(result.before, result.after, result.public, result.rules, result.atlas)
    readers = _readers(result)
    battles = views(ENGLISH).battles
    # of a battle by its number, counted from 1; each is fought once for the pages of all languages
    chances = cache(lambda number: fought.chances(battles[number - 1].report))
    # in all languages: files must not show which languages the players read; the start has no newspaper
    if result.turn:
        for language in languages_of("medieval"):
            files[herald_file(language)] = partial(_herald_html, heralds, language)
    for language in dict.fromkeys((ENGLISH, result.language(GM), *readers)):
        view = views(language)
        battle_pages = BattlePages(view, chances)
        if language in readers:
            pages = RealmPages(view, battle_pages, heralds, threats)
            files |= {
                f"results/{code}.html": partial(with_forecast, pages.html, code) for code in readers[language]
            }
        files |= {
            f"results/{entry.page}": partial(_encoded, battle_pages.html, entry) for entry in view.battles
        }
    return files


def _encoded(make: Callable[..., str], *arguments: Any) -> bytes:
    """Return the text that ``make`` makes of these arguments, in UTF-8."""
    return make(*arguments).encode()


def turn_story(result: MedievalResult, realm: str, language: str) -> TurnStory:
    """Return the story of a turn: its battles, its news, and the structures built.

    ``realm``: the code of the reader's realm: what changed for it comes before the headlines, and the
    important changes are also in ``own``; empty: a story for everybody, without them.
    """
    view = turn_view(result, language)
    fights = (Fight(places_of(entry), entry.title, _in_short(entry, view)) for entry in view.battles)
    own_changes = changes(view, realm) if realm else ()
    # the smaller its weight, the more important is a change
    important = tuple(plain_line(change) for change in own_changes if change.weight <= Weight.PEACE)
    news = (*map(plain_line, own_changes), *herald(view).lines)
    return TurnStory(tuple(fights), news, important, tuple(works_in(view, realm)))


def _in_short(battle: BattleEntry, view: TurnView) -> str:
    """Return a battle's sides, its result, its losses and its aftermath, in sentences."""
    return " ".join((f"{capitalised(battle.sides)}.", battle.result, *view.teller.brief(battle.report)))


def turn_herald(result: MedievalResult, language: str) -> Herald:
    """Return the turn's newspaper in a language."""
    return herald(turn_view(result, language))


def _herald_html(heralds: Callable[[str], Herald], language: str) -> bytes:
    """Return the page of the turn's newspaper in a language; ``heralds`` returns the newspaper."""
    return herald_page(heralds(language), "medieval", language).encode()


def turn_digests(result: MedievalResult) -> dict[str, list[str]]:
    """Return the lines of plain text for each realm's mail: the news, and then its changes; by code."""
    digests: dict[str, list[str]] = {}
    for language, readers in _readers(result).items():
        view = turn_view(result, language)
        news = herald_lines(herald(view), view.formatter.translate)
        digests |= {realm: [*news, *map(plain_line, changes(view, realm))] for realm in readers}
    return digests


def _readers(result: MedievalResult) -> dict[str, list[str]]:
    """Return the codes of the players' realms by the language of their reports."""
    return {
        language: [*codes]
        for language, codes in groupby(sorted(result.players, key=result.language), result.language)
    }


def summary_lines(result: MedievalResult, language: str) -> list[str]:
    """Return the lines of the summary's text in a language, for the game master's terminal."""
    view = turn_view(result, language)
    return gm_summary_text(summary_of(view), view.formatter.translate).splitlines()


Summary = Mapping[str, Any]  # the values for the summary's page and text, see summary_of


def summary_of(view: TurnView) -> Summary:
    """Return the values of the game master's summary of one turn.

    ``flags`` are, in words, the events for the game master alone, except dice, and the rejected order files.
    """
    result = view.result
    formatter = view.formatter
    battles = view.battles
    season, year = season_of(result.turn, result.rules)
    flagged = (event for event in result.events if event.audience == GM and not isinstance(event, DiceRolled))
    rejected_lines = set_aside_lines(
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
        "flags": [*filter(None, map(formatter.format_event, flagged)), *rejected_lines],
        "winners": [result.after.realms[code].name for code in result.after.winners],
        "phases": max((event.phase for event in result.events), default=0),
    }


def _realms(result: MedievalResult) -> Iterator[dict[str, Any]]:
    """Yield the values of a row of the summary for each player's realm.

    They have the number of orders with each outcome, by its word. ``file``: what became of the order file.
    """
    # the numbers of orders by (realm, outcome)
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
        yield {**seat, **orders, **treasury, "file": file}


def gm_summary_text(summary: Summary, translate: Translate = str) -> str:
    """Return the summary as plain text, for a terminal or a mail."""

    def worded(pattern: str, *values: object) -> str:
        """Return a pattern, filled with these values, in the reader's language."""
        return str(said(says(pattern, *values), translate))

    season = translate(summary["season"])
    lines = [worded("{0}, turn {1}: {2} {3}", summary["title"], summary["turn"], season, summary["year"])]
    if summary["due"]:
        lines.append(worded("Next orders are due {0}.", summary["due"]))
    if summary["winners"]:
        winners = listed([said(the(name), translate) for name in summary["winners"]], last=translate("and"))
        lines.append(worded("The game is won by {0}.", winners))
    lines += ["", *_realm_table(summary["realms"], translate)]
    battle_lines = [
        f"{worded('{0} (phase {1})', entry.title, entry.phase)}: {summary['briefs'][entry.number]}"
        for entry in summary["battles"]
    ]
    owner_lines = [
        worded("{0}: {1} to {2}", name, former, said(the(owner), translate))
        for name, former, owner in summary["changed"]
    ]
    lines += _listing(translate("To look at"), summary["flags"])
    lines += _listing(worded("{0:battle}", Said(len(battle_lines))), battle_lines)
    lines += _listing(translate("Provinces that changed hands"), owner_lines)
    return "\n".join(lines) + "\n"


REALM_WIDTH = 24
"""The width, in characters, of the table's column of realms; longer names are cut."""
ORDERS_WIDTH = 10
"""The least width, in characters, of the table's column of order files."""
FIGURE_COLUMNS = {"done": 5, "reduced": 8, "failed": 7, "refused": 8, "gold": 11, "change": 10}
"""The columns of figures and their least widths in characters."""


def _realm_table(rows: Sequence[Mapping[str, Any]], translate: Translate) -> Iterator[str]:
    """Yield the table of realms, line by line; ``rows``: the summary's ``realms``.

    A column is as wide as its constant says, or as the longest word in it in the reader's language; only the
    first column, with the realms, is never wider.
    """
    title_of_column = {name: translate(name) for name in FIGURE_COLUMNS}
    widths = {name: max(width, len(title_of_column[name])) for name, width in FIGURE_COLUMNS.items()}
    orders_words = [translate("Orders"), *(translate(row["file"]) for row in rows)]
    orders_width = max(ORDERS_WIDTH, *(len(word) + 1 for word in orders_words))
    titles = " ".join(f"{title_of_column[column]:>{width}}" for column, width in widths.items())
    yield f"{translate('Realm'):<{REALM_WIDTH}}{translate('Orders'):<{orders_width}} {titles}"
    for row in rows:
        figures = {**row, "gold": gold(row["after"]), "change": signed(row["after"] - row["before"])}
        cells = " ".join(f"{figures[column]:>{width}}" for column, width in widths.items())
        realm = f"{row['code']} {row['name']}"
        yield f"{realm:<{REALM_WIDTH}.{REALM_WIDTH}}{translate(row['file']):<{orders_width}} {cells}"


def _listing(title: str, lines: Sequence[str]) -> list[str]:
    """Return an empty line, a title and these lines as a list; empty without lines."""
    return ["", f"{title}:", *(f"  - {line}" for line in lines)] if lines else []
