"""The past turns of a game for a reader: the map of each, and the news that they may know."""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from gm.campaign.open import Campaign
from gm.campaign.pinning import pins_of
from gm.core.values import Record
from gm.game.answers import Fight, TurnStory
from gm.game.map_changes import map_changes
from gm.game.values import MapView, TurnResult
from gm.store.inbox import fingerprint
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.words import turn_in_words


class Change(Record):
    """A place with a new owner, all in words."""

    place: str
    former: str
    owner: str


class PastTurn(Record):
    """A turn after it was played; 0 is the start.

    ``drawing``: the map; ``moving``: the map with the turn's moves, empty without any; ``corrected``: with
    the game master's later changes.
    """

    number: int
    name: str
    drawing: str
    moving: str
    figures: Mapping[str, Mapping[str, float]]
    story: TurnStory = TurnStory()
    changes: tuple[Change, ...] = ()
    corrected: bool = False
    owners: Mapping[str, str] = {}


class HistoryTurn(Record):
    """A turn of the file, as :class:`PastTurn` has it, without drawings.

    ``owners``: the party of each place.
    """

    number: int
    name: str
    corrected: bool
    figures: Mapping[str, Mapping[str, float]]
    owners: Mapping[str, str]
    fights: tuple[Fight, ...]
    news: tuple[str, ...]
    changes: tuple[Change, ...]


class HistoryFile(Record, kw_only=True):
    """``pbem history --out history.json``: the course of a game for programs.

    ``realm``: whose view it is, empty: the public one; ``parties``: names by code; ``winners``: None while
    the game goes on.
    """

    history: Annotated[int, Meta(description="The version of this format.", ge=1, le=1)] = 1
    game: str
    plays: str
    map: str
    realm: str
    parties: Mapping[str, str]
    winners: tuple[str, ...] | None
    turns: tuple[HistoryTurn, ...]


Memory = MutableMapping[tuple[int, str, str], tuple[str, PastTurn]]
"""Drawn turns by number, reader and language, each with the fingerprint of what it was made from."""
Watch = Callable[[Iterator[PastTurn]], Iterable[PastTurn]]
"""Passes turns on as they are made; it may tell somebody how far it is."""


def history_file(campaign: Campaign, language: str = ENGLISH, party: str = "", watch: Watch = iter) -> bytes:
    """Return the history file, in the public view or that of a party. Raises as :func:`past_turns`."""
    spec = campaign.spec
    board = campaign.table.board
    translate = translator(campaign.spec.key, language)
    turns = (
        HistoryTurn(
            t.number, t.name, t.corrected, t.figures, t.owners, t.story.fights, t.story.news, t.changes
        )
        for t in watch(past_turns(campaign, language, party))
    )
    history = HistoryFile(
        game=campaign.folder.settings.id,
        plays=spec.key,
        map=board.name,
        realm=party,
        parties={seat.code: translate(seat.name) for seat in campaign.seats},
        winners=tuple(campaign.winners) if campaign.winners is not None else None,
        turns=tuple(turns),
    )
    return msgspec.json.format(msgspec.json.encode(history), indent=1) + b"\n"


def past_turns(
    campaign: Campaign,
    language: str = ENGLISH,
    party: str = "",
    *,
    drawn: bool = True,
    memory: Memory | None = None,
) -> Iterator[PastTurn]:
    """Yield every turn in the view of a party at that time, or in the public one, the start first.

    After the last one comes the present map, if the game master has corrected it. Private news of a former
    player are left out. There are no maps unless ``drawn``; ``memory``: the drawn turns of earlier calls,
    which stay as they are. Raises ``StoreError`` for a record that is missing or damaged.
    """
    spec = campaign.spec
    table = campaign.table
    views = _Views(campaign, party)
    rules = _rules_fingerprint(campaign) if memory is not None else ""
    for number in range(campaign.newest_turn + 1):
        reader = views.reader(number)
        if memory is None or not drawn:
            yield _past(campaign, views.result(number), reader, language, drawn=drawn)
            continue
        mark = fingerprint(rules.encode() + msgspec.json.encode(campaign.record(number)))
        place = (number, reader, language)
        if place not in memory or memory[place][0] != mark:
            memory[place] = (mark, _past(campaign, views.result(number), reader, language, drawn=True))
        yield memory[place][1]
    opened, changed = campaign.opened
    before = views.seen(campaign.newest_turn)
    now = spec.seen(table, opened, party)
    if now != before and spec.draw(table, now, MapView()) != spec.draw(table, before, MapView()):
        result = TurnResult(game=campaign.folder.settings.id, before=before, after=now, events=changed)
        yield _past(campaign, result, party, language, drawn=drawn).evolve(corrected=True)


def _rules_fingerprint(campaign: Campaign) -> str:
    """Return the fingerprint of the rules that the game is played by; empty without a list of them."""
    pins = pins_of(campaign.folder.path)
    return pins.fingerprint if pins else ""


class _Views:
    """The views of a party after each turn; the last view is read once."""

    def __init__(self, campaign: Campaign, party: str) -> None:
        """Prepare for a party's views; without a party they are public."""
        player = campaign.folder.players.of(party)
        self._campaign = campaign
        self._party = party
        self._seated = player.seated if player else 0
        self._last: tuple[int, Any] | None = None

    def reader(self, number: int) -> str:
        """Return the party for turns since its present player has the seat; before that nobody."""
        return self._party if number >= self._seated - 1 else ""

    def seen(self, number: int) -> Any:
        """Return the state after a turn as the reader saw it."""
        if self._last is None or self._last[0] != number:
            campaign = self._campaign
            state = campaign.spec.seen(campaign.table, campaign.state_after(number), self.reader(number))
            self._last = (number, state)
        return self._last[1]

    def result(self, number: int) -> TurnResult:
        """Return a turn in that view; the start has itself before it."""
        campaign = self._campaign
        before = self.seen(max(0, number - 1))
        after = self.seen(number)
        events = campaign.logged(number) if number else ()
        return TurnResult(game=campaign.folder.settings.id, before=before, after=after, events=events)


def _past(campaign: Campaign, result: TurnResult, party: str, language: str, *, drawn: bool) -> PastTurn:
    """Return a turn as a reader may know it; without ``drawn`` it has no drawings."""
    spec = campaign.spec
    table = campaign.table
    after = result.after
    translate = translator(spec.key, language)
    name = turn_in_words(spec.played_name(after), translate) if result.turn else translate("the start")
    moved = tuple(event for event in result.events if event.visible_to(party))
    drawing = spec.draw(table, after, MapView(party=party or None)) if drawn else ""
    moving = spec.draw(table, after, MapView(party=party or None, events=moved)) if moved and drawn else ""
    story = spec.turn_story(table, result, party, language) if moved else TurnStory()
    return PastTurn(
        result.turn,
        name,
        drawing,
        moving if moving != drawing else "",
        spec.figures(table, after),
        story,
        tuple(_changes(campaign, result, translate)),
        owners=spec.owners(table, after),
    )


def _changes(campaign: Campaign, result: TurnResult, translate: Translate) -> Iterator[Change]:
    """Yield the changes of owners in a turn, in words."""
    spec = campaign.spec
    table = campaign.table
    names = {seat.code: translate(seat.name) for seat in spec.seats(table, result.after)} | {
        "": translate("nobody")
    }
    called = spec.names(table, result.after)
    before = spec.owners(table, result.before)
    after = spec.owners(table, result.after)
    for change in map_changes(before, after, ()):
        (place,) = change.places
        yield Change(translate(called.get(place, place)), names[change.former], names[change.owner])
