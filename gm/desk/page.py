"""The pages of the desk: the games of a folder, and the week of one of them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from gm.campaign.check import CheckContext
from gm.campaign.open import Campaign
from gm.campaign.play import played_turn
from gm.campaign.receive import Submission
from gm.core.values import GM, Record
from gm.desk.acts import ACTS, usage
from gm.store.deadlines import WEEKDAYS
from gm.store.moments import fixed, time_left
from gm.store.turns import turn_name
from gm.text.languages import ENGLISH, SHARED, translator
from gm.text.pages import environment, inlined_files
from gm.text.printed import Block, blocks_of, joined
from gm.text.words import turn_in_words

MOST_WEEKS = 6  # that the calendar shows
WEEK = timedelta(days=7)
_SHOWN = re.compile(
    r"(?:turns/turn-\d{2,6}/)?(?:[\w-]{1,60}/){0,2}[\w-]{1,60}(?:\.[a-z]{2})?\.(?:html|yaml)", re.ASCII
)
"""The paths, in a game's folder, of the files that the desk may show."""
_OF_LANGUAGE = re.compile(r"\.[a-z]{2}(?=\.html$)")  # in the name of a page: ``.de``


class Running(Protocol):
    """A command that the desk has started and that has not ended."""

    def lines(self) -> AsyncIterator[str]:
        """Yield the lines of the command until it ends."""

    @property
    def is_done(self) -> bool:
        """Whether the command has ended, and went well."""


class Lent(Record):
    """Functions of the commands, which they lend to the desk."""

    games: Callable[[], Mapping[str, Path]]  # the folders of the games, by their names
    # (a game's folder, language) -> its line in the list of games, as 'pbem status' has it
    overview: Callable[[Path, str], Mapping[str, Any]]
    game: Callable[[Path], Campaign]  # (its folder) -> the game
    moment: Callable[[Campaign], datetime]  # what the clock says
    secret: Callable[[], str]  # a new secret at each call
    status: Callable[[Campaign, datetime], Mapping[str, Any]]  # as 'pbem status --json' has it
    context: Callable[[Campaign], CheckContext]  # as 'pbem check' has it
    # (a game's folder, order files, take late ones, language) -> (outcome in words, all were accepted)
    receive: Callable[[Path, Sequence[Submission], bool, str], tuple[str, bool]]
    # (words of a command, where it runs, text that it reads, language) -> the command, running
    run: Callable[[Sequence[str], Path, str, str], Running]
    in_words: Callable[[Exception, str], str]  # (error, language) -> a sentence for people


class Part(Record):
    """A part of the answer to an action at the desk."""

    title: str  # the file that it is about; empty: it is about all
    text: str


class Answer(Record):
    """The desk's answer to an action on a page."""

    command: str  # as it would be typed in a terminal
    parts: Sequence[Part] = ()
    done: bool | None = None  # whether it succeeded; None: it runs, or is to be confirmed
    says: str = ""  # why it failed
    again: Mapping[str, str] = {}  # the fields that are sent once more to confirm it
    checked: str = ""  # the secret under which checked files are stored, to be received


def games_page(lent: Lent, folders: Mapping[str, Path], language: str) -> str:
    """Return the page of all games; ``folders``: their folders by name."""
    return _rendered("games", SHARED, language, {"games": _lines(lent, folders, language)})


def _lines(lent: Lent, folders: Mapping[str, Path], language: str) -> list[dict[str, Any]]:
    """Return the line of each game in the list of games; ``folders``: by name."""
    return [{"name": name, **lent.overview(folder, language)} for name, folder in folders.items()]


def broken_page(
    lent: Lent, folders: Mapping[str, Path], language: str, says: str, *, name: str, home: str
) -> str:
    """Return the page in place of one that cannot be shown, with the list of the other games.

    ``folders``: the games' folders, by name; ``says``: why it cannot be shown; ``name``: the game of that
    page, empty for none; ``home``: the link to the list of games.
    """
    values = {"game": name if name in folders else "", "says": says, "home": home}
    others = folders.keys() - {name}
    games = _lines(lent, folders, language) if others else []
    return _rendered("broken", SHARED, language, {**values, "games": games})


def week_page(
    lent: Lent, folder: Path, language: str, answer: Answer | None, *, mark: str = "", many: bool
) -> str:
    """Return the page of a game's week.

    ``answer``: to a button that was pressed, None for no button; ``mark``: a text that the page has at the
    place where the command's output comes; ``many``: whether the desk has other games.
    """
    campaign = lent.game(folder)
    values = week_values(lent, campaign, language)
    values |= {"many": many, "answer": answer, "mark": mark}
    return _rendered("week", campaign.spec.key, language, values)


