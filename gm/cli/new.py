"""``gm new``: a game folder, ready for its first turn."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from gm.campaign.pinning import OF_THE_GAME, PINS_FILE, in_force, pins_bytes
from gm.campaign.play import read_by_people
from gm.cli.entrants import Entrant, read_all
from gm.cli.failures import Failure
from gm.cli.game_names import home_of
from gm.cli.new_bots import MIXED, checked_bots, dealt_bots, tell_how_to_play
from gm.cli.new_files import players_text, settings_text
from gm.cli.new_founding import begun, options_of, show_options
from gm.cli.shared import acting, at_option, counted, making, moment, shown_path
from gm.core.dice import Dice
from gm.core.orders.keys import KEYS_OF, WORDS, player_secret
from gm.core.sealing import next_seal
from gm.game.founding import NewGameRequest
from gm.game.spec import GameData, GameSpec
from gm.game.turn_result import TurnResult
from gm.games import GAMES, game_spec
from gm.store.deadlines import WEEKDAYS, Deadline
from gm.store.disk import build_folder
from gm.store.folder import TURN, log_bytes, state_bytes
from gm.store.settings import Player

NOTICE = timedelta(days=3)
"""How much time the players get at least for the first turn, unless --first says otherwise."""


@click.command(short_help="Start a game.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--game", "game_name", default="medieval", show_default=True, help="Which game.")
@click.option(
    "--map", "map_name", help="A map that comes with gm, or a map's folder. Default: the game's own choice (minsk)."
)
@click.option(
    "--set",
    "wishes",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the game, e.g. players=2; '--set help' lists them. May be given more than once.",
)
@click.option("--short-keys", is_flag=True, help="Short keys: for files that are handed over, never for mail.")
@click.option("--no-keys", is_flag=True, help="Order files need no key: whoever can hand one in can order.")
@click.option("--id", "game_id", help="What order files call the game. Default: the folder's name.")
@click.option("--seed", help="What rules the dice; keep it secret. Default: drawn.")
@click.option("--key-secret", help="Makes the players' keys the same each time. Default: keys are drawn.")
@click.option(
    "--player",
    "player_options",
    multiple=True,
    metavar="[REALM=]ADDRESS",
    help="A player, e.g. LIT=anna@example.org or 'LIT=Anna <anna@example.org>'. Without REALM his seat is drawn.",
)
@click.option(
    "--players",
    "players_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="A YAML file with a list 'players' of {realm, name, email}; without realm the seat is drawn.",
)
@click.option("--play", multiple=True, metavar="REALM", help="You play it, here, without mail.")
@click.option(
    "--bots",
    is_flag=False,
    flag_value=MIXED,
    metavar="[NAME]",
    help="Programs play everything else: all the bot of this name, or, without a name, mixed ones.",
)
@click.option(
    "--deadline", default="sunday 20:00", show_default=True, metavar="'DAY HH:MM'", help="When orders are due."
)
@click.option("--zone", default="UTC", show_default=True, help="The deadline's time zone, e.g. Europe/Minsk.")
@click.option(
    "--first", metavar="DATE", help="The date of turn 1's deadline. Default: the next DAY at least 3 days off."
)
@at_option
def command(
    folder: Path,
    game_name: str,
    map_name: str | None,
    wishes: tuple[str, ...],
    no_keys: bool,
    short_keys: bool,
    game_id: str | None,
    seed: str | None,
    key_secret: str | None,
    player_options: tuple[str, ...],
    players_file: Path | None,
    play: tuple[str, ...],
    bots: str | None,
    deadline: str,
    zone: str,
    first: str | None,
    at: str | None,
) -> None:
    """Start a game in FOLDER: settings, players with their keys, a copy of the map, the players' handbook, the start
    position and an order template for each player. What is nobody's stands still; see the handbook for what it does.

    \b
    Examples:
      gm new minsk --player LIT=anna@example.org --player POL=ben@example.org
      gm new minsk --players friends.yaml --deadline 'friday 20:00' --zone Europe/Minsk
      gm new europe --map europe-1320 --player anna@example.org     (her realm is drawn)
      gm new duel --game conquest-structures --player anna@example.org --player ben@example.org
      gm new duel --game conquest-structures --set help             (what can be chosen)
      gm new alone --map europe-1320 --play ENG --bots              (you against 22 programs)
    """
    spec = _spec(game_name)
    if "help" in wishes:
        show_options(spec)
        return
    map_name = map_name or spec.default_map
    chosen = _map_folder(spec, map_name)
    game_id = _game_id(game_id or folder.resolve().name)
    seed = seed or secrets.token_hex(16)
    due = _deadline(deadline, zone, first, at)
    checked_bots(spec, bots)
    mine = {realm.strip().upper() for realm in play}
    entrants = [*read_all(player_options, players_file), *(Entrant(realm) for realm in sorted(mine))]
    wanted = tuple(each.realm for each in entrants if each.realm)
    wished = NewGameRequest(map=chosen, options=options_of(wishes), seed=seed, people=len(entrants), parties=wanted)
    founded = begun(spec, wished)
    start = spec.start(founded.table, chosen, None)
    seats = spec.seats(founded.table, start)
    realms = {seat.code: seat.name for seat in seats}
    players = _seated(entrants, {seat.code: seat.played for seat in seats}, seed, spec.seat_order(start))
    left = {seat.code for seat in seats if seat.played} - {player.realm for player in players}
    dealt = dealt_bots(spec, bots, left, seed)
    if own := spec.own_players(dealt):
        founded = begun(spec, replace(wished, options={**wished.options, **own}))
    table = founded.table
    entered = () if own else (Entrant(realm, bot=bot) for realm, bot in dealt.items())
    players = sorted((*players, *entered), key=lambda each: each.realm)
    start = spec.start(table, chosen, [player.realm for player in players])
    # as its snapshot gives it, so that the first reports can be made again byte for byte
    state = spec.state(spec.record(start))
    problems = spec.broken(table, state)
    if problems:
        raise Failure(f"The start position of {chosen} is broken: {'; '.join(problems)}.")

    entries = _players(players, key_secret or secrets.token_hex(16))
    kept_name = map_name if chosen.name == map_name else chosen.name
    files = {
        "game.yaml": settings_text(game_id, game_name, kept_name, seed, due, keys=not no_keys, short_keys=short_keys),
        "players.yaml": players_text(entries, spec.words),
    }
    data = {name: text.encode() for name, text in files.items()}
    data |= founded.files
    played_by = in_force(spec, folder) | {name: founded.files[name] for name in OF_THE_GAME if name in founded.files}
    data[PINS_FILE] = pins_bytes(spec, played_by)
    data["handbook.html"] = spec.handbook(table, state).encode()
    first_keys = {player.realm: player.key_for(1, short=short_keys) for player in entries}
    start_files = _start(spec, table, state, entries, first_keys, game_id=game_id, seed=seed, due=due)
    data |= {f"turns/turn-00/{name}": content for name, content in start_files.items()}
    _write(folder, data, moment(at, zone))

    click.echo(
        f"The game {game_id} is ready in {shown_path(folder)}: "
        f"{counted(sum(not player.bot for player in players), 'player')}, "
        f"{counted(len(realms), 'seat' if spec.party_word == 'player' else 'realm')}."
    )
    others = [player for player in players if not player.bot and player.realm not in mine]
    codes = max(map(len, realms))
    for player in others:
        several = [player.email] if isinstance(player.email, str) else player.email
        who = player.name or ", ".join(several) or "(no address)"
        click.echo(f"  {player.realm:<{codes}}  {realms[player.realm]:<16}  {who}")
    if mine or dealt:
        tell_how_to_play(spec, folder, mine, dealt, alone=not others)
    if (mine or dealt) and not others:
        return
    click.echo(f"Turn 1 is due {due.words(1)}. Send each player his own files:")
    click.echo(f"  {shown_path(folder / 'turns' / 'turn-00' / 'results')}   the position, with the key")
    click.echo(f"  {shown_path(folder / 'turns' / 'turn-00' / 'next')}      a template for his orders")
    click.echo(f"  {shown_path(folder / 'handbook.html')}   the rules, for whoever is new to them")
    if not players:
        click.echo("Nobody plays yet: 'gm seat REALM --email ADDRESS' seats a player.")


def _spec(name: str) -> GameSpec[Any]:
    if name not in GAMES:
        raise click.BadParameter(f"no game is called {name!r}; there is {', '.join(GAMES)}", param_hint="'--game'")
    return game_spec(name)


def _map_folder(spec: GameSpec[Any], name: str) -> Path:
    maps = spec.maps()
    if name in maps:
        return maps[name]
    if Path(name).is_dir():
        return Path(name)
    home = home_of(name)
    if home is not None:
        raise click.BadParameter(f"{name!r} is a map of another game: say '--game {home}' too", param_hint="'--map'")
    raise click.BadParameter(
        f"no map is called {name!r}; with gm come {', '.join(maps)}, or name a map's folder", param_hint="'--map'"
    )


def _game_id(text: str) -> str:
    from gm.core.diagnostics import has_unprintable

    text = text.strip()
    if not text or len(text) > 40 or has_unprintable(text):
        raise click.BadParameter("the game's id is a word or two, at most 40 characters", param_hint="'--id'")
    return text


def _deadline(words: str, zone: str, first: str | None, at: str | None) -> Deadline:
    day, _, clock = words.strip().partition(" ")
    try:
        if day.lower() not in WEEKDAYS:
            raise ValueError(f"{day!r} is no day of the week; write it like 'friday 20:00'")
        start = Deadline.starting(day.lower(), clock.strip(), zone, moment(at, zone), NOTICE)
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'--deadline' / '--zone'") from None
    if first is None:
        return start
    try:
        given = date.fromisoformat(first)
    except ValueError:
        raise click.BadParameter(f"{first!r} is no date; write it like 2026-01-09", param_hint="'--first'") from None
    return start.evolve(first=given, weekday=WEEKDAYS[given.weekday()])


def _seated(entrants: list[Entrant], realms: Mapping[str, bool], seed: str, order: Sequence[str]) -> list[Entrant]:
    """Everybody with a realm, by code: as wished, the others drawn by dice (W11), or as they come in this ``order``.
    ``realms``: whether each wants a player; one that does not is played by the game itself."""
    seated: dict[str, Entrant] = {}
    for each in entrants:
        if not each.realm:
            continue
        if each.realm not in realms:
            raise Failure(f"This map has no realm {each.realm}; it has {', '.join(realms)}.")
        if not realms[each.realm]:
            raise Failure(f"{each.realm} can have no player: the game itself plays it.")
        if each.realm in seated:
            raise Failure(
                f"Two players are to have {each.realm}. If it is one with two addresses, list them in --players FILE, "
                "or give him both afterwards: gm seat REALM --email ONE --email ANOTHER."
            )
        seated[each.realm] = each
    free = [realm for realm, wanted in realms.items() if wanted and realm not in seated]
    waiting = [each for each in entrants if not each.realm]
    if len(waiting) > len(free):
        raise Failure(f"There are {counted(len(entrants), 'player')} for {counted(len(realms), 'realm')}.")
    free.sort(key=lambda realm: order.index(realm) if realm in order else 0)
    stream = Dice(seed)("seats")
    for each in waiting:
        realm = free.pop(0 if order else stream.below(len(free)))
        seated[realm] = replace(each, realm=realm)
    return [seated[realm] for realm in sorted(seated)]


def _players(entrants: list[Entrant], secret: str) -> list[Player]:
    """The seats of the game, each with a secret of its own, from which its keys are made."""
    return [
        Player(
            realm=each.realm,
            name=each.name,
            email=each.email,
            language=each.language,
            bot=each.bot,
            secret=player_secret(secret, each.realm),
        )
        for each in entrants
    ]


def _start(
    spec: GameSpec[Any],
    table: GameData,
    state: Any,
    players: list[Player],
    keys: dict[str, str],
    *,
    game_id: str,
    seed: str,
    due: Deadline,
) -> dict[str, bytes]:
    """The folder of turn 0: the start position with its reports."""
    played = TurnResult(
        game=game_id,
        before=state,
        after=state,
        events=(),
        keys=keys,
        deadline=due.words(1),
        next_seal=next_seal(seed, game_id, 1),
        languages={player.realm: player.language for player in players if player.language},
        programs=tuple(player.realm for player in players if player.bot),
    )
    bots = [player.realm for player in players if player.bot]
    return {
        "state.json": state_bytes(spec.snapshot, spec.record(state)),
        "log.jsonl": log_bytes(game_id, 0, ()),
        "turn.json": TURN.encode({"turn": 0, "next_seal": played.next_seal, KEYS_OF: WORDS}),
        **read_by_people(spec.reports(table, played), bots),
    }


def _write(folder: Path, files: dict[str, bytes], now: datetime) -> None:
    """The whole folder or nothing. An empty folder that is there already is fine."""
    from gm.store.journal import note

    try:
        with making(folder):
            build_folder(folder, files, lambda unfinished: note(unfinished, "new", now, by=acting(), turn=0))
    except FileExistsError:
        raise Failure(f"{folder} is there already and not empty: choose another folder.") from None
