"""The figures of the game as typed values; they are read from ``rules/conqueror/rules.yaml``."""

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, ClassVar

from msgspec import Meta

from gm.core.diagnostics import invisible, says
from gm.core.values import Percent, Positive, Value, check_fields, check_whole
from gm.game.base.position import GameRules, GameSettings

TAXES = "taxes"
RECRUIT = "recruit"
DIPLOMAT = "diplomat"
FARMS = "farms"
"""The items that the rules single out; the others are told apart by what they bring."""


class Limits(Value):
    """CQ-1.4, CQ-2.5, CQ-2.7, CQ-20.1: the limits of a game and of its turns."""

    moves: Positive  # How many moves a player may order for a turn
    turn_days: Positive  # The days from one turn to the next
    turns: Positive  # The turns after which the game ends
    absent_after: Positive  # So many missed turns in a row are allowed; from the next on the computer plays


class Start(Value):
    """CQ-4.3 to CQ-4.5: a home province as play begins, and the influence in the provinces around it."""

    population: int
    resources: int
    culture: Annotated[int, Meta(ge=1, le=3)]
    armies: int
    fort: Annotated[int, Meta(ge=0, le=3)]
    gold: int
    neighbour_influence: Percent


class Duel(Value):
    """CQ-7.4: a duel is a draw from 1 to ``attacker + defender``; the defender wins up to ``defender``."""

    attacker: Positive
    defender: tuple[int, int, int, int]  # By the level of the works around them, from none to a castle


class FromWord(Value):
    """A word for numbers from ``least`` on, up to those of the next word."""

    least: int
    word: str


class ControlWord(Value):
    """CQ-13: the words for influence of at least ``least`` points, up to those of the next entry."""

    least: int
    own: str  # For the owner's influence: their control
    foreign: str  # For the influence of a player who does not own the province


class Productivity(Value):
    """CQ-8.4 to CQ-8.9: the figures of a province's labour."""

    bonus_from_control: int  # From this control on, labour is higher by so many percent as the control is
    conquest_halving_turns: int  # In so many turns, that of the conquest among them, labour is halved
    minimum: int
    words: tuple[FromWord, ...]  # For amounts of labour, in rising order


class Item(Value):
    """Something that a province can work on (CQ-9)."""

    cost: int | None  # The labour for one; None: the square of the population that it leads to
    culture: Annotated[int, Meta(ge=1, le=3)]  # The level of culture that the province needs
    works: Annotated[int, Meta(ge=0, le=3)] = 0  # The level of works that it builds; the one below must stand
    gives_culture: Annotated[int, Meta(ge=0, le=3)] = 0  # The level of culture that it brings, if any
    control: int = 0  # The influence that the owner gains by one that is finished
    worked: int = 0  # The change of the owner's influence by a turn of work on it
    repeats: bool = False  # Whether several can be finished in a turn

    def price(self, population: int) -> int:
        """Return the labour for one item in a province of this population (CQ-9.5)."""
        return self.cost if self.cost is not None else (population + 1) ** 2


class Control(Value):
    """CQ-14.1: changes of the owner's influence in a province; below 0: losses."""

    conquest: int
    desertion: int  # For each army that deserts


class Rebellion(Value):
    """CQ-15.2: the chance that a province rebels."""

    base_percent: Mapping[str, int]  # For each rebel, by the word for control; no entry: 0
    cap_percent: int  # The highest chance


class Types(Value):
    """CQ-16.3: the weight of each type of province when cultures meet."""

    empire: int
    vassal: int
    neutral: int


class CulturePower(Value):
    """CQ-16: the figures of cultures that meet."""

    threshold: int  # Only a province of more power than this gains influence in its neighbours
    per_step: int  # The power that a province loses with each step from its owner's capital
    floor: int  # A neighbour of less power counts as one of this
    type: Types


class Rank(Value):
    """CQ-17.1, CQ-17.2: the provinces that a rank needs, and its titles."""

    provinces: int
    he: str
    she: str


class Score(Value):
    """CQ-17.3: the points that a player scores for one of each."""

    army: int
    population: int
    culture: int  # For each level
    resource: int
    fort: int  # For each level of works
    capital: int
    gold_per_point: Positive  # The gold that scores one point


class Knobs(Value):
    """The options that a GM may set for a game."""

    neutrals_build: bool  # CQ-18.6: whether provinces without an owner raise armies and farm
    influence_cap: Percent  # CQ-16.4: the most points that a province gains in a neighbour in a turn
    rush_armies_can_move: bool  # CQ-11.6: whether armies can move in the turn in which they are bought
    diplomat_range: Annotated[int, Meta(ge=0, le=1)]  # CQ-9.11: 1 if diplomats can serve a neighbour


NAME_LENGTH = 40


