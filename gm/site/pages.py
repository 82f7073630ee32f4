"""The contents of a site's files by name.

There are files of each turn and of each game, and at the top the front page with feed, calendar, hall of fame
and the program that checks the dice. Nothing is written here; only the games' folders are read.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import chain, repeat
from typing import Any

from gm import __version__
from gm.campaign.open import Campaign
from gm.campaign.play import played_turn
from gm.campaign.withdrawal import proof_of
from gm.core.codec import to_plain
from gm.core.diagnostics import printable
from gm.core.values import Record
from gm.game.answers import Fight
from gm.game.base.herald_page import herald_page
from gm.game.spec import GameSpec
from gm.game.values import GameData, MapView, TurnResult
from gm.mail.rendering import calendar_bytes, calendar_text, utc_stamp
from gm.site.league import league_files, site_page
from gm.site.lean import lean_html
from gm.site.record import GAME, Battle, PlayedTurn, PublicGame, Standing, public_game
from gm.store.folder import LOG_FILE, ROLLS_FILE, STATE_FILE, TURN_FILE
from gm.store.inbox import fingerprint
from gm.store.turns import turn_name
from gm.story.history import history_page
from gm.text.languages import SHARED, translator
from gm.text.layout import entry
from gm.text.pages import environment, figure
from gm.text.words import turn_in_words

RECORD_FILE = "game.json"
VERIFIER = "verify_dice.py"
ROLLS_NAME = "rolls.jsonl"
HISTORY = "history.html"
PAPER = "herald.html"
NEWS = 30  # entries that a feed has at most
_DRAWING = re.compile(r'<svg xmlns=[^>]* aria-label="([^"]*)".*?</svg>', re.DOTALL)
_AS_IT_IS = re.compile("(<(?:style|script|pre).*?</(?:style|script|pre)>)", re.DOTALL)


class GameSite(Record):
    """A game's part of the site."""

    game: PublicGame
    files: Mapping[str, bytes]  # new contents by name on the site
    unchanged: tuple[str, ...]  # beginnings of the names of files that stay as they are
    made: Mapping[str, str]  # fingerprints of files' input, by the beginning of their names


def game_site(
    campaign: Campaign,
    folder: str,
    earlier: PublicGame | None,
    made: Mapping[str, str],
    language: str,
    watch: Callable[[range], Iterable[int]],
) -> GameSite:
    """Return a game's part of the site; ``folder``: its folder there.

    ``earlier``: the game's record that is on the site already, None for a new game; ``made``: the
    fingerprints of the input of its present files (:class:`GameSite`): only files with another input are made
    again. ``watch`` passes the numbers of turns on, and may tell somebody how far it is.
    """
    earlier_turns = {turn.number: turn for turn in earlier.turns} if earlier else {}
    turns = dict[int, PlayedTurn]()
    fingerprints = dict[str, str]()
    files = dict[str, bytes]()
    unchanged = []
    for number in watch(range(1, campaign.newest_turn + 1)):
        start = f"{folder}/{turn_name(number)}/"
        fingerprints[start] = _fingerprint(campaign, number, language)
        if made.get(start) == fingerprints[start] and number in earlier_turns:
            turns[number] = earlier_turns[number]
            unchanged.append(start)
            continue
        turns[number], turn_files = _turn(campaign, number, language)
        files |= {start + name: data for name, data in turn_files.items()}
    game = public_game(campaign, turns, language)
    # the history depends on the turns, and on the corrections that were made after the newest one
    history = f"{folder}/{HISTORY}"
    fingerprints[history] = fingerprint(repr((fingerprints, campaign.decisions.amendments)).encode())
    if made.get(history) == fingerprints[history]:
        unchanged.append(history)
    else:
        files[history] = history_page(campaign, language)
    files |= _own_files(campaign, game, folder, language)
    return GameSite(game, files, tuple(unchanged), fingerprints)


def _own_files(campaign: Campaign, game: PublicGame, folder: str, language: str) -> dict[str, bytes]:
    """Return a game's files that are made each time: pages, map, record, handbook, feeds, all turns' dice."""
    spec = campaign.spec
    table = campaign.table
    public_state = spec.seen(table, campaign.snapshot, "")
    turns = range(campaign.newest_turn + 1)
    files = {f"{folder}/{turn_name(number)}/dice.yaml": _dice_file(campaign, number) for number in turns}
    files |= {
        f"{folder}/map.svg": spec.draw(table, public_state, MapView()).encode(),
        f"{folder}/{RECORD_FILE}": GAME.encode(to_plain(game)),
        f"{folder}/index.html": site_page("game.html", language, game=game, **_table(game)),
        f"{folder}/dice.html": site_page("dice.html", language, game=game, verifier=VERIFIER),
        **_feeds([game], f"{folder}/", game.id, language),
    }
    book = book_files(spec.handbook(table, public_state, language))
    return files | {f"{folder}/{name}": data for name, data in book.items()}


