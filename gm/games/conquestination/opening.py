"""How a game begins: seats, map, deal (CN-2, CN-5.1 to CN-5.4, CN-12.1)."""

from __future__ import annotations

from gm.core.dice import Dice
from gm.core.values import FrozenMap
from gm.games.conquestination.countries import Board
from gm.games.conquestination.generator import random_map
from gm.games.conquestination.reinforcing import to_deploy
from gm.games.conquestination.rules import RandomMap, Rules, Settings
from gm.games.conquestination.state import COLOURS, Campaign, Country, Player, in_order


def chosen(settings: Settings, board: Board, rules: Rules, people: int) -> Settings:
    """The settings with what follows from rules, map and the number of people put in. Raises ``ValueError``."""
    countries = len(board.land.countries) if board.cells else _random(settings, board).countries
    allowed = board.players or rules.players
    most = min(allowed.max, rules.players.max, countries)
    wanted = settings.players if settings.players is not None else max(people, allowed.min)
    if not allowed.min <= wanted <= most:
        numbers = f"{most}" if most == allowed.min else f"{allowed.min} to {most}"
        raise ValueError(f"{board.title} is for {numbers} players, not for {wanted} (CN-2.1)")
    if board.random is None and settings.of_map:
        name = min(settings.of_map)
        raise ValueError(f"'{name}' is for a random map; {board.title} is as it is (CN-2.2)")
    return settings.evolve(
        players=wanted,
        mode=settings.mode or rules.defaults.mode,
        max_rounds=settings.max_rounds if settings.max_rounds is not None else rules.defaults.max_rounds,
        min_reinforcement=(
            settings.min_reinforcement
            if settings.min_reinforcement is not None
            else rules.reinforcement.min_reinforcement
        ),
        links_allow_redeploy=(
            settings.links_allow_redeploy
            if settings.links_allow_redeploy is not None
            else rules.redeploy.links_allow_redeploy
        ),
        seat_order=settings.seat_order or rules.defaults.seat_order,
    )


def generated(board: Board, settings: Settings, rules: Rules, seed: str) -> Board:
    """The map of a new game: a random one where the board asks for it (CN-4). Raises ``NoMapError``."""
    if board.random is None or board.cells:
        return board
    wanted = _random(settings, board)
    made = random_map(wanted, rules.generator, Dice(seed, "creation"), rules.continent_names, board.title)
    return made.board(board.name).evolve(random=wanted, players=board.players)


def _random(settings: Settings, board: Board) -> RandomMap:
    if board.random is None:
        raise ValueError(f"{board.title} has no countries")
    return board.random.evolve(**settings.of_map)


def opening(board: Board, rules: Rules, settings: Settings, seed: str) -> Campaign:
    """CN-5.1 to CN-5.4: everybody seated, the countries dealt, a unit on each, the rest to be deployed in run 0."""
    dice = Dice(seed, "creation")
    codes = list(COLOURS)[: settings.players or rules.players.min]
    if settings.seat_order == "shuffled":
        codes = _shuffled(dice, "D1", codes)
    land = board.land
    deal = _shuffled(dice, "D2", list(land.countries))
    each = rules.deployment.units_per_country
    owned = {country: Country(owner=codes[at % len(codes)], units=each) for at, country in enumerate(deal)}
    dealt = {code: sum(country.owner == code for country in owned.values()) for code in codes}
    parties = {
        code: Player(
            code=code,
            name=code.title(),
            colour=COLOURS[code],
            to_deploy=max(0, to_deploy(len(land.countries), len(codes), dealt[code], rules.deployment)),
        )
        for code in codes
    }
    first = codes[0] if settings.mode == "single" else None
    return Campaign(parties=FrozenMap(parties), settings=settings, countries=in_order(owned), current=first)


def _shuffled(dice: Dice, draw: str, items: list[str]) -> list[str]:
    """Every order of the items is equally likely."""
    left, found = list(items), []
    stream = dice(draw)
    while left:
        found.append(left.pop(stream.below(len(left))))
    return found
