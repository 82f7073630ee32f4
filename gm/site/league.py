"""The hall of fame: ratings with their uncertainty from finished games, by game and by map.

They follow Plackett and Luce's model of orders of finish, as OpenSkill computes it. A player who held a seat
for a part of its turns wins and loses by that part. Bots are rated as players are, and their rows say that
they are bots.
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
_START = (25.0, 25.0 / 3)  # OpenSkill's mu and sigma of somebody of whom nothing is known

Pool = tuple[str, str]  # (key of a game, map or ALL_MAPS); each pool has ratings of its own


class Rating(Record):
    """The rating of a player or bot."""

    name: str
    bot: bool
    mu: float  # the estimated strength
    sigma: float  # its standard deviation
    shown: float  # the lowest likely strength, by which ratings are ordered
    games: int
    won: int
    turns: int


class _Record:
    """The rating of a player or bot while games are added one by one."""

    def __init__(self) -> None:
        self.name = ""  # as it was spelled last
        self.mu, self.sigma = _START
        self.games = 0
        self.won = 0
        self.turns = 0  # in which it held a seat


def ordered(results: Iterable[GameResult]) -> list[GameResult]:
    """Return each game once, in the order in which they ended.

    Of different results of one game the same is chosen whatever the order of ``results``.
    """
    # of results of the same game, the last one in this order is returned
    by_content = sorted(results, key=lambda result: str(to_plain(result)))
    result_of_game = {(result.mark or result.id, result.ended): result for result in by_content}
    return sorted(result_of_game.values(), key=lambda result: (result.ended, result.id, result.mark))


def ratings(results: Iterable[GameResult]) -> dict[Pool, list[Rating]]:
    """Return the ratings of each game, and of each of its maps, the best first. Imports OpenSkill."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    pools = dict[Pool, dict[tuple[str, bool], _Record]]()
    for game in ordered(results):
        for pool in dict.fromkeys(((game.game, ALL_MAPS), (game.game, game.map))):
            _rate(model, pools.setdefault(pool, {}), game)
    return {pool: _ranked(people) for pool, people in sorted(pools.items())}


def _rate(model: Any, people: dict[tuple[str, bool], _Record], game: GameResult) -> None:
    """Change the ratings of the holders of a game's seats by the order in which the seats finished.

    Their games and victories are counted, too. Nothing is changed if fewer than two seats have holders.
    ``people``: the ratings so far, by :func:`_key`; ``model``: OpenSkill's.
    """
    seats = [seat for seat in game.seats if seat.holders]
    if len(seats) < 2:
        return
    strengths = [_strength(people, seat) for seat in seats]
    # each seat is a side of one player, whatever the number of its holders
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

    ``people``: the ratings so far, by :func:`_key`; ``before`` and ``after``: the seat's rating, (mu, sigma).
    """
    mu, sigma = before
    new_mu, new_sigma = after
    for holder, share in _shares(seat):
        record = people.setdefault(_key(holder), _Record())
        record.name = holder.name
        record.mu += share * (new_mu - mu)
        # sigma changes by a factor: the parts of all holders multiply to the seat's whole change
        record.sigma *= (new_sigma / sigma) ** share
        record.turns += holder.turns


def _keys(seats: Iterable[SeatResult]) -> Iterator[tuple[str, bool]]:
    """Yield the key of each named holder of these seats, as :func:`_key` makes it."""
    for seat in seats:
        yield from (_key(holder) for holder, _ in _shares(seat))


def _shares(seat: SeatResult) -> list[tuple[Holder, float]]:
    """Return (holder, part of the seat's turns) for each named holder of a seat."""
    turns = sum(holder.turns for holder in seat.holders)
    return [(holder, holder.turns / turns) for holder in seat.holders if holder.name]


def _strength(people: Mapping[tuple[str, bool], _Record], seat: SeatResult) -> tuple[float, float]:
    """Return (mu, sigma) of a seat: the mean of its holders, weighted by their parts of the turns.

    ``people``: the ratings so far, by :func:`_key`. Holders without a name have no rating and count as
    players of whom nothing is known.
    """
    parts = []  # (mu, sigma, weight)
    for holder, share in _shares(seat):
        record = people.get(_key(holder))
        mu, sigma = (record.mu, record.sigma) if record else _START
        parts.append((mu, sigma, share))
    share_without_name = 1 - sum(share for _, _, share in parts)
    parts.append((*_START, share_without_name))
    mean_mu = sum(mu * share for mu, _, share in parts)
    mean_variance = sum(sigma**2 * share for _, sigma, share in parts)
    return mean_mu, mean_variance**0.5


def _key(holder: Holder) -> tuple[str, bool]:
    """Return (name in small letters, without accents; whether it is a bot), the same in all games."""
    return " ".join(fold(holder.name).split()), holder.bot


def _ranked(people: Mapping[tuple[str, bool], _Record]) -> list[Rating]:
    """Return the ratings of all people in a pool, the best first."""
    rows = [
        Rating(
            person.name,
            bot,
            round(person.mu, 3),
            round(person.sigma, 3),
            round(person.mu - 3 * person.sigma, 2),  # the lowest likely strength
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
    """Return the files of the hall of fame by name: its data, and its page in a language.

    ``pages``: addresses of the games' own pages, by their marks; ``home``: the address of the site's front
    page, empty: it is on no site.
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


Section = tuple[str, str, list[tuple[str, list[Rating]]]]  # (anchor, a game's title, [(map, its ratings)])


def _sections(rated: Mapping[Pool, list[Rating]], titles: Mapping[str, str]) -> list[Section]:
    """Return a section of the page for each game: (anchor, the game's title, [(map, its ratings)]).

    ``rated``: the ratings, those of each game together; ``titles``: of the games, by key.
    """
    sections = []
    for key, tables in groupby(rated.items(), lambda table: table[0][0]):
        sections.append((slug(key), titles[key], [(place, rows) for (_, place), rows in tables]))
    return sections


def site_page(template: str, language: str, **values: Any) -> bytes:
    """Return the content of a page, or another file, from a template below ``templates/site``."""
    return environment(SHARED, language).get_template(f"site/{template}").render(values).encode()