def book_files(page: str) -> dict[str, bytes]:
    """Return the files of a handbook on a site, by name; ``page``: the handbook as one page.

    Its drawings become files of their own, and optional parts of HTML are omitted. Scripts and styles stay
    as they are: the page's security policy names them by their hashes.
    """
    drawings: dict[str, bytes] = {}

    def apart(drawing: re.Match[str]) -> str:
        """Add a drawing to the files and return the tag that shows it."""
        name = f"handbook-{len(drawings) + 1}.svg"
        drawings[name] = drawing[0].encode()
        return f'<img src="{name}" alt="{drawing[1]}" loading="lazy">'

    linked = _DRAWING.sub(apart, page)
    # the page's security policy allows the files of the drawings
    linked = linked.replace("img-src data:", "img-src data: 'self'", 1)
    pieces = _AS_IT_IS.split(linked)  # other text and scripts, styles or fixed text by turns
    pieces[::2] = map(lean_html, pieces[::2])
    return drawings | {"handbook.html": "".join(pieces).encode()}


def _fingerprint(campaign: Campaign, turn: int, language: str) -> str:
    """Return the fingerprint of the input of a turn's files: its folder, the program and the language."""
    parts = (campaign.folder.report(turn, name) for name in (TURN_FILE, STATE_FILE, LOG_FILE))
    return fingerprint(f"{__version__} {language}".encode(), *parts)


def _turn(campaign: Campaign, turn: int, language: str) -> tuple[PlayedTurn, dict[str, bytes]]:
    """Return (the public record of a turn, the contents of its files by name in its folder of the site)."""
    spec = campaign.spec
    table = campaign.table
    result = played_turn(campaign, turn)
    before = spec.seen(table, result.before, "")
    after = spec.seen(table, result.after, "")
    story = spec.turn_story(table, result.evolve(before=before, after=after), language=language)
    files = _battle_files(spec, table, result, language)
    battles = _battles(story.fights, [*files])  # so far all files are pages of battles
    paper = spec.herald(table, result, language)
    if paper.lines:
        files[PAPER] = herald_page(paper, spec.key, language).encode()
    rolls = campaign.folder.report(turn, ROLLS_FILE)
    if rolls:
        files[ROLLS_NAME] = rolls
    played = PlayedTurn(
        number=turn,
        name=turn_in_words(spec.played_name(result.after), translator(spec.key, language)),
        # a journal may not tell when it was played
        at=(campaign.played_at(turn) or campaign.deadline(turn)).astimezone(UTC),
        proof=proof_of(campaign.folder.turn_record(turn).get("proof"), TURN_FILE),
        rolls=ROLLS_NAME in files,
        battles=battles,
        news=story.news,
        headline=next(iter(paper.lines), ""),
        paper=PAPER if paper.lines else "",
    )
    return played, files


def _battles(fights: Iterable[Fight], files: Iterable[str]) -> tuple[Battle, ...]:
    """Return a turn's battles; ``files``: the names of their pages, in the same order, or fewer or none."""
    pairs = zip(fights, chain(files, repeat("")), strict=False)
    return tuple(Battle(file=file, title=fight.title, brief=fight.text) for fight, file in pairs)


def _battle_files(
    spec: GameSpec[Any], table: GameData, result: TurnResult, language: str
) -> dict[str, bytes]:
    """Return the pages of a turn's battles in a language, by name, in the order of the fights."""
    if not spec.battle_pages:
        return {}
    readers = dict.fromkeys((seat.code for seat in spec.seats(table, result.after)), language)
    reports = spec.reports(table, result.evolve(languages=readers))
    pages = sorted(name for name in reports if name.startswith(spec.battle_pages) and name.endswith(".html"))
    # pages in English have no language in their names
    in_language = [name for name in pages if name.endswith(f".{language}.html")] or pages
    return {f"battles/{name.removeprefix(spec.battle_pages)}": reports[name] for name in in_language}


