"""How a game begins: seats, homes, influence (CQ-2, CQ-4)."""

from __future__ import annotations

from gm.core.diagnostics import did_you_mean, fold, nearest
from gm.core.dice import Dice
from gm.games.conqueror.figures import score
from gm.games.conqueror.land import COLOURS, Board, ProvinceFile
from gm.games.conqueror.rules import Leader, Rules, Settings
from gm.games.conqueror.state import ALL_INFLUENCE, EMPIRE, NEUTRAL, UNOWNED, VASSAL, Player, Province, World


def chosen(settings: Settings, board: Board, rules: Rules) -> Settings:
    """The settings with what follows from rules and map put in (CQ-2.3 to CQ-2.10). Raises ``ValueError``."""
    most = len(board.homes)
    wanted = settings.max_players if settings.max_players is not None else most
    if not 2 <= wanted <= most:
        raise ValueError(f"{board.title} has seats for 2 to {most} players, not for {wanted} (CQ-2.4)")
    homes = [_home(word, board) for word in settings.homes]
    if len(set(homes)) < len(homes):
        raise ValueError("a home is named twice under 'homes' (CQ-2.9)")
    if len(homes) > wanted:
        raise ValueError(f"'homes' names {len(homes)} homes for {wanted} seats (CQ-2.3)")
    leaders = {_home(word, board): leader for word, leader in settings.leaders.items()}
    return settings.filled(rules).evolve(max_players=wanted, homes=tuple(homes), leaders=leaders)


def _home(word: str, board: Board) -> str:
    """The home that a word means: by its code, its name or its colour."""
    known = {fold(code): code for code in board.homes}
    for code, colour in board.homes.items():
        known |= {fold(board.provinces[code].name): code, fold(colour): code}
    if fold(word) not in known:
        hint = did_you_mean(nearest(word, board.homes)) or f"there is {', '.join(board.homes)}"
        raise ValueError(f"no home is called {word!r}: {hint} (CQ-2.8)")
    return known[fold(word)]


def opening(board: Board, rules: Rules, settings: Settings, seed: str) -> World:
    """The position before turn 1: seats in the order of the map's homes."""
    seats = _seats(board, settings, seed)
    provinces = {code: _province(code, each, seats, board, rules) for code, each in board.by_id.items()}
    parties = {}
    for code in seats:
        player = Player(
            code=code,
            name=board.by_id[code].name,
            colour=COLOURS[board.homes[code]],
            tint=board.homes[code],
            leader=settings.leaders.get(code) or Leader(),
            capital=code,
            gold=rules.start.gold,
        )
        parties[code] = player.evolve(score=score(player, [provinces[code]], rules))
    return World(parties=parties, settings=settings, provinces=provinces)


def _seats(board: Board, settings: Settings, seed: str) -> list[str]:
    """CQ-2.9: the homes that were asked for, and by draw D1 as many of the others as there are seats left."""
    free = [code for code in board.homes if code not in settings.homes]
    taken = set(settings.homes)
    draw = Dice(seed, "creation")("D1 seats")
    while len(taken) < (settings.max_players or len(board.homes)):
        taken.add(free.pop(draw.below(len(free))))
    return [code for code in board.homes if code in taken]


def _province(code: str, file: ProvinceFile, seats: list[str], board: Board, rules: Rules) -> Province:
    start = rules.start
    if code in seats:
        return Province(
            code=code,
            owner=code,
            status=VASSAL if file.vassal else EMPIRE,
            population=start.population,
            resources=start.resources,
            culture=start.culture,
            fort=start.fort,
            fresh=start.armies,
            influence={code: ALL_INFLUENCE},
        )
    return Province(
        code=code,
        owner=NEUTRAL,
        status=VASSAL if file.vassal else UNOWNED,
        population=file.population,
        resources=file.resources,
        culture=file.culture,
        fort=file.fort,
        fresh=file.armies,
        influence=_around(code, seats, board, rules),
    )


def _around(code: str, seats: list[str], board: Board, rules: Rules) -> dict[str, int]:
    """CQ-4.5, CQ-4.6: what the capitals beside it have in a province that nobody owns."""
    beside = [] if code in board.homes else [seat for seat in seats if seat in board.neighbours[code]]
    share = min(rules.start.neighbour_influence, ALL_INFLUENCE // len(beside)) if beside else 0
    return {NEUTRAL: ALL_INFLUENCE - share * len(beside), **dict.fromkeys(beside, share)}
