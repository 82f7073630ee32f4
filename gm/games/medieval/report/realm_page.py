"""The realm's page of a turn: one self-contained HTML file.

It is readable without scripts, on a telephone and on paper.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from typing import Any

from gm.core.values import PUBLIC, Event
from gm.game.base.herald import Herald
from gm.game.base.herald_page import herald_part
from gm.game.base.press import press_html, talk_html
from gm.game.map_changes import MARKS
from gm.games.medieval.analysis.choices import TurnChoices
from gm.games.medieval.analysis.exposure import Threats
from gm.games.medieval.analysis.forecast import Forecast
from gm.games.medieval.analysis.tallies import luck_rows
from gm.games.medieval.data.clauses_data import talk_file
from gm.games.medieval.data.rules import season_of
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.final import GoldReceived, Proclaimed
from gm.games.medieval.events.first import AmbassadorReceived
from gm.games.medieval.report import gold_rows, views
from gm.games.medieval.report.battle_pages import BattlePages
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.chronicle import EventText, arranged, fates_of, tell
from gm.games.medieval.report.map_geometry import home_view
from gm.games.medieval.report.map_marks import moves_by_phase
from gm.games.medieval.report.map_section import map_section
from gm.games.medieval.report.page_data import inlined, private_data, public_data
from gm.games.medieval.report.past import Past
from gm.games.medieval.report.relations import Surroundings, matrix, race
from gm.games.medieval.report.rules_part import RulesPart, quoted_clauses
from gm.games.medieval.report.turn_result import TurnView
from gm.games.medieval.state.realm import Controller
from gm.games.medieval.steps.outcomes import TreasuryChanged
from gm.store.disk import merge_chunks
from gm.store.moments import due_in_words, due_moment
from gm.text.languages import ENGLISH
from gm.text.pages import deflated, fragment, linked_clauses, page_template, script_json

SECTIONS = {
    "changed": "changed",
    "headquarters": "headquarters",
    "messages": "messages",
    "battles": "battles",
    "map": "map",
    "write": "writer",
    "units": "units",
    "provinces": "provinces",
    "realms": "realms",
    "relations": "relations",
    "world": "world",
    "places": "places",
    "history": "history",
    "rules": "",
    "study": "study",
    "dice": "dice",
}
"""The template of each section of a page, by its key, in the order of the page.

