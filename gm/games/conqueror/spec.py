"""Conqueror! as a game of this program."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, ClassVar

from gm.core.diagnostics import did_you_mean, fold, nearest, says
from gm.core.dice import Dice
from gm.core.values import Event
from gm.game.answers import BookLine, Explanation, OddsForms, OddsMaker
from gm.game.base.hooks import Trial
from gm.game.base.reading import Body
from gm.game.base.small_game import SmallGame
from gm.game.corrections import Correction
from gm.game.spec import GameSpec
from gm.game.values import GameData
from gm.games.conqueror.corrections import (
    correct_armies,
    correct_date,
    correct_gold,
    correct_influence,
    correct_owner,
)
from gm.games.conqueror.events import Bought, Fought, Improved, Moved, WinterPaid, Worked
from gm.games.conqueror.figures import outlook, public_score, score
from gm.games.conqueror.land import COLOURS, Board, StartFile
from gm.games.conqueror.orders import OrdersModel, OrdersReader
from gm.games.conqueror.rules import Leader, Rules, Settings
from gm.games.conqueror.state import NEUTRAL, OTHERS, Orders, Player, World, opened
from gm.games.conqueror.steps import STAGES
from gm.text.languages import Translate
from gm.text.words import EventFormatter

CULTIVATED = ("develop", "advance")  # The items that raise a province's culture


def _home(word: str, board: Board) -> str:
    """Return the code of the home that a word means: by its code, its name or its colour.

    Raises ``ValueError`` if it means none.
    """
    homes = {fold(code): code for code in board.homes}
    for code, colour in board.homes.items():
        homes |= {fold(board.provinces[code].name): code, fold(colour): code}
    if fold(word) not in homes:
        hint = did_you_mean(nearest(word, board.homes)) or says("there is {0}", ", ".join(board.homes))
        raise ValueError(says("no home is called {0!r}: {1} (CQ-2.8)", word, hint))
    return homes[fold(word)]


class ConquerorFormatter(EventFormatter):
    """Writes losses of both sides as ``2 : 1``, the attacker's first."""

    def figure(self, value: Any, name: str) -> str:
        """Return the value of the event's field ``name`` as text for its sentence."""
        # the title of a rank is no text of a player's, and is translated
        if name == "title":
            return self.translate(value)
        return f"{value[0]} : {value[1]}" if name in ("field", "siege") else self.words(value, name)


