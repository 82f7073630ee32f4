"""``pbem new``: a game folder, ready for its first turn."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any

import click

from gm.bots.registry import bot_named
from gm.campaign.guards import PINS, pins_fingerprint
from gm.campaign.new_game import (
    FULL,
    MIXED,
    dealt_bots,
    new_game_files,
    players_by_realm,
    players_of,
    policies,
)
from gm.campaign.pinning import PINS_FILE
from gm.campaign.press import GM_READS
from gm.cli import options
from gm.cli.options import FILE, At, NewFolder, bad_parameter, gm_command, option
from gm.cli.output import Failure, echo, print_definitions, print_text, turn_title, with_stop
from gm.cli.positions import map_folder, named_game
from gm.cli.session import acting, making, moment
from gm.cli.speech import language as spoken_language
from gm.cli.speech import use_words_of
from gm.core.diagnostics import invisible, says
from gm.core.orders.press import KINDS
from gm.core.yaml.models import load_value
from gm.game.spec import GameSpec
from gm.game.values import GameData, NewGameRequest, the_one
from gm.store.deadlines import WEEKDAYS, Deadline, pace_and_time
from gm.store.disk import build_folder
from gm.store.folder import TURN_FILE
from gm.store.inbox import fingerprint
from gm.store.journal import note
from gm.store.press import PressRule
from gm.store.settings import Entrant, Entrants, Settings, checked_address, checked_name
from gm.text.languages import ENGLISH, languages_of


@gm_command("new")
def command(
    folder: NewFolder,
    game_name: Annotated[str, option("--game", default="medieval", show_default=True)],
    map_name: Annotated[str | None, option("--map")],
    option_words: Annotated[tuple[str, ...], option("--set", multiple=True, metavar="NAME=VALUE")],
    *,
    short_keys: bool,
    no_keys: bool,
    game_id: Annotated[str | None, option("--id")],
    seed: str | None,
    key_secret: str | None,
    player_options: Annotated[tuple[str, ...], option("--player", multiple=True, metavar="[REALM=]ADDRESS")],
    players_file: Annotated[Path | None, option("--players", type=FILE, metavar="FILE")],
    play: Annotated[tuple[str, ...], option("--play", multiple=True, metavar="REALM")],
    bots: Annotated[str | None, option("--bots", is_flag=False, flag_value=MIXED, metavar="[NAME]")],
    every: Annotated[str | None, option("--every", "--deadline", metavar="PACE")],
    early: bool,
    vacations: options.Vacations,
    grace: options.GraceTime,
    extensions: options.Extensions,
    clocks: options.Clocks,
    press: Annotated[tuple[str, ...], option("--press", type=click.Choice(KINDS), multiple=True)],
    gm_reads: bool,
    is_open: Annotated[bool, option("--open", is_flag=True)],
    missed: Annotated[int | None, option("--missed", type=click.IntRange(0, 99), metavar="TURNS")],
    policy: Annotated[str | None, option("--policy", metavar="NAME")],
    zone: Annotated[str, option("--zone", default="UTC", show_default=True)],
    language: str | None,
    first: Annotated[str | None, option("--first", metavar="DATE", type=options.DATE)],
    at: At,
) -> None:
    """Create a game in FOLDER."""
    spec = named_game(game_name, "--game")
    if "help" in option_words:
        print_options(spec)
        return
    folder_of_map = map_folder(spec, map_name or spec.default_map)
    game_id = _checked_id(game_id or folder.resolve().name)
    seed = seed or secrets.token_hex(16)
    _check_bots(spec, bots)
    with bad_parameter("--policy"):
        policy = the_one(policy, policies(spec), "policy") if policy else policies(spec)[0]
    own_realms = sorted({realm.strip().upper() for realm in play})
    entrants = _entrants(players_file, player_options, own_realms, language)
    _refuse_language(spec, language)
    request = NewGameRequest(
        map=folder_of_map,
        options=options_of(option_words),
        seed=seed,
        people=len(entrants),
        parties=tuple(entrant.realm for entrant in entrants if entrant.realm),
        at_table=len(own_realms) == len(entrants),  # everybody plays on this computer
    )
    with bad_parameter("--set"):
        founded = spec.founded(request)

    pace, time_of_day = _pace(spec, founded.table, every, zone, at)
    with bad_parameter("--first"):
        deadline = _deadline(pace, time_of_day, zone, first, at).evolve(
            early=early, vacations=vacations or 0, grace=grace or "", extensions=extensions or ""
        )
    # a start position before anybody has a seat: it says which seats there are
    unseated = spec.start(founded.table, folder_of_map, None)
    clock = options.checked_clock(spec, unseated, clocks)
    deadline = deadline.evolve(clock=clock, early=early or bool(clock))

    seats = spec.seats(founded.table, unseated)
    playable = {seat.code: seat.played for seat in seats}
    people = players_by_realm(entrants, playable, seed, spec.seat_order(unseated))
    vacant = {code for code, is_played in playable.items() if is_played} - people.keys()
    bot_names = dealt_bots(spec, bots, vacant, seed)
    own_players = spec.own_players(bot_names)  # options by which the game itself plays these bots' seats
    if own_players:
        with bad_parameter("--set"):
            founded = spec.founded(request.evolve(options={**request.options, **own_players}))
    open_seats = vacant if is_open else set[str]()
    secret = key_secret or secrets.token_hex(16)
    players = players_of(people, {} if own_players else bot_names, secret, open_seats)
    if open_seats - bot_names.keys():
        deadline = deadline.evolve(hold=FULL)  # the first turn waits until these seats are filled

    state = _start_state(spec, founded.table, folder_of_map, [player.realm for player in players])
    settings = Settings(
        id=game_id,
        game=spec.key,
        map=folder_of_map.name,
        seed=seed,
        deadline=deadline,
        keys=not no_keys,
        short_keys=short_keys,
        language=masters_language(language),
        press=PressRule(kinds=press, gm_reads=gm_reads),
        open=is_open,
        policy=policy,
        missed=_missed_limit(missed, is_open=is_open),
    )
    files = new_game_files(spec, founded, state, players, settings, folder)
    _write(folder, files, moment(at, deadline.zone), gm_reads=gm_reads)
    use_words_of(spec.key, settings.language)
    print_text(
        "new",
        spec=spec,
        folder=folder,
        settings=settings,
        people=people,
        realms={seat.code: seat.name for seat in seats},
        others=[player for player in players if not player.bot and player.realm not in own_realms],
        mine=own_realms,
        dealt=bot_names,
        players=players,
        free=sorted(open_seats),
        coming=turn_title(1, spec.coming_name(state)),
    )


def _pace(
    spec: GameSpec[Any], table: GameData, every: str | None, zone: str, at: str | None
) -> tuple[str, str]:
    """Return (pace, time of day) of the deadlines, as game.yaml has them, from the text of ``--every``.

    Without one (``every``: None), the pace is that of the game's rules; without a time it is 20:00. ``at``:
    the time of ``--at``, None for now. Raises ``click.BadParameter`` for a pace or a time zone that makes no
    sense.
    """
    with bad_parameter("--zone"):
        moment(at, zone)  # tried here, so that an error names --zone
    with bad_parameter("--every"):
        days = attrgetter(spec.turn_days)(table.rules) if spec.turn_days else 7
        default_pace = "sunday" if days == 7 else f"{days}d"
        pace, typed_time = pace_and_time(every or default_pace)
        time_of_day = typed_time or "20:00"
        # tried here, so that an error names --every
        Deadline.starting(pace, time_of_day, zone, moment(at, zone), timedelta(days=3))
    return pace, time_of_day


def _start_state(spec: GameSpec[Any], table: GameData, folder_of_map: Path, realms: list[str]) -> Any:
    """Return the start position of a game with these realms (codes). Raises ``Failure`` for a broken one."""
    start = spec.start(table, folder_of_map, realms)
    # written and read back: reports that are made later from the snapshot are the same byte for byte
    state = spec.state(spec.record(start))
    problems = spec.broken(table, state)
    if problems:
        raise Failure(says("The start position of {0} is broken: {1}.", folder_of_map, "; ".join(problems)))
    return state


def _missed_limit(missed: int | None, *, is_open: bool) -> int:
    """Return after how many missed turns a seat is given up; 0: never.

    ``missed``: the number that was typed; without one, it is 2 if others may join (``is_open``), else 0.
    """
    if missed is not None:
        return missed
    return 2 if is_open else 0


def _write(folder: Path, files: Mapping[str, bytes], now: datetime, *, gm_reads: bool) -> None:
    """Write the whole folder of a game or nothing, with the journal's first line.

    ``files``: contents by path in the folder; ``gm_reads``: the journal says that the GM reads letters.
    Raises ``Failure`` if the folder exists and is not empty.
    """
    entry: dict[str, Any] = {"by": acting(), "turn": 0}
    if gm_reads:
        entry[GM_READS] = True
    entry["record"] = fingerprint(files[f"turns/turn-00/{TURN_FILE}"])
    entry[PINS] = pins_fingerprint(files[PINS_FILE])
    try:
        with making(folder):
            build_folder(folder, files, lambda unfinished: note(unfinished, "new", now, **entry))
    except FileExistsError:
        refusal = says("{0} already exists and is not empty: choose a different folder.", folder)
        raise Failure(refusal) from None


def masters_language(players: str | None) -> str:
    """Return the code of the language of a new game's master; empty for English.

    It is that of the commands; if they speak English, that of the ``players`` (a code, or None).
    """
    language = spoken_language() if spoken_language() != ENGLISH else players
    return "" if language in (None, ENGLISH) else language


def _checked_id(game_id: str) -> str:
    """Return the id that order files call a game by. Raises ``click.BadParameter`` for a bad one."""
    name = game_id.strip()
    if not name or len(name) > 40 or invisible(name):
        message = says("the game's id is a word or two, at most 40 characters")
        raise click.BadParameter(message, param_hint="'--id'")
    return name


def _entrants(
    players_file: Path | None, player_options: Sequence[str], own_realms: Sequence[str], language: str | None
) -> list[Entrant]:
    """Return the players: those of a file, of ``--player``, and those on this computer.

    ``own_realms``: the codes of the realms that are played on this computer; ``language``: that of players
    who have none of their own.
    """
    listed = load_value(players_file, Entrants).players if players_file else ()
    entrants = [entrant.evolve(realm=entrant.realm.upper()) for entrant in listed]
    entrants += map(_entrant, player_options)
    entrants += (Entrant(realm=realm) for realm in own_realms)
    return [entrant.evolve(language=entrant.language or language or "") for entrant in entrants]


def _refuse_language(spec: GameSpec[Any], language: str | None) -> None:
    """Raise ``click.BadParameter`` for a language that the game is not translated into."""
    languages = languages_of(spec.key)
    if language and language not in languages:
        message = says("{0} is to be had in {1}.", spec.title, ", ".join(languages))
        raise click.BadParameter(message, param_hint="'--language'")


def _deadline(pace: str, time_of_day: str, zone: str, first: str | None, at: str | None) -> Deadline:
    """Return a game's deadlines in a pace, at a time of day, in a time zone.

    ``first``: the date of the first one, or its date and time; None: it is at least three days from now.
    ``at``: the time of ``--at``, which counts as now; None: the clock's.
    """
    deadline = Deadline.starting(pace, time_of_day, zone, moment(at, zone), timedelta(days=3))
    if first is None:
        return deadline
    slot = deadline.slot(first)
    if len(deadline.pace.weekdays) == 1:  # all deadlines are on the weekday of the first one
        pace = WEEKDAYS[slot.weekday()]
    return deadline.evolve(first=slot.date(), time=f"{slot:%H:%M}", every=pace)


def _check_bots(spec: GameSpec[Any], bots: str | None) -> None:
    """Raise ``click.BadParameter`` for a bot that the game does not have."""
    if bots is not None and not spec.bots:
        raise click.BadParameter(says("{0} has no bots yet", spec.title), param_hint="'--bots'")
    try:
        if bots not in (None, MIXED):
            bot_named(spec, bots)
    except ValueError as error:
        hint = says(
            "Without a name ('--bots' as the last word, or before another option) they are {0}.", MIXED
        )
        raise click.BadParameter(says("{0} {1}", with_stop(error), hint), param_hint="'--bots'") from None


def _entrant(option: str) -> Entrant:
    """Return a player from the text of ``--player``: ``LIT=Anna <anna@example.org>``.

    The realm is optional; so is the name, or with a realm the address. Raises ``click.BadParameter`` for any
    other text.
    """
    realm, equals, person = option.partition("=")
    if not equals:
        realm = ""
        person = option
    name, bracket, address = person.partition("<")
    if equals and not bracket and "@" not in person:
        name = person
        address = ""  # a player who gets no letters
    elif not bracket:
        name = ""
        address = person
    with bad_parameter("--player"):
        checked_name(name.strip())
        # only a player with a realm can do without an address
        if "@" not in address and (bracket or not equals):
            raise ValueError(says("{0!r} holds no e-mail address", option))
        email = checked_address(address.strip().removesuffix(">")) if address else ""
    return Entrant(realm=realm.strip().upper(), name=name.strip(), email=email)


def print_options(spec: GameSpec[Any]) -> None:
    """Print the options and the maps of a game, the answer to ``--set help``."""
    if spec.options:
        echo(says("Options of a new game of {0}, with --set NAME=VALUE:", spec.title))
        print_definitions(spec.options, indent="  ")
        echo(says("Maps, with --map: {0}.", ", ".join(spec.maps())))
    else:
        echo(says("{0} has no options but its map: {1}.", spec.title, ", ".join(spec.maps())))


def options_of(option_words: tuple[str, ...]) -> dict[str, str]:
    """Return the values of options by name, from words of the form ``NAME=VALUE``.

    Raises ``click.BadParameter`` for a word of another form.
    """
    option_values: dict[str, str] = {}
    for word in option_words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(says("{0!r} is not of the form NAME=VALUE", word), param_hint="'--set'")
        option_values[name.strip()] = value.strip()
    return option_values
