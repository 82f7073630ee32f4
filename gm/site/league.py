"""The hall of fame: ratings with their uncertainty from finished games, by game and by map.

They follow Plackett and Luce's model of orders of finish, as OpenSkill rates it. A player who held a seat for
a part of its turns wins and loses by that part; a bot is rated like a player, and named as one.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from gm.core.codec import to_plain
from gm.core.diagnostics import fold
from gm.core.values import Record
from gm.site.result import GameResult, Holder, SeatResult
from gm.store.formats import Format
from gm.text.languages import ENGLISH, SHARED
from gm.text.pages import environment, slug

LEAGUE = Format("hall of fame", 1)
ALL_MAPS = ""
_START = (25.0, 25.0 / 3)  # OpenSkill's own: what is thought of somebody of whom nothing is known

Pool = tuple[str, str]  # a game, and one of its maps or all


class Rating(Record):
    """The rating of a player or program.

    ``mu``: the estimated strength; ``sigma``: its standard deviation; ``shown``: the lowest likely strength,
    by which ratings are ordered. The others are the numbers of games, of games won and of turns.
    """

    name: str
    bot: bool
    mu: float
    sigma: float
    shown: float
    games: int
    won: int
    turns: int


class _Record:
    """A rating while games are added."""

    def __init__(self) -> None:
        self.name = ""
        (self.mu, self.sigma) = _START
        self.games = self.won = self.turns = 0


def ordered(results: Iterable[GameResult]) -> list[GameResult]:
    """Return each game once, in the order in which they ended, in whatever order they are given."""
    in_order = sorted(results, key=lambda result: str(to_plain(result)))
    newest = {(result.mark or result.id, result.ended): result for result in in_order}
    return sorted(newest.values(), key=lambda result: (result.ended, result.id, result.mark))


def ratings(results: Iterable[GameResult]) -> dict[Pool, list[Rating]]:
    """Return the ratings, the best first, by game and map. Imports OpenSkill."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    pools = dict[Pool, dict[tuple[str, bool], _Record]]()
    for game in ordered(results):
        for pool in dict.fromkeys(((game.game, ALL_MAPS), (game.game, game.map))):
            _rate(model, pools.setdefault(pool, {}), game)
    return {pool: _ranked(people) for pool, people in sorted(pools.items())}


def _rate(model: Any, people: dict[tuple[str, bool], _Record], game: GameResult) -> None:
    """Rate the holders of a game's seats by the order in which the seats finished."""
    seats = [seat for seat in game.seats if seat.holders]
    if len(seats) < 2:
        return
    strengths = [_strength(people, seat) for seat in seats]
    sides = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths]
    rated = model.rate(sides, ranks=[seat.place for seat in seats])
    for seat, before, (after,) in zip(seats, strengths, rated, strict=True):
        _move(people, seat, before, (after.mu, after.sigma))
    winners = [seat for seat in seats if seat.place == 1 and not game.drawn]
    winner_keys = set(_keys(winners))
    for key in dict.fromkeys(_keys(seats)):
        people[key].games += 1
        people[key].won += key in winner_keys


def _move(
    people: dict[tuple[str, bool], _Record],
    seat: SeatResult,
    before: tuple[float, float],
    after: tuple[float, float],
) -> None:
    """Change the ratings of a seat's holders, each by their part of its turns.

    ``before`` and ``after``: the seat's rating.
    """
    mu, sigma = before
    new_mu, new_sigma = after
    for holder, share in _shares(seat):
        record = people.setdefault(_key(holder), _Record())
        record.name = holder.name
        record.mu += share * (new_mu - mu)
        record.sigma *= (new_sigma / sigma) ** share
        record.turns += holder.turns


def _keys(seats: Iterable[SeatResult]) -> Iterator[tuple[str, bool]]:
    """Yield the key of each named holder of these seats."""
    for seat in seats:
        yield from (_key(holder) for holder, _ in _shares(seat))


def _shares(seat: SeatResult) -> list[tuple[Holder, float]]:
    """Return the named holders of a seat, each with their part of its turns."""
    turns = sum(holder.turns for holder in seat.holders)
    return [(holder, holder.turns / turns) for holder in seat.holders if holder.name]


def _strength(people: Mapping[tuple[str, bool], _Record], seat: SeatResult) -> tuple[float, float]:
    """Return the strength of a seat: the mean of its holders, by their parts.

    Holders without a name have no rating.
    """
    parts = []
    for holder, share in _shares(seat):
        record = people.get(_key(holder))
        mu, sigma = (record.mu, record.sigma) if record else _START
        parts.append((mu, sigma, share))
    rest = 1 - sum(share for _, _, share in parts)
    parts.append((*_START, rest))
    return sum(mu * part for mu, _, part in parts), sum(sigma**2 * part for _, sigma, part in parts) ** 0.5


def _key(holder: Holder) -> tuple[str, bool]:
    """Return the key of a holder: a name in any spelling is one player in all games.

    A program has its own.
    """
    return " ".join(fold(holder.name).split()), holder.bot


def _ranked(people: Mapping[tuple[str, bool], _Record]) -> list[Rating]:
    """Return the ratings, the best first."""
    rows = [
        Rating(
            person.name,
            bot,
            round(person.mu, 3),
            round(person.sigma, 3),
            round(person.mu - 3 * person.sigma, 2),
            person.games,
            person.won,
            person.turns,
        )
        for (_, bot), person in people.items()
    ]
    return sorted(rows, key=lambda row: (-row.shown, -row.mu, row.name, row.bot))


def league_files(
    results: Iterable[GameResult],
    language: str = ENGLISH,
    pages: Mapping[str, str] | None = None,
    home: str = "",
) -> dict[str, bytes]:
    """Return the hall of fame as data and as a page.

    ``pages``: by a game's mark the address of its own; ``home``: that of the front page of their site.
    """
    games = ordered(results)
    rated = ratings(games)
    titles = {game.game: game.title for game in games}
    sections = _sections(rated, titles)
    tables = [{"game": key, "map": place, "players": to_plain(rows)} for (key, place), rows in rated.items()]
    data = LEAGUE.encode({"ratings": tables, "games": [to_plain(game) for game in games]})
    values = {"games": games[::-1], "sections": sections, "pages": pages or {}, "home": home}
    links = [(f"#{anchor}", name) for anchor, name, _ in sections]
    return {
        "league.json": data,
        "hall-of-fame.html": site_page("league.html", language, links=links, **values),
    }


Section = tuple[str, str, list[tuple[str, list[Rating]]]]  # anchor, title, and a table by map


def _sections(rated: Mapping[Pool, list[Rating]], titles: Mapping[str, str]) -> list[Section]:
    """Return the tables of each game; ``titles``: the games' names."""
    sections = []
    for key, tables in groupby(rated.items(), lambda table: table[0][0]):
        sections.append((slug(key), titles[key], [(place, rows) for (_, place), rows in tables]))
    return sections


def site_page(template: str, language: str, **values: Any) -> bytes:
    """Return a file from ``templates/site``."""
    return environment(SHARED, language).get_template(f"site/{template}").render(values).encode()