class ConquerorGame(SmallGame[World]):
    """Conqueror!; :class:`gm.game.base.hooks.Hooks` describes each member."""

    key = "conqueror"
    title = "Conqueror!"
    battle_events = ("Fought",)
    default_map = "europe859"
    state_type = World
    board_type = Board
    rules_type = Rules
    settings_type = Settings
    order_model = OrdersModel
    stages = STAGES
    adviser = "steward"
    corrections: ClassVar[Mapping[str, Correction]] = {
        "owner": Correction("owner PROVINCE PLAYER    e.g. owner MERC WESS, or NEUTRAL", correct_owner),
        "armies": Correction("armies PROVINCE NUMBER    e.g. armies MERC 3", correct_armies),
        "gold": Correction("gold PLAYER AMOUNT    e.g. gold WESS 20", correct_gold),
        "influence": Correction(
            "influence PROVINCE PLAYER POINTS    e.g. influence MERC WESS 40", correct_influence
        ),
        "date": Correction(
            "date DAY    e.g. date 2026-05-01: the day of the coming turn, for a game with 'until'",
            correct_date,
        ),
    }
    head_clause = "CQ-20.2"
    out_clause = "CQ-7.11"
    page_styles = ("conqueror/map.css",)
    formatter_class = ConquerorFormatter
    dated = True
    turn_days = "limits.turn_days"

    size_option = "max_players"
    homes_drawn = True

    def players_on(self, board: Board) -> range:
        """Return the possible numbers of players: from two up to the number of homes (CQ-2.4)."""
        return range(2, len(board.homes) + 1)

    def chosen(self, settings: Settings, board: Board, people: int) -> Settings:
        """Return the settings for a map, with codes for homes, and as many seats as homes unless set (CQ-2).

        Seats without a person are the computer's. Raises ``ValueError`` if the settings do not fit the map.
        """
        allowed = self.players_on(board)
        most = allowed[-1]
        seats = most if settings.max_players is None else settings.max_players
        if seats not in allowed:
            raise ValueError(
                says(
                    "{0} has seats for 2 to {1} players, not for {2} (CQ-2.4)", says(board.title), most, seats
                )
            )
        homes = [_home(word, board) for word in settings.homes]
        if len(set(homes)) < len(homes):
            raise ValueError(says("a home is named twice under 'homes' (CQ-2.9)"))
        if len(homes) > seats:
            raise ValueError(says("'homes' names {0} homes for {1} seats (CQ-2.3)", len(homes), seats))
        leaders = {_home(word, board): leader for word, leader in settings.leaders.items()}
        return settings.filled(self.read_rules()).evolve(
            max_players=seats, homes=tuple(homes), leaders=leaders
        )

    def with_wishes(self, settings: Settings, board: Board, parties: Sequence[str]) -> Settings:
        """Return the settings with more homes that are certainly in play: those among ``parties`` (CQ-2.8).

        Raises ``ValueError`` if there are more homes than seats then.
        """
        requested_homes = [code for code in parties if code in board.homes and code not in settings.homes]
        homes = (*settings.homes, *requested_homes)
        if settings.max_players is not None and len(homes) > settings.max_players:
            pattern = "{0} homes are asked for, and there are {1} seats (CQ-2.3)"
            raise ValueError(says(pattern, len(homes), settings.max_players))
        return settings.evolve(homes=homes)

    def opening(self, table: GameData, settings: Settings, seed: str) -> World:
        """Return the start position, with seats in the order of the map's homes (CQ-4)."""
        board = table.board
        rules = table.rules
        # CQ-2.9: the homes that were asked for, and by draw D1 as many of the others as there are seats left
        other_homes = [code for code in board.homes if code not in settings.homes]
        chosen_homes = set(settings.homes)
        draw = Dice(seed, "creation")("D1 seats")
        while len(chosen_homes) < (settings.max_players or len(board.homes)):
            chosen_homes.add(other_homes.pop(draw.below(len(other_homes))))
        seats = [code for code in board.homes if code in chosen_homes]
        fair = settings.fair_start
        provinces = {code: opened(code, board, seats, rules, fair=fair) for code in board.by_id}
        parties = {}
        for code in seats:
            changes = board.fair.get(code, StartFile()) if fair else StartFile()
            player = Player(
                code=code,
                name=board.by_id[code].name,
                colour=COLOURS[board.homes[code]],
                tint=board.homes[code],
                leader=settings.leaders.get(code) or Leader(),
                capital=code,
                gold=changes.of(rules.start, "gold"),
            )
            parties[code] = player.evolve(score=score(player, [provinces[code]], rules))
        return World(parties=parties, settings=settings, provinces=provinces)

    def on_day(self, state: World, day: str) -> World:
        """Return the state with today's date, for a game that ends on a day (CQ-2.7)."""
        return state.evolve(today=day)

    def read_body(self, body: Body, table: GameData, state: World) -> Orders:
        """Return the orders of a file (CQ-19, CQ-20)."""
        return OrdersReader(body, state, table.board, state.settings.applied(table.rules)).orders()

    def also_called(self, state: World) -> Mapping[str, str]:
        """Return the code of the player for each country's name, colour and leader (CQ-2.8, CQ-2.10).

        A word that could mean two players is the first one's, and one that is a player's code is left out.
        """
        code_of_word: dict[str, str] = {}
        used_words = {fold(code) for code in state.parties}
        for word_of in map(attrgetter, ("name", "tint", "leader.name")):
            for code, player in state.parties.items():
                word = word_of(player)
                if word and fold(word) not in used_words:
                    used_words.add(fold(word))
                    code_of_word[word] = code
        return code_of_word

    def narrowed(self, schema: dict[str, Any], table: GameData, state: World, code: str) -> dict[str, Any]:
        """Return the schema with examples: items, a player's provinces, and all provinces as moves' ends."""
        own = [province.code for province in state.owned(code)]
        every = list(state.provinces)
        items = list(table.rules.items)
        offered = {
            "MoveModel": {"from": own, "to": every},
            "BuyModel": {"province": own, "item": items},
            "ItemModel": {"item": items, "target": own},
        }
        for model, fields in offered.items():
            for name, examples in fields.items():
                schema["$defs"][model]["properties"][name]["examples"] = examples
        return schema

    def books(self, table: GameData, state: World, code: str, outcome: Any) -> Sequence[BookLine]:
        """Return the lines of a treasury's account of a turn, with an outlook to winter (CQ-12, CQ-22.3)."""
        gold = state.parties[code].gold
        lines = [BookLine(says("in the treasury"), None, Decimal(gold), total=True)]
        for event in outcome.events:
            match event:
                case Bought(party=party) if party == code:
                    item = says(event.item)
                    title = says("buying {0} × {1} in {2}", event.count, item, event.province)
                    change = -event.price
                case Worked(party=party) if party == code and event.gold:
                    title = says("{0}: {1}", event.province, says(event.item))
                    change = event.gold
                case WinterPaid(party=party) if party == code:
                    title = says("winter: pay of the armies")
                    change = -event.paid
                    if event.paid < event.due:
                        title = says("winter: pay of the armies of the {0} that they want", event.due)
                case _:
                    continue
            gold += change
            lines.append(BookLine(title, Decimal(change), Decimal(gold), total=False))
        lines.append(BookLine(says("after the turn"), None, Decimal(gold), total=True))
        if outcome.state.parties[code].alive:
            coming = outlook(outcome.state, code, table.board, state.settings.applied(table.rules))
            title = says(
                "winter, {0} turn later, wants {1}; with taxes until then there are"
                if coming.turns == 1
                else "winter, {0} turns later, wants {1}; with taxes until then there are",
                coming.turns,
                coming.bill,
            )
            lines.append(BookLine(title, None, Decimal(gold + coming.until_winter), total=True))
        return lines

    def forecast(
        self, table: GameData, before: World, outcome: Trial[World], code: str, formatter: EventFormatter
    ) -> Iterable[Explanation]:
        return tuple(self.module("forecast").course(table, before, outcome, code, formatter))

    odds_forms = OddsForms(forces='"8 vs 5"', march="WESS:MERC", more=("fortification",))

    @property
    def odds(self) -> OddsMaker:
        maker: OddsMaker = self.module("odds").odds
        return maker

    def weighed(self, table: GameData, event: Event) -> str:
        return str(self.module("odds").weighed(table.rules, event))

    def label(self, state: World, translate: Translate = str) -> str:
        """Return the date of a position: ``turn 7, autumn 860`` (CQ-1.3)."""
        label = super().label(state, translate)
        return f"{label}, {translate(state.season)} {state.year}" if state.turn else label

    def names(self, table: GameData, state: World) -> Mapping[str, str]:
        provinces = {code: province.name for code, province in table.board.provinces.items()}
        things = {item: item for item in (*table.rules.items, *filter(None, table.rules.works))}
        return {**things, **provinces, NEUTRAL: "the local leaders", OTHERS: "others"}

    def seen(self, table: GameData, state: World, realm: str) -> World:
        """Return the state without others' gold, items, labour, and influence of third parties (CQ-22.2).

        Until the end scores are shown without gold, which could be computed from them.
        """
        visible = state.seen(realm)
        if state.winners is not None:
            return visible
        other_players = ((code, player) for code, player in state.parties.items() if code != realm)
        return visible.with_parties(
            {code: {"score": public_score(party, table.rules)} for code, party in other_players}
        )

    def tells(self, state: World, party: str, event: Event) -> bool:
        """Return whether a party reads of an event: friendly moves of others only if wanted (CQ-22.6)."""
        hidden = isinstance(event, Moved) and event.owner != party
        return not hidden or state.parties[party].shows_moves

    def end_reason(self, state: World) -> str:
        return state.ended_by

    def owners(self, table: GameData, state: World) -> Mapping[str, str]:
        return {
            code: province.owner for code, province in state.provinces.items() if province.owner != NEUTRAL
        }

    def fought_at(self, event: Event) -> tuple[str, ...]:
        return (event.target,) if isinstance(event, Fought) else ()

    def built_at(self, event: Event, after: World) -> tuple[str, tuple[str, ...]]:
        """Return (province, items) for farms or works that were built (CQ-9.1); empty for other events."""
        if not isinstance(event, Improved) or event.work in CULTIVATED:
            return "", ()
        return event.province, (event.work,)

    def figures(self, table: GameData, state: World) -> Mapping[str, Mapping[str, float]]:
        """Return the figures of each player, by code and name; the score is the first (CQ-17.6)."""
        figures: dict[str, Mapping[str, float]] = {}
        for code, player in state.parties.items():
            owned = state.owned(code)
            figures[code] = {
                "score": player.score,
                "provinces": len(owned),
                "armies": sum(province.armies for province in owned),
                "population": sum(province.population for province in owned),
                "gold": player.gold,
            }
        return figures


SPEC: GameSpec[World] = ConquerorGame()
