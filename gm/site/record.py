"""The public record of a game: the input of its page, the site's front page, feed and calendar.

It is stored on the site (``game.json``), so that the game stays there when its folder is removed.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan
from gm.core.diagnostics import fold
from gm.core.sealing import Proof
from gm.core.values import Value
from gm.mail.game_mail import GameMail
from gm.site.result import GameResult, result_of
from gm.store.folder import MAIL_FILE
from gm.store.formats import Format
from gm.text.languages import Translate, translator
from gm.text.words import turn_in_words

GAME = Format("game of a site", 1)


class Standing(Value):
    """The standing of a party."""

    code: str
    name: str
    status: str = ""
    out: bool = False
    free: bool = False  # whether its seat is open: anybody may join and play it
    figures: Mapping[str, float] = {}  # by the title of their column


class Battle(Value):
    """A battle."""

    file: str  # the name of its page in the turn's folder; empty if it has none
    title: str
    brief: str  # its course in a few words


class PlayedTurn(Value):
    """What everybody may know of a played turn."""

    number: int
    name: str
    at: datetime  # when it was played
    proof: Proof | None = None  # of its dice
    battles: tuple[Battle, ...] = ()
    news: tuple[str, ...] = ()  # sentences about other events than battles
    headline: str = ""  # the first words of its newspaper
    paper: str = ""  # the name of its newspaper's file; empty if it has none
    rolls: bool = False  # whether there is a file of its rolls


class PublicGame(Value):
    """What everybody may know of one game."""

    id: str
    key: str  # of its rules
    title: str  # of its rules
    map: str
    mark: str  # distinguishes it from another game of the same id
    label: str  # the name of the newest turn; empty before turn 1
    coming: str  # the name of the coming turn
    due: str = ""  # when that is due, in words
    deadline: datetime | None = None  # when that is due; None: never, or the game is on hold
    hold: str = ""  # why the game is on hold; empty: it is not
    seal: str = ""  # of the coming turn's dice
    missing: tuple[str, ...] | None = None  # names of parties without orders; None: that is not public
    winners: tuple[str, ...] | None = None  # their names; None while it goes on
    address: str = ""  # to which strangers write who want to join
    standings: tuple[Standing, ...]
    turns: tuple[PlayedTurn, ...] = ()
    result: GameResult | None = None  # once it is over

    @property
    def folder(self) -> str:
        """Its folder on the site."""
        return folder_name(self.id)

    @property
    def free(self) -> tuple[Standing, ...]:
        """The parties that anybody may join and play."""
        return tuple(standing for standing in self.standings if standing.free)


def folder_name(game: str) -> str:
    """Return a game's id as a name that every web server and disk accepts: a-z, 0-9 and hyphens."""
    return re.sub("[^a-z0-9]+", "-", fold(game)).strip("-") or "game"


def waits_for_the_gm(campaign: Campaign) -> bool:
    """Return whether the GM has yet to release the newest turn's results; never in a game without mail."""
    if not campaign.newest_turn or not (campaign.folder.path / MAIL_FILE).is_file():
        return False
    from gm.mail.status import published_turns

    mail = GameMail(campaign)
    return mail.settings.care.gate and campaign.newest_turn not in published_turns(mail)


def public_game(campaign: Campaign, played_turns: Mapping[int, PlayedTurn], language: str) -> PublicGame:
    """Return the public record of a game as it is now; ``played_turns``: its turns, by number."""
    spec = campaign.spec
    folder = campaign.folder
    translate = translator(spec.key, language)
    state = spec.seen(campaign.table, campaign.snapshot, "")
    over = campaign.winners is not None
    names = {seat.code: translate(seat.name) for seat in spec.seats(campaign.table, state)}
    free: set[str] = set()
    if folder.settings.open and not over:
        free = {seat.code for seat in campaign.open_seats}
    label = turn_in_words(spec.played_name(state), translate) if campaign.newest_turn else ""
    winners = tuple(names[code] for code in campaign.winners or ()) if over else None
    takes_mail = bool(free) and (folder.path / MAIL_FILE).is_file()
    address = GameMail(campaign).settings.sender if takes_mail else ""
    result = result_of(campaign, names=folder.settings.site.names) if over else None
    return PublicGame(
        id=folder.settings.id,
        key=spec.key,
        title=spec.title,
        map=campaign.table.board.title,
        mark=folder.turn_record(0).get("next_seal", ""),  # the seal of turn 1 differs from game to game
        label=label,
        coming=turn_in_words(spec.coming_name(state), translate),
        missing=_missing(campaign, names),
        winners=winners,
        address=address,
        standings=_standings(campaign, state, free, translate),
        turns=tuple(played_turns[number] for number in sorted(played_turns)),
        result=result,
        **_coming_turn(campaign, translate),
    )


def _missing(campaign: Campaign, names: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the names of the parties without orders for the next turn; None if that is not told.

    It is not if the GM keeps it private, if the game is over, or if it has no deadlines.
    """
    if not campaign.folder.settings.site.missing or campaign.winners is not None or campaign.calendar.never:
        return None
    return tuple(names[seat.code] for seat in turn_plan(campaign).missing)


def _coming_turn(campaign: Campaign, translate: Translate) -> dict[str, Any]:
    """Return the fields of :class:`PublicGame` about the coming turn: deadline, hold, and seal of its dice.

    Empty for a game that is over.
    """
    if campaign.winners is not None:
        return {}
    calendar = campaign.calendar
    deadline = None
    if not calendar.never and not calendar.hold:
        deadline = campaign.deadline(campaign.next_turn).astimezone(UTC)
    return {
        "due": campaign.due_words(campaign.next_turn, translate),
        "deadline": deadline,
        "hold": calendar.hold,
        "seal": campaign.folder.turn_record(campaign.newest_turn).get("next_seal", ""),
    }


def _standings(
    campaign: Campaign, state: Any, free: Collection[str], translate: Translate
) -> tuple[Standing, ...]:
    """Return the standings of the parties in a public state; ``free``: the codes of those with open seats."""
    figures = _figures(campaign.spec.figures(campaign.table, state), translate)
    return tuple(
        Standing(
            code=seat.code,
            name=translate(seat.name),
            status=translate(seat.status),
            out=seat.out,
            free=seat.code in free,
            figures=figures.get(seat.code, {}),
        )
        for seat in campaign.spec.seats(campaign.table, state)
    )


Figures = Mapping[str, float]  # by column


def _figures(rows: Mapping[str, Figures], translate: Translate) -> dict[str, Figures]:
    """Return each party's figures, rounded, by code and title of the column.

    Columns that have only zeros are left out, and so are private figures, which are 0 in the public view.
    ``rows``: figures by code and column.
    """
    columns = [name for name in next(iter(rows.values()), {}) if _has_figures(rows.values(), name)]
    titles = {name: translate(name.capitalize()) for name in columns}
    return {code: _rounded(row, titles) for code, row in rows.items()}


def _has_figures(rows: Iterable[Figures], name: str) -> bool:
    """Return whether a column has a figure other than 0."""
    return any(row[name] for row in rows)


def _rounded(row: Figures, titles: Mapping[str, str]) -> Figures:
    """Return figures to two decimal places, under the titles of their columns."""
    return {title: round(row[name], 2) for name, title in titles.items()}
