"""The state of a game: its players and its provinces (CQ-3)."""

from collections.abc import Iterator, Mapping
from typing import Self

from gm.core.diagnostics import says
from gm.core.values import Record, Value, check_whole
from gm.game.base.events import Written
from gm.game.base.position import NOBODY, Party, Position
from gm.games.conqueror.land import Board, StartFile
from gm.games.conqueror.rules import TAXES, Leader, Rules, Settings

NEUTRAL = "neutral"  # The owner of what nobody owns, and the party of the local leaders (CQ-3.4)
OTHERS = "others"  # In a position as one player may know it: whoever has the influence that he is not told of
STATUSES = EMPIRE, VASSAL, UNOWNED = "empire", "vassal", "neutral"  # CQ-16.3: what counts when cultures meet
ALL_INFLUENCE = 100
CULTURES = ("", "primitive", "developed", "advanced")  # CQ-10.1: the words for the levels


class Player(Party):
    """CQ-3.2.

    The code is that of the home; ``tint`` the colour's word; ``capital`` None: they have no province left;
    ``shows_moves``: whether their reports tell of friendly moves of others (CQ-22.6).
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
        """Whether a person, or a program for them, sends orders: the rest is the computer's (CQ-2.3)."""
        return self.controller != NOBODY

    @check_whole
    def _solvent(self) -> None:
        if self.gold < 0:
            raise ValueError(says("{0} cannot have {1} gold", self.name, self.gold))


class Province(Value):
    """CQ-3.3.

    ``fresh`` armies can still act this turn, ``moved`` ones cannot; between turns all are fresh (CQ-5.4).
    ``influence`` is in points by party and always totals 100 (CQ-3.4); ``target`` is the province that its
    diplomats go to, empty for itself (CQ-9.11).
    """

    code: str
    owner: str
    status: str
    population: int
    resources: int
    culture: int
    fort: int
    fresh: int
    moved: int = 0
    influence: Mapping[str, int]
    item: str = TAXES
    target: str = ""
    stored: Mapping[str, int] = {}  # Labour by item; items without any are left out
    conquered_on: int | None = None

    @check_whole
    def _sound(self) -> None:
        """Raise ``ValueError`` for impossible figures."""
        numbers = (self.population, self.resources, self.fresh, self.moved, self.fort)
        if min((*numbers, *self.influence.values(), *self.stored.values())) < 0:
            raise ValueError(says("{0} holds less than nothing of something", self.code))
        if sum(self.influence.values()) != ALL_INFLUENCE:
            raise ValueError(says("influence in {0} adds up to {1}", self.code, sum(self.influence.values())))
        if self.status not in STATUSES or not 1 <= self.culture < len(CULTURES) or self.fort >= len(CULTURES):
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
        """Return the province after losses; armies that have moved fall first (CQ-7.8)."""
        moved = min(self.moved, losses)
        return self.evolve(moved=self.moved - moved, fresh=self.fresh - (losses - moved))

    def seen(self, reader: str) -> Self:
        """Return the province as a player may know it: with their own and the owner's influence.

        The rest is merged, so that the sum stays.
        """
        visible = {code: points for code, points in self.influence.items() if code in (reader, self.owner)}
        hidden_points = ALL_INFLUENCE - sum(visible.values())
        if hidden_points:
            visible[OTHERS if self.owner == NEUTRAL else NEUTRAL] = hidden_points
        hidden = {} if self.owner == reader else {"item": TAXES, "target": "", "stored": {}}
        return self.evolve(influence=visible, **hidden)


def opened(code: str, board: Board, seats: list[str], rules: Rules, *, fair: bool) -> Province:
    """Return a province at the start (CQ-4.1 to CQ-4.6): a home with a seat by the rules, else by the map.

    ``code``: the province's, which is also that of the seat whose home it is; ``seats``: the codes in play.

    With ``fair``, provinces are given and taken so that all seats are about equally good. Capitals have
    influence in neighbouring provinces that are no home.
    """
    file = board.provinces[code]
    seated = code in seats
    start = rules.start if seated else file
    is_changed = fair and (seated or code not in board.homes)
    changes = board.fair.get(code, StartFile()) if is_changed else StartFile()
    beside = [] if code in board.homes else [seat for seat in seats if seat in board.neighbours[code]]
    share = min(rules.start.neighbour_influence, ALL_INFLUENCE // max(1, len(beside)))
    local = {NEUTRAL: ALL_INFLUENCE - share * len(beside), **dict.fromkeys(beside, share)}
    province = Province(
        code=code,
        owner=NEUTRAL,
        status=VASSAL if file.vassal else UNOWNED,
        **{name: changes.of(start, name) for name in ("population", "resources", "culture", "fort")},
        fresh=changes.of(start, "armies"),
        influence={code: ALL_INFLUENCE} if seated else local,
    )
    return province.owned_by(code if seated else NEUTRAL)


class Move(Record):
    """A march of armies to a neighbouring province.

    ``armies``: the number that marches, at most what the source has left; ``asked_armies``: the number that
    was ordered; ``everything``: whether all that can still act were ordered. ``written`` None: the computer's
    own order (CQ-18).
    """

    source: str
    target: str
    armies: int
    asked_armies: int = 0
    everything: bool = False
    written: Written | None = None


class Work(Record):
    """A province's work.

    ``target`` of its diplomats, empty for itself; ``taken``: the province has to be won first (CQ-9.12).
    """

    province: str
    item: str
    target: str = ""
    taken: bool = False
    written: Written | None = None


class Purchase(Record):
    """A purchase of ``count`` items, at once."""

    province: str
    item: str
    count: int
    target: str = ""
    written: Written | None = None


class Orders(Record):
    """A player's orders for a turn. ``show_moves`` none: as before."""

    moves: tuple[Move, ...] = ()
    production: tuple[Work, ...] = ()
    buy: tuple[Purchase, ...] = ()
    show_moves: bool | None = None


class World(Position):
    """CQ-3.1: a game between two turns.

    Parties are in seat order, provinces in id order. ``season`` and ``year`` are those of the last played
    turn, empty before the first. ``ended_by`` is why the game is over; ``today`` the day that the GM's
    command gave last, ``2026-05-01``. The other fields count within a turn only: ``plans`` of the computer,
    and where recruiting has been paid for in control (``levied``, CQ-14.2).
    """

    parties: Mapping[str, Player]
    settings: Settings
    provinces: Mapping[str, Province]
    season: str = ""
    year: int = 0
    ended_by: str = ""
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
        """Return the state without the gold, items and stored labour of others (CQ-22.1, CQ-22.2)."""
        parties = {
            code: party if code == reader else party.evolve(gold=0) for code, party in self.parties.items()
        }
        provinces = {code: province.seen(reader) for code, province in self.provinces.items()}
        return self.evolve(parties=parties, provinces=provinces)

    def broken(self, board: Board, rules: Rules) -> list[str]:
        """Return the violations of CQ-3.4 and of the other invariants between turns."""
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
        """Yield the violations about players: their status and their capital."""
        for code, player in self.parties.items():
            holds = bool(self.owned(code))
            if player.out == holds or player.alive != holds:
                yield says(
                    "{0} holds {1} provinces and is {2}", player.name, len(self.owned(code)), player.status
                )
            if player.capital is not None and self.provinces[player.capital].owner != code:
                yield says("the capital of {0} is {1}, which is not theirs", player.name, player.capital)
