"""The results and chronicles of single players' games against bots, which are called reigns.

All of it follows from the games' folders: nothing else is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from gm.campaign.new_game import MIXED
from gm.campaign.open import Campaign
from gm.core.diagnostics import joined, said, says
from gm.core.values import Record
from gm.game.values import MapView, Seat
from gm.play.practice import is_practice
from gm.play.programs import people_of
from gm.store.folder import MAIL_FILE, SETTINGS_FILE
from gm.store.journal import journal_of
from gm.story.history import course_html, turn_name
from gm.story.turns import PastTurn, past_turns
from gm.text.languages import ENGLISH, translator
from gm.text.names import the
from gm.text.pages import ready_markup
from gm.text.words import turn_in_words

CLOSED = "close"  # the journal's word for a reign that the player ended; another turn resumes it
MOST_GAMES = 100  # so many folders are looked into at most
TURNING_POINTS = 12  # so many of the turns are shown first, as turning points
Open = Callable[[Path], Campaign]


class SoloGame(Record):
    """A game of one player against bots, in words."""

    folder: str  # the name of its folder
    game: str  # the title of what is played
    map: str
    realm: str  # the name of the player's party
    level: str  # the name of the bots, or ``MIXED``
    turns: int  # how many were played
    result: str  # how it stands, or how it ended
    average: int  # the player's score in percent of the average score of all parties
    over: bool  # whether the reign is over


def own_seat(campaign: Campaign) -> Seat | None:
    """Return the seat of a single player against bots in a game without deadlines and mail.

    None in other games, and in the practice game.
    """
    people = people_of(campaign)
    against_bots = any(seat.bot for seat in campaign.seats)
    is_alone = len(people) == 1 and against_bots and campaign.folder.settings.deadline.never
    has_mail = (campaign.folder.path / MAIL_FILE).is_file()
    return people[0] if is_alone and not has_mail and not is_practice(campaign) else None


def is_closed(campaign: Campaign) -> bool:
    """Return whether the player ended the reign, and no turn was played or undone since."""
    actions = (str(entry["did"]) for entry in reversed(journal_of(campaign.folder.path).entries))
    deciding = (action for action in actions if action in (CLOSED, "turn") or action.startswith("undo"))
    return next(deciding, "") == CLOSED


def solo_game(campaign: Campaign, language: str = ENGLISH) -> SoloGame | None:
    """Return a single player's game, in a language; None for other games."""
    seat = own_seat(campaign)
    if seat is None:
        return None
    translate = translator(campaign.spec.key, language)
    closed = is_closed(campaign)
    bots = {other.bot for other in campaign.seats if other.bot}
    return SoloGame(
        folder=campaign.folder.path.name,
        game=campaign.spec.title,
        map=campaign.table.board.title,
        realm=translate(seat.name),
        level=bots.pop() if len(bots) == 1 else MIXED,
        turns=campaign.newest_turn,
        result=str(said(_result(campaign, seat, closed=closed), translate)),
        average=_average(campaign, seat),
        over=campaign.winners is not None or seat.out or closed,
    )


def _result(campaign: Campaign, seat: Seat, *, closed: bool) -> str:
    """Return the state or end of a reign as a message. ``closed``: the player ended it."""
    winners = campaign.winners
    if winners is None:
        if seat.out:
            return says("lost")
        return says("laid down") if closed else says("going on")
    if seat.code in winners:
        return says("won")
    if not winners:
        return says("drawn")
    names = {other.code: the(other.name) for other in campaign.seats}
    return says("won by {0}", joined([names[code] for code in winners], ", "))


def _average(campaign: Campaign, seat: Seat) -> int:
    """Return a party's score in percent of the average of all; 0 for one that is out of the game.

    The score is the first of a party's figures.
    """
    figures_of = campaign.spec.figures(campaign.table, campaign.snapshot)
    scores = {code: next(iter(figures.values())) for code, figures in figures_of.items()}
    total = sum(scores.values())
    if seat.out or not total:
        return 0
    return round(100 * scores.get(seat.code, 0.0) * len(figures_of) / total)


