"""Conquestination as a game of this program, its beginning, and the corrections that a GM can make in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gm.core.diagnostics import says
from gm.core.dice import Dice
from gm.core.values import Event
from gm.core.yaml.source import Source
from gm.game.answers import OddsForms, OddsMaker, Preview
from gm.game.base.forecast import assumed
from gm.game.base.hooks import formatter_of
from gm.game.base.position import COLOURS
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.corrections import Correction
from gm.game.spec import GameSpec
from gm.game.values import Founded, GameData, NewGameRequest, OwnTable, Step, the_one, whole
from gm.games.conquestination.cells import rank
from gm.games.conquestination.events import Fought
from gm.games.conquestination.generator import random_map
from gm.games.conquestination.orders import Orders, OrdersReader
from gm.games.conquestination.rules import Board, Rules, Settings
from gm.games.conquestination.state import Campaign, Country, Player, to_deploy
from gm.games.conquestination.steps import STAGES
from gm.store.formats import JsonObject
from gm.text.languages import Translate

_ACTING = dict.fromkeys(("TurnBegan", "Reinforced", "Fought", "Conquered", "Redeployed"), "owner") | {
    "Eliminated": "by"
}
"""The field of each event that says whose turn it was."""
FEW = 2  # The most players for whom a game is played turn by turn by default
_IF_OPEN = ("open", "kept_open")  # Fields of a state that are stored only while a turn is open
MOST_UNITS = 9_999  # The most units to which a country may be corrected


def _owner(table: GameData, state: Campaign, words: Sequence[str]) -> tuple[Campaign, str]:
    """Correct the owner of a country; return the game and the change in words. ``words``: country, player.

    Players without countries are then out of the game, all others in it.
    """
    country = the_one(words[0], state.countries, "country")
    owner = the_one(words[1], state.parties, "player")
    after = state.with_countries({country: state.countries[country].evolve(owner=owner)})
    holding = {code: bool(after.held(code)) for code in after.parties}
    return after.with_holding(holding), says("{0} is {1}'s", country, state.parties[owner].name)


def _units(table: GameData, state: Campaign, words: Sequence[str]) -> tuple[Campaign, str]:
    """Correct the units in a country; return the game and the change in words. ``words``: country, number."""
    country = the_one(words[0], state.countries, "country")
    units = whole(words[1], "number of units", 1, MOST_UNITS)
    after = state.with_countries({country: state.countries[country].evolve(units=units)})
    return after, says("{0} has {1} units", country, units)


def _dealt_countries(board: Board, drawn: Sequence[str], codes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (country, owner) for all countries, which were ``drawn`` in this order (CN-5.2).

    On a symmetric map each player gets the countries of another, turned to the next sector.
    """
    sectors = board.random.symmetry if board.random else 0
    for index, country in enumerate(drawn):
        if not sectors or board.random is None:
            yield country, codes[index % len(codes)]
        # those of other sectors come with their counterparts in the first sector
        elif board.sector(country) == 0:
            for turns in range(sectors):
                yield board.random.turned(country, turns), codes[(index + turns) % sectors]


