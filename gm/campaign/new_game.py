"""The files of a new game: who plays which seat (W11), which bots play the rest, and the first position."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from gm.campaign.open import Campaign
from gm.campaign.party_files import without_files_of
from gm.campaign.pinning import OF_THE_GAME, PINS_FILE, pins_bytes, rules_in_force
from gm.core.diagnostics import says
from gm.core.dice import Dice
from gm.core.orders.keys import KEYS_OF, WORDS, player_secret
from gm.core.sealing import next_seal
from gm.game.bots import bots_by_name
from gm.game.spec import GameSpec
from gm.game.values import Founded, TurnResult
from gm.store import StoreError
from gm.store.folder import LOG_FILE, PLAYERS_FILE, SETTINGS_FILE, STATE_FILE, TURN, TURN_FILE, log_bytes
from gm.store.formats import new_file
from gm.store.inbox import fingerprint
from gm.store.settings import STANDSTILL, Entrant, Player, Settings
from gm.text.pages import counted

FULL = str(says("the game begins when all seats are taken"))  # why a new game with open seats is on hold
MIXED = "mixed"  # instead of a bot's name: bots of different profiles, dealt out by dice
_STAND_INS = frozenset({"local-forces", "random"})  # bots that do not play to win: no mixture has them


def new_game_files(
    spec: GameSpec[Any],
    founded: Founded,
    state: Any,
    players: Sequence[Player],
    settings: Settings,
    folder: Path,
) -> dict[str, bytes]:
    """Return the contents of all files of a new game, by name.

    ``founded``: the map's game data and files; ``state``: the start. ``folder``: where the game will be; it
    may hold rules files of the GM's own.
    """
    map_files = founded.files
    bots = tuple(player.realm for player in players if player.bot)
    rules = rules_in_force(spec, folder) | {
        name: map_files[name] for name in OF_THE_GAME if name in map_files
    }
    start = TurnResult(
        game=settings.id,
        before=state,
        after=state,
        events=(),
        keys={player.realm: player.key_for(1, short=settings.short_keys) for player in players},
        deadline=settings.deadline.words(1),
        next_seal=next_seal(settings.seed, settings.id, 1),
        languages={player.realm: player.language for player in players if player.language},
        programs=bots,
        press_rule=settings.press,
        seated={player.realm: player.seated for player in players},
    )
    start_files = {
        STATE_FILE: spec.snapshot.encode(spec.record(state)),
        LOG_FILE: b"".join(log_bytes(settings.id, 0)),
        **without_files_of(bots, spec.reports(founded.table, start)),
    }
    recorded_files = {name: start_files[name] for name in (STATE_FILE, LOG_FILE)}
    start_files[TURN_FILE] = TURN.encode(_start_record(start, recorded_files))
    return {
        SETTINGS_FILE: new_file(SETTINGS_FILE, settings=settings),
        PLAYERS_FILE: new_file(PLAYERS_FILE, players=players, words=spec.words),
        **map_files,
        PINS_FILE: pins_bytes(spec, rules),
        "handbook.html": spec.handbook(founded.table, state).encode(),
        **{f"turns/turn-00/{name}": data for name, data in start_files.items()},
    }


def _start_record(start: TurnResult, files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the content of ``turn.json`` of turn 0.

    It has what was announced of turn 1, with the number of words in its keys, and the hashes of ``files``.
    """
    announced = {"next_seal": start.next_seal, "next_deadline": start.deadline, KEYS_OF: WORDS}
    return {"turn": 0, **announced, "files": {name: fingerprint(data) for name, data in files.items()}}