def solo_games(around: Path, open_game: Open, language: str = ENGLISH) -> list[SoloGame]:
    """Return the single players' games in subfolders of ``around``, the best score first, in a language.

    Other games, damaged ones, and all after the first ``MOST_GAMES`` folders are left out.
    """
    games = []
    with suppress(OSError):
        folders = sorted(path for path in around.iterdir() if (path / SETTINGS_FILE).is_file())
        for folder in folders[:MOST_GAMES]:
            with suppress(Exception):  # whatever is wrong with a folder, it is left out
                games.append(solo_game(open_game(folder), language))
    return sorted(filter(None, games), key=lambda game: (-game.average, game.turns, game.folder))


def chronicle_values(
    campaign: Campaign, seat: Seat, games: Sequence[SoloGame], language: str
) -> dict[str, Any]:
    """Return the values of a reign's page: its end, turning points, all turns, graphs, luck, and all scores.

    Raises ``StoreError`` for a record that is missing or damaged.
    """
    spec = campaign.spec
    table = campaign.table
    translate = translator(campaign.spec.key, language)
    turns = tuple(past_turns(campaign, language, seat.code, drawn=False))
    names = {other.code: translate(other.name) for other in campaign.seats}
    colours = spec.colours(table, campaign.snapshot)
    # without parties that have no figures; the first of the turns is the start, which every game has
    parties = {code: (name, colours[code]) for code, name in names.items() if code in turns[0].figures}
    stories = list(_told(turns, seat.code, names[seat.code]))
    # the turns in which the score changed most come first, and of equal ones those with most to tell
    by_weight = sorted(
        stories, key=lambda story: (-abs(story["after"] - story["before"]), -len(story["lines"]))
    )
    points = sorted(by_weight[:TURNING_POINTS], key=lambda story: int(story["turn"].number))
    return {
        "name": names[seat.code],
        "game": next((game for game in games if game.folder == campaign.folder.path.name), None),
        "games": games,
        "over": f"{translate(spec.title)} · {table.board.title}",
        "last": turn_in_words(spec.played_name(campaign.snapshot), translate)
        if campaign.newest_turn
        else translate("the start"),
        "points": points,
        "turns": stories,
        "called": partial(turn_name, translate=translate),  # returns the name of one of these turns
        "course": ready_markup(
            course_html(turns, parties, spec.course_columns, seat.code, translate, language)
        ),
        # a row of luck begins with the party's name
        "luck": [row for row in _luck(campaign, language) if row[0] == names[seat.code]],
        "drawing": spec.draw(table, spec.seen(table, campaign.snapshot, seat.code), MapView(party=seat.code)),
    }


def _luck(campaign: Campaign, language: str) -> Any:
    """Return the rows of luck (``GameSpec.luck``) until now."""
    return campaign.spec.luck(campaign.snapshot, campaign.tally(campaign.newest_turn), language)


def _told(turns: Sequence[PastTurn], code: str, name: str) -> Iterator[Mapping[str, Any]]:
    """Yield, for a template, each ``turn`` in which something happened to a party.

    ``lines``: its sentences; a turn without any has the places that the party ``won`` and ``lost`` instead;
    ``before``, ``after``: its score. ``name``: the party's.
    """
    for before, turn in pairwise(turns):
        own_lines = turn.story.own
        won = [change.place for change in turn.changes if change.owner == name]
        lost = [change.place for change in turn.changes if change.former == name]
        if not (own_lines or won or lost):
            continue
        if own_lines:  # the story tells of them
            won = []
            lost = []
        scores = {"before": _score(before, code), "after": _score(turn, code)}
        yield {"turn": turn, "lines": own_lines, "won": won, "lost": lost, **scores}


def _score(turn: PastTurn, code: str) -> float:
    """Return a party's score after a turn, the first of its figures; 0 if it had none."""
    return next(iter(turn.figures.get(code, {"": 0.0}).values()))