class Leader(Value):
    """CQ-2.10: changes nothing in play; ``sex``, he or she, selects the form of the title."""

    name: str = ""
    sex: str = "he"
    flag: str = ""

    @check_fields("sex")
    @staticmethod
    def _he_or_she(sex: str) -> str:
        if sex not in ("he", "she"):
            raise ValueError(says("sex is he or she, not {0!r}", sex))
        return sex

    @check_fields("name", "flag")
    @staticmethod
    def _readable(text: str) -> str:
        if len(text) > NAME_LENGTH or invisible(text):
            pattern = "a leader's name and flag are at most {0} characters that can be seen"
            raise ValueError(says(pattern, NAME_LENGTH))
        return text


class Settings(GameSettings):
    """CQ-2: the choices when a game begins; None: as the rules or the map have it."""

    in_rules: ClassVar[Mapping[str, str]] = {
        "turns": "limits.turns",
        "absent_after": "limits.absent_after",
        **{name: f"knobs.{name}" for name in Knobs.__struct_fields__},
    }

    description: Annotated[str, Meta(max_length=200)] = ""
    max_players: Annotated[int, Meta(ge=2)] | None = None  # The number of seats
    homes: tuple[str, ...] = ()  # Those that are certainly in the game: codes, once settings are chosen
    turns: Annotated[int, Meta(ge=1, le=999)] | None = None
    until: date | None = None  # The game ends with the first turn on this day or later
    leaders: Mapping[str, Leader] = {}  # By home
    absent_after: Positive | None = None
    neutrals_build: bool | None = None
    influence_cap: Percent | None = None
    rush_armies_can_move: bool | None = None
    diplomat_range: Annotated[int, Meta(ge=0, le=1)] | None = None
    fair_start: bool = True  # Whether the map's changes count that make all seats about equally good


class Rules(GameRules):
    """The content of ``rules.yaml``: the figures of the rules, each in a section of its own."""

    start_year: int
    seasons: tuple[str, ...]  # Their names, winter last
    limits: Limits
    start: Start
    duel: Duel
    garrison: tuple[int, int, int, int]  # How many armies works have room for, by level (CQ-7.5)
    productivity: Productivity
    items: Mapping[str, Item]  # By name
    control: Control
    rush_surcharge_percent: Mapping[int, int]  # On the price of what gold finishes, by level of culture
    control_words: tuple[ControlWord, ...]  # In rising order
    rebellion: Rebellion
    culture_power: CulturePower
    prestige: tuple[Rank, ...]  # In rising order
    score: Score
    knobs: Knobs

    @check_whole
    def _complete(self) -> None:
        """Raise ``ValueError`` if an item is missing, or the words for control do not fit the rebellions."""
        missing = [name for name in (TAXES, RECRUIT, DIPLOMAT, FARMS) if name not in self.items]
        if missing:
            raise ValueError(f"'items' lacks {', '.join(missing)}")
        if not self.control_words or self.control_words[0].least != 0:
            raise ValueError("'control_words' must begin at 0")
        unknown = set(self.rebellion.base_percent) - {control_word.own for control_word in self.control_words}
        if unknown:
            raise ValueError(f"'rebellion' names {min(unknown)!r}, which is no word for control")

    @cached_property
    def works(self) -> tuple[str, ...]:
        """The items that build works, in the order of their levels, after an empty name for level 0."""
        by_level = {item.works: name for name, item in self.items.items() if item.works}
        return ("", *(by_level[level] for level in sorted(by_level)))

    def control_word(self, points: int, *, is_owner: bool = True) -> str:
        """Return the word for influence of ``points`` (CQ-13.3).

        ``is_owner``: whether it is the owner's, and so control of the province.
        """
        entry = next(entry for entry in reversed(self.control_words) if points >= entry.least)
        return entry.own if is_owner else entry.foreign

    def productivity_word(self, labour: int) -> str:
        """Return the word for a province's labour (CQ-8.9)."""
        words = self.productivity.words
        fitting_words = (entry.word for entry in reversed(words) if labour >= entry.least)
        return next(fitting_words, words[0].word)  # the lowest also for less labour

    def prestige_of(self, provinces: int) -> int:
        """Return the rank, from 1 on, of a player with so many ``provinces`` at a turn's end (CQ-17.2)."""
        return max(1, sum(provinces >= rank.provinces for rank in self.prestige))

    def title_of(self, prestige: int, sex: str) -> str:
        """Return a leader's title (CQ-17.1, CQ-2.10). ``prestige``: the rank, from 1; ``sex``: he or she."""
        rank = self.prestige[prestige - 1]
        return rank.she if sex == "she" else rank.he

    def turns_to_winter(self, turn: int) -> int:
        """Return the number of turns from this one to the next winter, both counted: 1 in winter itself."""
        return len(self.seasons) - (turn - 1) % len(self.seasons)

    def season(self, turn: int) -> str:
        """Return the name of a turn's season (CQ-1.3)."""
        return self.seasons[(turn - 1) % len(self.seasons)]

    def year(self, turn: int) -> int:
        """Return the year of a turn; it rises after its last season (CQ-1.3)."""
        return self.start_year + (turn - 1) // len(self.seasons)