def players_by_realm(
    entrants: Sequence[Entrant], realms: Mapping[str, bool], seed: str, order: Sequence[str]
) -> dict[str, Entrant]:
    """Return the player of each realm that has one, by the realm's code, sorted (W11).

    A player gets the realm that they ask for; the others are dealt by dice with this ``seed`` or, if
    ``order`` names realms, in that order. ``realms``: all of the map by code, and whether a player can have
    each: the game itself plays the others. Raises ``StoreError`` for a realm that a player cannot have, and
    for more players than realms.
    """
    seats: dict[str, Entrant] = {}
    without_realm: list[Entrant] = []
    for entrant in entrants:
        if not entrant.realm:
            without_realm.append(entrant)
            continue
        problem = _why_no_seat(entrant.realm, realms, seats)
        if problem:
            raise StoreError(problem)
        seats[entrant.realm] = entrant
    realms_left = [realm for realm, is_playable in realms.items() if is_playable and realm not in seats]
    if len(without_realm) > len(realms_left):
        raise StoreError(f"There are {counted(len(entrants), 'player')} for {counted(len(realms), 'realm')}.")
    # without an ``order`` the sorting changes nothing, and dice draw from the list
    realms_left.sort(key=lambda realm: order.index(realm) if realm in order else 0)
    stream = Dice(seed)("seats")
    for entrant in without_realm:
        index = 0 if order else stream.below(len(realms_left))
        seats[realms_left.pop(index)] = entrant
    return dict(sorted(seats.items()))


def _why_no_seat(realm: str, realms: Mapping[str, bool], seats: Collection[str]) -> str:
    """Return the sentence why a player cannot have the realm that they ask for; empty if they can.

    ``realms``: all of the map by code, and whether a player can have each; ``seats``: those taken already.
    """
    if realm not in realms:
        return f"This map has no realm {realm}; it has {', '.join(realms)}."
    if not realms[realm]:
        return f"{realm} can have no player: the game itself plays it."
    if realm in seats:
        problem = (
            f"Two players are named for {realm}. If it is one player with two addresses, list them in "
            "--players FILE"
        )
        return f"{problem}, or add the second one afterwards: pbem seat REALM --email ONE --email ANOTHER."
    return ""


def dealt_bots(spec: GameSpec[Any], bots: str | None, realms: Collection[str], seed: str) -> dict[str, str]:
    """Return the name of the bot that plays each of these realms, by code.

    ``bots``: one bot's name for all of them; :data:`MIXED`: the game's profiles in about equal numbers, dealt
    by dice with this ``seed``; None: no realm has a bot.
    """
    if bots is None:
        return {}
    if bots != MIXED:
        return dict.fromkeys(sorted(realms), bots)
    stream = Dice(seed)("bots")
    names_left = list[str]()
    bot_of_realm = {}
    for realm in sorted(realms):
        if not names_left:
            names_left = profiles(spec)
        bot_of_realm[realm] = names_left.pop(stream.below(len(names_left)))
    return bot_of_realm


def profiles(spec: GameSpec[Any]) -> list[str]:
    """Return the names of a game's bots that play to win; of all its bots, if none does."""
    return [name for name in spec.bots if name not in {*_STAND_INS, spec.deputy}] or list(spec.bots)


def policies(spec: GameSpec[Any]) -> list[str]:
    """Return the words for who plays an abandoned seat; the default, local forces in some games, is first."""
    controllers = [
        word for word in spec.words.controllers if word not in ("player", "nobody", *bots_by_name(spec))
    ]
    return [*controllers, STANDSTILL, *bots_by_name(spec)]


def policy_of(campaign: Campaign) -> str:
    """Return the word for who plays a seat that is abandoned now; nobody if the setting's word is unknown."""
    policy = campaign.folder.settings.policy
    return policy if policy in policies(campaign.spec) else STANDSTILL


def players_of(
    seats: Mapping[str, Entrant], bots: Mapping[str, str], secret: str, wanting: Collection[str]
) -> list[Player]:
    """Return the entries of ``players.yaml``, sorted by realm, each with a secret from which keys are made.

    ``seats``: the players by realm; ``bots``: names of bots by realm; ``secret``: the master secret;
    ``wanting``: the open seats, which anybody may join.
    """
    return [
        Player(
            **asdict(seats.get(realm, Entrant()).evolve(realm=realm)),
            bot=bots.get(realm, ""),
            secret=player_secret(secret, realm),
            open=realm in wanting,
        )
        for realm in sorted({*seats, *bots, *wanting})
    ]