def printed_html(blocks: Iterable[Block]) -> str:
    """Return blocks of a command's output as HTML."""
    return environment().get_template("desk/printed.html").render(printed=joined(blocks))


def _rendered(template: str, game: str, language: str, values: Mapping[str, Any]) -> str:
    """Return a page from a template of the desk; ``game``: the key of the rules, for their translations."""
    inlined = inlined_files(("desk/desk.css",), (), game, language)
    return (
        environment(game, language)
        .get_template(f"desk/{template}.html")
        .render({**values, "inlined": inlined, "blocks_of": blocks_of})
    )


def week_values(lent: Lent, campaign: Campaign, language: str) -> dict[str, Any]:
    """Return the values of the template of a week's page that depend on the game alone."""
    say = translator(campaign.spec.key, language)
    now = lent.moment(campaign)
    turn = campaign.next_turn
    calendar = campaign.calendar
    deadline = campaign.deadline(turn)
    # in the time zone of the game
    local_now = fixed(now, calendar.zone)
    local_deadline = fixed(deadline, calendar.zone)
    played = turn_in_words(campaign.spec.played_name(campaign.state), say)
    return {
        "game": campaign.folder.settings.id,
        "title": campaign.spec.title,
        "turn": turn,
        "coming": turn_in_words(campaign.spec.coming_name(campaign.state), say),
        "played": played if campaign.newest_turn else "",
        "status": {"post": None, **lent.status(campaign, now)},  # ``post``: None in a game without mail
        "due": campaign.due_words(turn, say),
        "left": time_left(deadline - now, say),
        "never": calendar.never,
        "weekdays": WEEKDAYS,
        "weeks": calendar_weeks(local_now.date(), local_deadline.date()),
        "earliest": f"{local_now:%Y-%m-%dT%H:%M}",
        "pages": list(_pages(campaign)),
        "corrections": campaign.folder.inbox(turn).amendments(),
        "kinds": [kind.usage for kind in campaign.spec.corrections.values()],
        "usage": {key: usage(act) for key, act in ACTS.items()},
        "steward": bool(campaign.spec.deputy),
    }


def calendar_weeks(today: date, due: date) -> list[list[tuple[date, str]]]:
    """Return the weeks from today to a deadline, at most :data:`MOST_WEEKS`: (day, word) for each day.

    The word is ``today``, ``due`` or empty. A deadline that has passed comes first.
    """
    words = {today: "today", due: "due"}
    first = min(today, due)
    last = max(today, due)
    monday = first - timedelta(days=first.weekday())
    count = min(MOST_WEEKS, (last - monday) // WEEK + 1)
    days = [monday + timedelta(days=number) for number in range(7 * count)]
    cells = [(day, words.get(day, "")) for day in days]
    return [cells[start : start + 7] for start in range(0, len(cells), 7)]


def _pages(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Yield (party's name, path in the game's folder) of each page of the newest turn.

    The game master's comes first, with an empty name.
    """
    folder = f"turns/{turn_name(campaign.newest_turn)}"
    names = {seat.code: seat.name for seat in campaign.seats}
    pages = {"": f"{folder}/summary.html", **{code: f"{folder}/results/{code}.html" for code in names}}
    for code, page in pages.items():
        if (campaign.folder.path / page).is_file():
            yield names.get(code, ""), page


def own_summary(campaign: Campaign, name: str, language: str) -> bytes | None:
    """Return the game master's summary of the newest turn, made again in another language than the game's.

    None if ``name`` is another page, or the stored summary is in that language.
    """
    is_summary = name == f"turns/{turn_name(campaign.newest_turn)}/summary.html"
    if not is_summary or language == (campaign.folder.settings.language or ENGLISH):
        return None
    played = played_turn(campaign, campaign.newest_turn)
    reports = campaign.spec.reports(
        campaign.table, played.evolve(languages={**played.languages, GM: language})
    )
    return reports.get("summary.html")


def shown_file(folder: Path, name: str) -> Path | None:
    """Return the path of a file of a game that the desk may show; None for any other name.

    For a page that is missing in a language, it is the same page without a language in its name.
    """
    if not _SHOWN.fullmatch(name):
        return None
    path = (folder / name).resolve()
    if not path.is_file():
        path = (folder / _OF_LANGUAGE.sub("", name)).resolve()
    is_in_folder = path.is_relative_to(folder.resolve())  # a link may lead elsewhere
    return path if path.is_file() and is_in_folder else None
