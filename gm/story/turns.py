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
    """A turn after it was played; 0 is the start."""

    number: int
    name: str
    drawing: str  # the map as SVG
    moving: str  # the map with the turn's moves, as SVG; empty without any
    figures: Mapping[str, Mapping[str, float]]  # by party and column
    story: TurnStory = TurnStory()
    changes: tuple[Change, ...] = ()
    corrected: bool = False  # whether it has corrections that the game master made after the turn
    owners: Mapping[str, str] = {}  # the code of each place's party, by place


class HistoryTurn(Record):
    """A turn in the history as a JSON file: as :class:`PastTurn`, without drawings.

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
"""Turns with drawings by (number, reader, language), each as (fingerprint of its input, the turn)."""
Watch = Callable[[Iterator[PastTurn]], Iterable[PastTurn]]
"""A function that passes turns on as they are made, and may tell somebody how far it is."""


def history_file(campaign: Campaign, language: str, party: str, watch: Watch) -> bytes:
    """Return the content of the history file, in the view of a party, or in the public one if that is empty.

    ``watch``: passes the turns on as they are read. Raises ``StoreError`` for a missing or damaged record.
    """
    translate = translator(campaign.spec.key, language)
    turns = (
        HistoryTurn(
            turn.number,
            turn.name,
            turn.corrected,
            turn.figures,
            turn.owners,
            turn.story.fights,
            turn.story.news,
            turn.changes,
        )
        for turn in watch(past_turns(campaign, language, party))
    )
    history = HistoryFile(
        game=campaign.folder.settings.id,
        plays=campaign.spec.key,
        map=campaign.table.board.name,
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
    """Yield every turn, the start first, in the view that a party had then; empty: in the public view.

    After the last turn comes the present map, if the game master has corrected it. What only a former player
    might know is left out. There are no maps unless ``drawn``. ``memory``: drawn turns are put into it, and
    taken from it if their input is the same. Raises ``StoreError`` for a record that is missing or damaged.
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
        input_fingerprint = fingerprint(rules.encode() + msgspec.json.encode(campaign.record(number)))
        key = (number, reader, language)
        if key not in memory or memory[key][0] != input_fingerprint:
            turn = _past(campaign, views.result(number), reader, language, drawn=True)
            memory[key] = (input_fingerprint, turn)
        yield memory[key][1]
    opened, correction_events = campaign.opened
    before = views.seen(campaign.newest_turn)
    now = spec.seen(table, opened, party)
    # a correction that the map does not show adds nothing
    if now != before and spec.draw(table, now, MapView()) != spec.draw(table, before, MapView()):
        result = TurnResult(
            game=campaign.folder.settings.id, before=before, after=now, events=correction_events
        )
        yield _past(campaign, result, party, language, drawn=drawn).evolve(corrected=True)


def _rules_fingerprint(campaign: Campaign) -> str:
    """Return the fingerprint of the game's pinned rules; empty if none are pinned."""
    pins = pins_of(campaign.folder.path)
    return pins.fingerprint if pins else ""


class _Views:
    """The views of a party after each turn; the one that was asked for last is cached."""

    def __init__(self, campaign: Campaign, party: str) -> None:
        """Prepare for a party's views; they are public if ``party`` is empty."""
        player = campaign.folder.players.of(party)
        self._campaign = campaign
        self._party = party
        self._first_turn = player.seated if player else 0  # of the party's present player
        self._last: tuple[int, Any] | None = None  # (turn, state after it as its reader saw it)

    def reader(self, number: int) -> str:
        """Return who may read a turn: the party, or nobody (empty) before its present player had the seat.

        That player also saw the turn just before their first one.
        """
        return self._party if number >= self._first_turn - 1 else ""

    def seen(self, number: int) -> Any:
        """Return the state after a turn as the reader saw it."""
        if self._last is None or self._last[0] != number:
            campaign = self._campaign
            state = campaign.spec.seen(campaign.table, campaign.state_after(number), self.reader(number))
            self._last = (number, state)
        return self._last[1]

    def result(self, number: int) -> TurnResult:
        """Return a turn as its reader saw it; the state before the start is the start."""
        campaign = self._campaign
        before = self.seen(max(0, number - 1))
        after = self.seen(number)
        events = campaign.logged(number) if number else ()
        return TurnResult(game=campaign.folder.settings.id, before=before, after=after, events=events)


def _past(campaign: Campaign, result: TurnResult, party: str, language: str, *, drawn: bool) -> PastTurn:
    """Return a turn as ``party`` may know it (empty: everybody); without ``drawn`` it has no drawings.

    ``result``: the turn with the states as the party saw them.
    """
    spec = campaign.spec
    table = campaign.table
    after = result.after
    translate = translator(spec.key, language)
    name = turn_in_words(spec.played_name(after), translate) if result.turn else translate("the start")
    events = tuple(event for event in result.events if event.visible_to(party))
    drawing = spec.draw(table, after, MapView(party=party or None)) if drawn else ""
    moving = ""
    if events and drawn:
        moving = spec.draw(table, after, MapView(party=party or None, events=events))
    story = spec.turn_story(table, result, party, language) if events else TurnStory()
    return PastTurn(
        result.turn,
        name,
        drawing,
        moving if moving != drawing else "",  # empty if the map shows no moves
        spec.figures(table, after),
        story,
        tuple(_changes(campaign, result, translate)),
        owners=spec.owners(table, after),
    )


def _changes(campaign: Campaign, result: TurnResult, translate: Translate) -> Iterator[Change]:
    """Yield the changes of owners in a turn, in the language of ``translate``."""
    spec = campaign.spec
    table = campaign.table
    names = {seat.code: translate(seat.name) for seat in spec.seats(table, result.after)}
    names[""] = translate("nobody")
    name_of_place = spec.names(table, result.after)
    before = spec.owners(table, result.before)
    after = spec.owners(table, result.after)
    # without stories, these are changes of owners only, of one place each
    for change in map_changes(before, after, stories=()):
        (place,) = change.places
        yield Change(translate(name_of_place.get(place, place)), names[change.former], names[change.owner])
