"""The state of a game: its players and its provinces (CQ-3)."""

from collections.abc import Iterator, Mapping
from typing import Self

from msgspec import field

from gm.core.diagnostics import says
from gm.core.values import Record, Value, check_whole
from gm.game.base.events import Written
from gm.game.base.position import NOBODY, Party, Position
from gm.games.conqueror.land import Board, StartFile
from gm.games.conqueror.rules import TAXES, Leader, Rules, Settings

NEUTRAL = "neutral"  # The owner of what nobody owns, and the party of the local leaders (CQ-3.4)
OTHERS = (
    "others"  # In a position as one player may know it: all other players together, as holders of influence
)
STATUSES = EMPIRE, VASSAL, UNOWNED = "empire", "vassal", "neutral"  # CQ-16.3: types of provinces
ALL_INFLUENCE = 100  # The points of influence in each province
CULTURES = ("", "primitive", "developed", "advanced")  # CQ-10.1: the words for the levels, from level 1 on


class Player(Party):
    """CQ-3.2: a player. The code is that of their home province.

    ``tint``: the word for the colour, ``teal``; ``capital``: a province's code, None if they have no province
    left; ``prestige``: the rank, 1 for the lowest; ``shows_moves``: whether their reports tell of friendly
    moves of others (CQ-22.6).
    """

    tint: str = ""
    leader: Leader = Leader()
    capital: str | None = None
    gold: int = 0
    prestige: int = 1
    score: int = 0
    shows_moves: bool = True

    @property
    def alive(self) -> bool:
        """Whether the player still has a province."""
        return self.capital is not None

    @property
    def human(self) -> bool:
        """Whether a person or a bot gives the orders; if not, the computer does (CQ-2.3)."""
        return self.controller != NOBODY

    @check_whole
    def _solvent(self) -> None:
        if self.gold < 0:
            raise ValueError(says("{0} cannot have {1} gold", self.name, self.gold))


class Province(Value):
    """CQ-3.3: a province.

    ``owner``: a player's code, or ``neutral``; ``status``: ``empire``, ``vassal`` or ``neutral``;
    ``culture``: its level, 1 to 3; ``fort``: the level of the works, 0 to 3; ``fresh``: the armies that can
    still act this turn, all of them between turns (CQ-5.4); ``moved``: those that cannot; ``influence``:
    points by party, which always total 100 (CQ-3.4); ``item``: what it works on; ``target``: the province
    that its diplomats go to, empty for itself (CQ-9.11); ``stored``: labour by item; ``conquered_on``: the
    turn of the last conquest.
    """

    code: str
    owner: str
    status: str  # One of STATUSES
    population: int
    resources: int
    culture: int
    fort: int
    fresh: int
    moved: int = 0
    influence: Mapping[str, int]
    item: str = TAXES
    target: str = ""
    stored: Mapping[str, int] = {}  # Items without any are left out
    conquered_on: int | None = None

    @check_whole
    def _sound(self) -> None:
        """Raise ``ValueError`` for impossible figures."""
        numbers = (self.population, self.resources, self.fresh, self.moved, self.fort)
        if min((*numbers, *self.influence.values(), *self.stored.values())) < 0:
            raise ValueError(says("{0} holds less than nothing of something", self.code))
        if sum(self.influence.values()) != ALL_INFLUENCE:
            raise ValueError(says("influence in {0} adds up to {1}", self.code, sum(self.influence.values())))
        # works have levels 0 to 3: as many as CULTURES has entries
        has_levels = 1 <= self.culture < len(CULTURES) and self.fort < len(CULTURES)
        if self.status not in STATUSES or not has_levels:
            raise ValueError(says("{0} has a status or a level that there is not", self.code))

    @property
    def armies(self) -> int:
        """The number of all armies, fresh and moved."""
        return self.fresh + self.moved

    @property
    def control(self) -> int:
        """The owner's influence (CQ-13.1)."""
        return self.influence.get(self.owner, 0)

    def owned_by(self, owner: str) -> Self:
        """Return the province with a new owner: on taxes, nothing stored (CQ-7.9).

        A vassal stays one (CQ-16.7).
        """
        status = UNOWNED if owner == NEUTRAL else EMPIRE
        if self.status == VASSAL:
            status = VASSAL
        return self.evolve(owner=owner, status=status, item=TAXES, target="", stored={})

    def with_stored(self, item: str, labour: int) -> Self:
        """Return the province with this labour stored for an item."""
        other_items = {name: amount for name, amount in self.stored.items() if name != item}
        return self.evolve(stored={**other_items, item: labour} if labour else other_items)

    def with_losses(self, losses: int) -> Self:
        """Return the province without ``losses`` of its armies; those that have moved fall first (CQ-7.8)."""
        lost_moved = min(self.moved, losses)
        lost_fresh = losses - lost_moved
        return self.evolve(moved=self.moved - lost_moved, fresh=self.fresh - lost_fresh)

    def seen(self, reader: str) -> Self:
        """Return the province as the player ``reader`` may know it.

        Their own and the owner's influence are known; the rest is one sum, so that the total stays. The work
        of others' provinces is not known: they seem to collect taxes.
        """
        visible = {code: points for code, points in self.influence.items() if code in (reader, self.owner)}
        hidden_points = ALL_INFLUENCE - sum(visible.values())
        if hidden_points:
            # the local leaders' own influence is known where nobody owns the province
            visible[OTHERS if self.owner == NEUTRAL else NEUTRAL] = hidden_points
        hidden_work = {} if self.owner == reader else {"item": TAXES, "target": "", "stored": {}}
        return self.evolve(influence=visible, **hidden_work)