The rules have none: they are the clauses that the other sections name."""
SHARED_SECTIONS = ("relations", "world", "places", "study")
"""The sections that are the same on the pages of all realms."""
OWN_SECTIONS = [name for name in SECTIONS if name not in (*SHARED_SECTIONS, "rules")]


class RealmPages:
    """Makes every realm's page of one turn in the language of its view; their common part is made once."""

    def __init__(
        self,
        view: TurnView,
        battles: BattlePages,
        heralds: Callable[[str], Herald],
        threats: Callable[[], Threats],
    ) -> None:
        """Prepare the common part of all realms' pages.

        ``battles``: the pages of the turn's battles; ``heralds``: returns the turn's newspaper in a language;
        ``threats``: returns what threatens each place after the turn, cached, as forecasts use it, too.
        """
        result = view.result
        formatter = view.formatter
        translate = self._translate = formatter.translate
        self._result = result.evolve(deadline=due_in_words(result.deadline, translate))
        self._formatter = formatter
        self._battles = battles
        self._event_texts = tell(result, formatter, battles.entries)
        self._language = formatter.language
        self._fragment = partial(fragment, language=formatter.language)
        after = result.after
        rules = result.rules
        atlas = result.atlas
        self._units = {key: views.UnitRow(unit, after, rules, translate) for key, unit in after.units.items()}
        self._provinces = {
            name: views.ProvinceRow(land, after, rules, atlas, translate)
            for name, land in after.provinces.items()
        }
        self._realms = {
            code: views.RealmRow(realm, after, rules, atlas) for code, realm in after.realms.items()
        }
        self._choices = TurnChoices(after, rules, atlas, formatter.language)
        self._choices.threats = threats()
        self._turn_view = view
        self._heralds = heralds
        self._surroundings = Surroundings(view, self._units.values())
        self._rules = RulesPart(rules, atlas, result.fingerprint, formatter)
        self._history = Past(view)

    def html(self, realm: str, forecast: Forecast) -> list[bytes]:
        """Return the page of ``realm``, in pieces.

        ``forecast`` is its H1 forecast for the next turn before any orders.
        """
        values = self._shared | self._values(realm, forecast)
        own_sections = {
            name: self._fragment(f"medieval/page/{SECTIONS[name]}.html", values) for name in OWN_SECTIONS
        }
        named_clauses = self._shared_clauses.union(*map(linked_clauses, own_sections.values()))
        rules_section = self._rules.section(frozenset(named_clauses))
        sections = {**own_sections, **self._shared_sections, "rules": rules_section}
        page = values | {"sections": {name: sections[name] for name in SECTIONS}}
        pieces = page_template("medieval/realm.html", self._language).generate(page)
        # encoded piece by piece, which is faster than as one text
        return merge_chunks([piece.encode() for piece in pieces])

    @cached_property
    def _shared_sections(self) -> dict[str, str]:
        """The HTML of the sections that are the same on all pages, by key."""
        return {
            name: self._fragment(f"medieval/page/{SECTIONS[name]}.html", self._shared)
            for name in SHARED_SECTIONS
        }

    @cached_property
    def _world_data(self) -> str:
        """The JSON of the public world and its choices, for the page's scripts."""
        result = self._result
        return script_json(public_data(result.after, self._choices, game=result.game, title=result.title))

    @cached_property
    def _shared_clauses(self) -> set[str]:
        """The ids of the clauses in what all pages share, sections and data.

        A realm's own data are not searched: a text like F5 in them is a fleet.
        """
        linked = map(linked_clauses, self._shared_sections.values())
        return quoted_clauses(self._world_data).union(*linked)

    @cached_property
    def _shared(self) -> dict[str, Any]:
        """The template's values that are the same on all pages."""
        result = self._result
        season, year = season_of(result.turn, result.rules)
        return self._around | {
            "record": result,
            "rules": result.rules,
            "formatter": self._formatter,
            "season": self._translate(season),
            "year": year,
            "winners": list(map(self._formatter.realm, result.after.winners)),
            "drawn": result.after.drawn,
            "battle_parts": self._battles,
            "battles_of_others": self._battles.in_brief,
            "proclamations": [
                (self._formatter.realm(event.realm), event.text)
                for event in result.events
                if isinstance(event, Proclaimed) and event.audience == PUBLIC
            ],
            "map": map_section(
                result.after,
                result.rules,
                result.atlas,
                moves_by_phase(result.public, result.after),
                language=self._language,
                compared_from=self._history.compared_from,
            ),
            "borders": views.borders_of(result.atlas),
            "made": {},  # pieces of HTML that the templates make for the first page and use in all, by name
            "luck": luck_rows(result.tally, self._formatter),
            "study": self._rules.study(),
            "past_maps": self._fragment("medieval/past_maps.html", self._history.maps()),
            "marks": MARKS,
            "map_steps": script_json(self._history.steps()),
            "inlined": inlined(language=self._language),
            "world_data": deflated(self._world_data),
        }

    @property
    def _around(self) -> dict[str, Any]:
        """The template's values about the world: news, relations, the race, and the table of places."""
        result = self._result
        realms_values = {
            "rules": result.rules,
            "name": self._formatter.realm,  # a function: the name for a realm's code
            "winners": result.after.winners,
        }
        relations = matrix(self._turn_view)
        standing = race(result.before, result.after, result.rules, result.atlas)
        public_parts = arranged(entry for entry in self._event_texts if not entry.private)
        units = [row for row in self._units.values() if not row.empty]
        name_of = self._formatter.with_articles().realm
        places = [
            (name, self._provinces.get(name), name_of(place.capital_of or ""))
            for name, place in result.atlas.locations.items()
        ]
        return {
            "relations": self._fragment("medieval/relations.html", realms_values | relations),
            "in_matrix": [code for code, _ in relations["realms"]],
            "race": self._fragment("medieval/race.html", realms_values | standing),
            "herald": herald_part(self._heralds(self._language), "medieval", self._language, linked=True),
            "world": self._fragment("medieval/world.html", {"parts": public_parts, "units": units}),
            "places": self._fragment("medieval/places.html", {"places": places}),
        }

    @cached_property
    def _told_to(self) -> Mapping[str, list[EventText]]:
        """The events in words for each realm, by code: private ones, and public ones that concern it."""
        entries_of: dict[str, list[EventText]] = {code: [] for code in self._result.players}
        for entry in self._event_texts:
            readers = {entry.audience} if entry.private else entry.concerns
            for code in entries_of.keys() & readers:
                entries_of[code].append(entry)
        return entries_of

    @cached_property
    def _events_of(self) -> Mapping[str, list[Event]]:
        """The private events of each realm, and the public ones about changes of its troops, by code."""
        events: dict[str, list[Event]] = {code: [] for code in self._result.players}
        for event in self._result.events:
            owner = event.realm if isinstance(event, (TroopsChanged, CommandersChanged)) else event.audience
            if owner in events:
                events[owner].append(event)
        return events

    def _values(self, realm: str, forecast: Forecast) -> dict[str, Any]:
        """Return the template's values of one realm's page."""
        result = self._result
        after = self._result.after
        own_realm = after.realms[realm]
        names = {code: seat.name for code, seat in after.realms.items()}
        events = self._events_of[realm]
        sheet = result.sheets.get(realm)
        units = [self._units[unit.key] for unit in after.of_realm(realm)]
        provinces = [self._provinces[land.name] for land in after.owned_by(realm)]
        key = result.keys.get(realm, "")
        choices = self._choices.of_realm(realm)
        fates = fates_of(realm, events, sheet, self._formatter)
        payments = [event for event in events if isinstance(event, TreasuryChanged)]
        ambassadors = [event for event in events if isinstance(event, AmbassadorReceived)]
        contacts: dict[str, list[str]] = {}
        for ambassador in ambassadors:
            contacts.setdefault(ambassador.realm, []).append(ambassador.contact)
        realms = self._realms.values()
        standings = views.standing_rows(result.before, self._choices.world, realm, choices, realms, contacts)
        return {
            "realm": self._realms[realm],
            "key": key,
            "sheet": sheet,
            "limits": result.rules.statuses[own_realm.status],
            "treasury_before": result.before.realms[realm].treasury,
            "treasury": own_realm.treasury,
            "changes_since": changes(self._turn_view, realm),
            "map_changes": self._history.legend(realm),
            "near": self._surroundings.of(realm),
            "history": self._history.of(realm),
            "books": gold_rows.books(payments, self._translate),
            "payments": payments,
            "forecast": forecast,
            "other_lines": gold_rows.other_lines(forecast),
            "upkeep_rows": gold_rows.upkeep_rows(units, after, realm, result.rules),
            "revenue_rows": gold_rows.revenue_rows(provinces, result.atlas, result.rules),
            "annexable": gold_rows.annexable(self._choices.world, realm, result.rules, result.atlas),
            "works": gold_rows.works(choices, units, provinces, result.rules),
            "due": due_moment(result.deadline),
            "gold_received": [event for event in events if isinstance(event, GoldReceived)],
            "ambassadors": ambassadors,
            "press": press_html(
                result.press,
                result.press_rule,
                result.turn,
                realm,
                names,
                self._language,
                since=result.seated.get(realm, 1),
            ),
            "talk": self._talk(realm),
            "fates": fates,
            "counts": [_count_orders(orders_by_subject) for orders_by_subject in fates.values()],
            "refused": result.refused(realm),
            "set_aside": result.set_aside.get(realm, ()),
            "parts": arranged(self._told_to[realm]),
            # the realm's own battles first
            "battles": sorted(self._battles.entries, key=lambda entry: realm not in entry.realms),
            "changes": self._changes(events),
            "units": units,
            "provinces": provinces,
            "lost": [
                row for row in self._provinces.values() if row.annexed_to == realm and row.realm != realm
            ],
            "standings": standings,
            "failing": views.failing_orders(standings, self._translate),
            "home": home_view(result.atlas, [row.name for row in provinces]),
            # without the key, which a letter leaves out of the page and cannot find in packed data
            "own_data": deflated(script_json(private_data(after, realm, "", self._choices, choices))),
        }

    def _talk(self, realm: str) -> str:
        """Return the HTML of a realm's form for letters and votes."""
        others = {
            code: other
            for code, other in self._result.after.realms.items()
            if not other.defeated and code != realm
        }
        readers = [code for code, other in others.items() if other.controller is Controller.PLAYER]
        names = {code: other.name for code, other in others.items()}
        bot_help = ""
        if not set(readers).isdisjoint(self._result.programs):  # a bot is among the readers
            sentences = talk_file().says
            bot_help = sentences.get(self._language, sentences[ENGLISH])["help"]
        press_rule = self._result.press_rule
        votes_rule = self._result.rules.votes
        return talk_html(press_rule, votes_rule, names, readers, self._language, help_of_bots=bot_help)

    def _changes(self, events: Iterable[Event]) -> list[tuple[str, int, str, str]]:
        """Return (unit, count, subject, cause) of the realm's gains and losses, which have negative counts.

        The subject is a troop type or a commander.
        """
        counts = Counter[tuple[str, str, str]]()  # by (unit's key, subject, cause)
        for event in events:
            if isinstance(event, TroopsChanged | CommandersChanged):
                subject = event.troop if isinstance(event, TroopsChanged) else event.commander
                counts[event.unit, subject, event.cause] += event.count
        return [
            (self._formatter.own_unit(*unit.split("/", 1)), count, subject, self._translate(cause))
            for (unit, subject, cause), count in counts.items()
            if count
        ]


def _count_orders(orders_by_subject: Iterable[tuple[str, list[Any]]]) -> int:
    """Return the number of all orders, which are given as (subject, its orders)."""
    return sum(len(orders) for _, orders in orders_by_subject)