class ConquestinationGame(SmallGame[Campaign]):
    """Conquestination; :class:`gm.game.base.hooks.Hooks` describes each member."""

    key = "conquestination"
    title = "Conquestination"
    battle_events = ("Fought",)
    default_map = "random"
    land = "countries"
    state_type = Campaign
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = Orders
    stages = STAGES
    page_styles = ("conquestination/map.css",)
    corrections: ClassVar[Mapping[str, Correction]] = {
        "owner": Correction("owner COUNTRY PLAYER    e.g. owner A1 BLUE", _owner),
        "units": Correction("units COUNTRY NUMBER    e.g. units A1 5", _units),
    }
    edition = 2
    skips = True
    adviser = "general"
    out_clause = "CN-11.6"
    turn_days = "defaults.turn_days"

    def generated(self, board: Board, settings: Settings, seed: str) -> Board:
        """Return ``board``; if it is to be ``random`` and has no cells yet, a new map by its figures (CN-4).

        Figures among the ``settings`` take the place of its own. Raises ``NoMapError`` if no map can be made.
        """
        if board.random is None or board.cells:
            return board
        random_settings = board.random.evolve(**settings.of_map)
        return random_map(board, random_settings, self.read_rules(), Dice(seed, "creation"))

    size_option = "players"

    def players_on(self, board: Board) -> range:
        """Return the numbers of players that the map and the rules allow (CN-2.1)."""
        return self._allowed(Settings(), board)

    def _allowed(self, settings: Settings, board: Board) -> range:
        """Return the possible numbers of players (CN-2.1, CN-2.4).

        A symmetric map is for as many players as it has sectors; no map is for more than it has countries.
        """
        rules = self.read_rules()
        random = board.random.evolve(**settings.of_map) if board.random else None
        if random and random.symmetry:
            return range(random.symmetry, random.symmetry + 1)
        # a random map has no cells, and so no countries, before it is drawn
        countries = len(board.countries) if board.cells or random is None else random.whole.countries
        allowed = board.players or rules.players
        return range(allowed.min, min(allowed.max, rules.players.max, countries) + 1)

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """Return the settings completed by rules, map and the number of people (CN-2).

        Raises ``ValueError`` if they do not fit the map.
        """
        rules = self.read_rules()
        allowed = self._allowed(settings, board)
        seats = settings.players if settings.players is not None else max(people, allowed.start)
        if seats not in allowed:
            most = allowed.stop - 1
            numbers = str(most) if most == allowed.start else says("{0} to {1}", allowed.start, most)
            pattern = "{0} is for {1} players, not for {2} (CN-2.1)"
            raise ValueError(says(pattern, says(board.title), numbers, seats))
        if board.random is None and settings.of_map:
            name = min(settings.of_map)
            pattern = "'{0}' is for a random map; {1} is as it is (CN-2.2)"
            raise ValueError(says(pattern, name, says(board.title)))
        return settings.filled(rules).evolve(players=seats)

    def founded(self, wishes: NewGameRequest) -> Founded:
        """Return the new game, which is played turn by turn by default if few wait for each other (CN-1.4).

        So it is with two players, or with one or two people at their own table; not if no player is named.
        """
        setup = super().founded(wishes)
        settings = setup.table.settings[0]  # beside them is the seed
        is_for_few = settings.players == FEW or (wishes.at_table and wishes.people <= FEW)
        if not wishes.people or not is_for_few or "mode" in wishes.options:
            return setup
        return super().founded(wishes.evolve(options={**wishes.options, "mode": "single"}))

    def record(self, state: Campaign) -> JsonObject:
        """Return the state as data; fields of an open turn are left out without one, as in older games."""
        return {name: value for name, value in super().record(state).items() if value or name not in _IF_OPEN}

    def seat_order(self, start: Campaign) -> Sequence[str]:
        """Return the parties in the order in which they go to players; empty: dice decide (CN-2.5)."""
        return tuple(start.parties) if start.settings.seat_order == "joined" else ()

    def own_board(self, table: GameData) -> bool:
        """Return whether the map is random (CN-4), so that results must contain it."""
        return table.board.random is not None

    def opening(self, table: GameData, settings: Settings, seed: str) -> Campaign:
        """Return the start position (CN-5.1 to CN-5.4).

        Countries are dealt, each with as many units as the rules say; the rest is placed in run 0.
        """
        board = self.generated(table.board, settings, seed)
        rules = table.rules
        dice = Dice(seed, "creation")
        codes = list(COLOURS)[: settings.players or rules.players.min]
        if settings.seat_order == "shuffled":
            codes = dice("D1").sample(codes, len(codes))
        countries_drawn = dice("D2").sample(board.countries, len(board.countries))
        deal = dict(_dealt_countries(board, countries_drawn, codes))
        units_each = rules.deployment.units_per_country
        dealt = Counter(deal.values())
        shares: Sequence[int] = ()  # how much more or less each seat deploys, in percent
        if settings.fair_start:
            shares = {**rules.fair_start, **board.fair_start}.get(str(len(codes)), ())
        share_of_code = dict(zip(codes, shares, strict=False))
        units_left = {
            code: to_deploy(len(deal), len(codes), dealt[code], rules.deployment, share_of_code.get(code, 0))
            for code in codes
        }
        parties = {
            code: Player(code=code, name=code.title(), colour=COLOURS[code], to_deploy=max(0, units))
            for code, units in units_left.items()
        }
        return Campaign(
            parties=parties,
            settings=settings,
            countries={code: Country(owner=deal[code], units=units_each) for code in sorted(deal, key=rank)},
            current=codes[0] if settings.mode == "single" else None,
        )

    def read_body(self, body: Body, table: GameData, state: Campaign) -> Orders | None:
        """Return the orders of a file (CN-10, CN-11).

        None, with a finding, if it is rejected, as is every file of a player whose turn it is not.
        """
        # mode ``single``: after run 0, in which all deploy, each run belongs to one player
        if state.current is not None and state.run > 0 and state.current != body.realm:
            message = says("it is the turn of {0}", says(state.parties[state.current].name))
            body.error(body.root, "not-your-turn", message, clause="CN-11.2")
            return None
        redeployable = table.board.redeployable(state.settings.applied(table.rules).redeploy)
        return OrdersReader(body, state, table.board, redeployable).orders()

    def foreseen(self, table: GameData, state: Campaign, realm: str, quoted: int, condition: Any) -> bool:
        """Return whether the player missed no turn and the countries have the expected owners (CN-10.1).

        ``condition``: the owner of each country, as written; None: any. Anything else is not met.
        """
        if state.parties[realm].missed or not isinstance(condition, dict | None):
            return False
        players = {name.casefold(): code for name, code in state.codes_by_name.items()}
        owners = {name.casefold(): country.owner for name, country in state.countries.items()}
        for name, owner_name in (condition or {}).items():
            owner = owners.get(str(name).casefold())
            if owner is None or owner != players.get(str(owner_name).casefold()):
                return False
        return True

    def alternates(self, state: Campaign) -> bool:
        return state.settings.mode == "single"

    def waiting(self, table: GameData, state: Campaign) -> frozenset[str]:
        """Return all players but the current one, in mode single (CN-1.4); else, and in run 0, nobody."""
        return frozenset(state.parties) - {state.current} if state.current and state.run else frozenset()

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Campaign, code: str) -> dict[str, Any]:
        for model in ("DeployModel", "ReinforceModel", "AttackModel", "RedeployModel"):
            for name in {"country", "from", "to"} & schema["$defs"][model]["properties"].keys():
                schema["$defs"][model]["properties"][name]["examples"] = list(table.board.countries)
        return schema

    def at_table(self, table: GameData, state: Campaign, party: str, translate: Translate = str) -> OwnTable:
        """Return what the page at a party's own table offers in its turn (CN-1.4, CN-7.7).

        That is to roll once; after a roll also to attack again or to stop. Nothing if it is not its turn.
        """
        if state.run == 0 or state.current != party or state.winners is not None:
            return OwnTable()
        once = Step(name="once", title=translate("Roll once"), lines="go_on: true\n")
        assault = state.open.assault if state.open is not None else None
        if assault is None:
            return OwnTable(steps=(once,), begun=state.open is not None)
        about = self.module("asking").after_roll(
            table, state, assault, formatter_of(self, table, (state,), translate)
        )
        line = f"{{from: {assault.source}, to: {assault.target}, with: {assault.engaged}}}"
        again = f"attacks:\n  - {line}\ngo_on: true\n"
        again_step = Step(name="again", title=translate("Attack again"), lines=again, whole=True)
        return OwnTable(
            about=about, steps=(again_step, Step(name="stop", title=translate("Stop here")), once), begun=True
        )

    def label(self, state: Campaign, translate: Translate = str) -> str:
        """Return the name of the position: that of the last run, ``run 3``; before run 0 it is the deal."""
        if not state.turn:
            return translate("the deal")
        return translate("run {number}").format(number=state.turn - 1)

    def played_name(self, state: Campaign) -> str:
        """Return the name of the last run: its number is that of order files, not of the turn (CN-1.7)."""
        return self.label(state)

    def coming_name(self, state: Campaign) -> str:
        return f"run {state.run}"

    def names(self, table: GameData, state: Campaign) -> Mapping[str, str]:
        board: Board = table.board
        return {**board.continents, **{country: board.called(country) for country in board.names}}

    odds_forms = OddsForms(forces='"9 vs 10"', march="A1:C1")

    @property
    def odds(self) -> OddsMaker:
        maker: OddsMaker = self.module("asking").odds
        return maker

    def preview(
        self,
        table: GameData,
        state: Campaign,
        realm: str,
        sheet: Any,
        source: Source,
        translate: Translate = str,
    ) -> Preview:
        """Return the preview of orders with the expected results of attacks, which need no trials."""
        plain_preview = super().preview(table, state, realm, sheet, source, translate)
        formatter = formatter_of(self, table, (state,), translate)
        orders_of_others, _ = assumed(self, table, state, realm, source)
        orders = {realm: sheet.orders, **orders_of_others}
        expected: Preview = self.module("asking").previewed(
            table, state, realm, orders, plain_preview, formatter
        )
        return expected

    def chapter(self, event: Event) -> str:
        """Return the code of the player in whose turn an event happened (CN-1.2); empty for other events."""
        field_name = _ACTING.get(event.kind)
        return str(getattr(event, field_name)) if field_name else ""

    def weighed(self, table: GameData, event: Event) -> str:
        return str(self.module("asking").weighed(table.rules, event))

    def owners(self, table: GameData, state: Campaign) -> Mapping[str, str]:
        return {country: holding.owner for country, holding in state.countries.items()}

    def fought_at(self, event: Event) -> tuple[str, ...]:
        return (event.target,) if isinstance(event, Fought) else ()

    def figures(self, table: GameData, state: Campaign) -> Mapping[str, Mapping[str, float]]:
        """Return the figures of each player, by code and name; countries come first, as in CN-8.9."""
        return {
            code: {
                "countries": len(state.held(code)),
                "units": state.units_of(code),
                "continents": len(table.board.whole(state.held(code))),
                "reinforcement": state.next_units(code, table.board, table.rules),
            }
            for code in state.parties
        }


SPEC: GameSpec[Campaign] = ConquestinationGame()