def _dice_file(campaign: Campaign, turn: int) -> bytes:
    """Return a file with a turn's dice, which the verifier reads, for people without a results file."""
    record = campaign.folder.turn_record(turn)
    head = {"game": campaign.folder.settings.id, "realm": "", "turn": turn}
    content = {**head, "next_seal": record.get("next_seal", ""), "dice": record.get("proof")}
    return "".join(f"{entry(name, value)}\n" for name, value in content.items()).encode()


def _table(game: PublicGame) -> dict[str, Any]:
    """Return the table of standings: ``columns``, their names; ``rows``, (standing, its cells) by rank.

    Parties are ordered by their first figure, the highest first, and eliminated ones are last.
    """
    columns = list(dict.fromkeys(chain.from_iterable(standing.figures for standing in game.standings)))
    ranked = sorted(
        game.standings,
        key=lambda standing: (standing.out, -next(iter(standing.figures.values()), 0), standing.name),
    )
    return {"columns": columns, "rows": [(standing, _cells(standing, columns)) for standing in ranked]}


def _cells(standing: Standing, columns: Iterable[str]) -> list[str]:
    """Return a party's figures as text, one for each column."""
    return [_shown(standing.figures.get(name)) for name in columns]


def _shown(value: float | None) -> str:
    """Return a figure as text; empty for None."""
    return "" if value is None else figure(Decimal(str(value)))


def front_files(games: Sequence[PublicGame], title: str, language: str, verifier: bytes) -> dict[str, bytes]:
    """Return the files at the top of the site by name, from the games on it.

    ``title``: the site's; ``verifier``: the content of the program that checks dice.
    """
    # games that are over come last
    sorted_games = sorted(games, key=lambda game: (game.winners is not None, game.title, game.id))
    results = [game.result for game in games if game.result]
    files = {VERIFIER: verifier, **_feeds(sorted_games, "", title, language)}
    if results:
        files |= league_files(
            results, language, {game.mark: f"{game.folder}/index.html" for game in games}, "index.html"
        )
    return files | {
        "index.html": site_page("index.html", language, games=sorted_games, title=title, hall=bool(results))
    }


class News(Record):
    """An entry of a feed: a played turn."""

    id: str  # permanent, of :func:`_urn`
    game: PublicGame
    turn: PlayedTurn
    link: str  # to the turn on the site, relative to the feed


def _feeds(games: Iterable[PublicGame], game_folder: str, title: str, language: str) -> dict[str, bytes]:
    """Return the feed of news of some games and the calendar of their deadlines, by name.

    ``game_folder``: the folder, with ``/``, of the only game that they are about; empty: they are the site's.
    """
    games = list(games)
    news: list[News] = []
    for game in games:
        folder = "" if game_folder else f"{game.folder}/"
        mark = game.mark or game.id
        news += (News(_urn(mark, turn.number), game, turn, _told_at(folder, turn)) for turn in game.turns)
    news.sort(key=lambda item: (item.turn.at, item.game.id, item.turn.number), reverse=True)
    # a feed needs a time, also before there is any news
    newest = news[0].turn.at if news else datetime(1970, 1, 1, tzinfo=UTC)
    # the feed of all games has the same id when games come and go
    id_parts = sorted(game.mark or game.id for game in games) if game_folder else []
    values = {"title": printable(title), "id": _urn(title, *id_parts), "news": news[:NEWS]}
    feed = site_page("feed.xml", language, updated=newest, text=printable, **values)
    due = [  # (game, deadline, time of the entry's last change)
        (game, utc_stamp(game.deadline), utc_stamp(game.turns[-1].at if game.turns else game.deadline))
        for game in games
        if game.deadline
    ]
    template = environment(SHARED, language, markup=False).get_template("site/deadlines.ics")
    calendar = template.render(due=due, title=printable(title), text=calendar_text)
    return {f"{game_folder}feed.xml": feed, f"{game_folder}deadlines.ics": calendar_bytes(calendar)}


def _told_at(folder: str, turn: PlayedTurn) -> str:
    """Return the address where a turn is told: its newspaper, or its place on the game's page.

    ``folder``: the path to the game's folder, which ends in ``/``; empty in that folder itself.
    """
    if turn.paper:
        return f"{folder}{turn_name(turn.number)}/{turn.paper}"
    return f"{folder}index.html#turn-{turn.number}"


def _urn(*parts: object) -> str:
    """Return an id, always the same for the same parts, in the form of a UUID (RFC 9562, version 8)."""
    digits = fingerprint("\n".join(map(str, parts)).encode())
    # the 8 and the a stand for the version and the variant of the UUID, in place of two digits
    return f"urn:uuid:{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-a{digits[17:20]}-{digits[20:32]}"