def opened(code: str, board: Board, seats: list[str], rules: Rules, *, fair: bool) -> Province:
    """Return a province at the start (CQ-4.1 to CQ-4.6).

    The home of a seat begins with the figures of the rules, every other province with those of the map.
    ``code``: the province's, which is also the seat's whose home it is; ``seats``: the codes of the seats in
    the game; ``fair``: whether the map's changes count that make all seats about equally good. Seats have
    influence in the provinces next to their home, except in homes.
    """
    on_map = board.provinces[code]
    is_seat = code in seats
    start = rules.start if is_seat else on_map
    # the changes of a home are meant for a game in which somebody begins there
    is_changed = fair and (is_seat or code not in board.homes)
    changes = board.fair.get(code, StartFile()) if is_changed else StartFile()
    seats_beside = [] if code in board.homes else [seat for seat in seats if seat in board.neighbours[code]]
    share = min(rules.start.neighbour_influence, ALL_INFLUENCE // max(1, len(seats_beside)))
    local = {NEUTRAL: ALL_INFLUENCE - share * len(seats_beside), **dict.fromkeys(seats_beside, share)}
    province = Province(
        code=code,
        owner=NEUTRAL,
        status=VASSAL if on_map.vassal else UNOWNED,
        **{name: changes.of(start, name) for name in ("population", "resources", "culture", "fort")},
        fresh=changes.of(start, "armies"),
        influence={code: ALL_INFLUENCE} if is_seat else local,
    )
    return province.owned_by(code if is_seat else NEUTRAL)


class Move(Record):
    """A march of armies to a neighbouring province.

    ``armies``: how many march, at most what is left in the source when the file is read; ``asked_armies``:
    how many were ordered; ``everything``: whether "all" was ordered, all that can act when the move is
    executed; ``written``: its place in the file, None for an order of the computer (CQ-18).
    """

    source: str
    target: str
    armies: int
    asked_armies: int = 0
    everything: bool = False
    written: Written | None = None


class Work(Record):
    """An order about a province's work.

    ``target``: the province that its diplomats go to, empty for itself; ``must_be_won``, stored as ``taken``:
    whether it is for a province that has yet to be conquered this turn (CQ-9.12).
    """

    province: str
    item: str
    target: str = ""
    must_be_won: bool = field(default=False, name="taken")
    written: Written | None = None


class Purchase(Record):
    """A purchase of ``count`` items, which gold finishes at once."""

    province: str
    item: str
    count: int
    target: str = ""
    written: Written | None = None


class Orders(Record):
    """A player's orders for a turn.

    ``show_moves``: whether their reports tell of friendly moves of others from now on, None: as before.
    """

    moves: tuple[Move, ...] = ()
    production: tuple[Work, ...] = ()
    buy: tuple[Purchase, ...] = ()
    show_moves: bool | None = None  # The new value of ``Player.shows_moves``


class World(Position):
    """CQ-3.1: a game between two turns.

    ``parties``: by code, in seat order; ``provinces``: by code, in id order; ``season`` and ``year``: those
    of the last played turn, empty and 0 before the first; ``ended_by``: why the game is over, as a word;
    ``today``: the day that the GM's command gave last, ``2026-05-01``. The others count within a turn only.
    ``plans``: the computer's orders, by party; ``levied``: the provinces where recruits were bought, which
    costs control (CQ-14.2).
    """

    parties: Mapping[str, Player]
    settings: Settings
    provinces: Mapping[str, Province]
    season: str = ""
    year: int = 0
    ended_by: str = ""  # A key of its sentence
    today: str = ""
    plans: Mapping[str, Orders] = {}
    levied: tuple[str, ...] = ()

    def owned(self, code: str) -> tuple[Province, ...]:
        """Return a player's provinces, in id order."""
        return tuple(province for province in self.provinces.values() if province.owner == code)

    def with_provinces(self, *changed: Province) -> Self:
        """Return the state with some provinces changed."""
        return self.evolve(provinces={**self.provinces, **{province.code: province for province in changed}})

    def seen(self, reader: str) -> Self:
        """Return the state as ``reader`` may know it: without the gold of others (CQ-22.1, CQ-22.2).

        Each province is as the reader may know it, too (:meth:`Province.seen`).
        """
        parties = {
            code: party if code == reader else party.evolve(gold=0) for code, party in self.parties.items()
        }
        provinces = {code: province.seen(reader) for code, province in self.provinces.items()}
        return self.evolve(parties=parties, provinces=provinces)

    def broken(self, board: Board, rules: Rules) -> list[str]:
        """Return sentences about what is wrong with a position between turns (CQ-3.4); empty if sound."""
        faults: list[str] = []
        if list(self.provinces) != list(board.by_id):
            faults.append(says("the provinces of the position are not those of the map"))
        faults += [
            says("'fair' names {0}, which is not a province of this map", code)
            for code in board.fair
            if code not in board.by_id
        ]
        for code, province in self.provinces.items():
            if province.owner != NEUTRAL and province.owner not in self.parties:
                faults.append(says("{0} belongs to {1}, who is not there", code, province.owner))
            strangers = sorted(set(province.influence) - {NEUTRAL, OTHERS, *self.parties})
            faults += [
                says("{0} has influence in {1} and is not there", stranger, code) for stranger in strangers
            ]
            if province.moved:
                faults.append(says("armies in {0} still count as moved", code))
        faults += self._broken_parties()
        if self.plans or self.levied:
            faults.append(says("something of a turn is left over"))
        return faults

    def _broken_parties(self) -> Iterator[str]:
        """Yield sentences about players whose status or capital does not fit their provinces."""
        for code, player in self.parties.items():
            has_provinces = bool(self.owned(code))
            if player.out == has_provinces or player.alive != has_provinces:
                yield says(
                    "{0} holds {1} provinces and is {2}", player.name, len(self.owned(code)), player.status
                )
            if player.capital is not None and self.provinces[player.capital].owner != code:
                yield says("the capital of {0} is {1}, which is not theirs", player.name, player.capital)
