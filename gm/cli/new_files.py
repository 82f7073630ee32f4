"""The two files of a new game that its GM will edit by hand, written with comments; and the list he may start from."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from gm.cli.failures import Failure
from gm.core.diagnostics import has_unprintable
from gm.core.values import Value, check_fields
from gm.core.yaml.models import load_value
from gm.store.deadlines import Deadline
from gm.store.settings import Player, checked_name, player_email
from gm.text.game_words import GameWords


def quoted(text: str) -> str:
    """``text`` as YAML. Raises ``Failure`` for text with characters that cannot be seen."""
    if has_unprintable(text):
        raise Failure(f"{text!r} holds a character that cannot be seen.")
    return json.dumps(text, ensure_ascii=False)


def settings_text(
    game_id: str, game: str, map_name: str, seed: str, due: Deadline, *, keys: bool = True, short_keys: bool = False
) -> str:
    """``game.yaml``. Without ``keys`` order files need none; ``short_keys`` can be guessed."""
    doors = [
        *([] if keys else ["keys: false                 # order files need no key: whoever can hand one in can order"]),
        *(["short_keys: true            # they can be guessed: take no orders by mail"] if short_keys else []),
    ]
    open_door = "".join(f"{line}\n" for line in doors)
    return f"""\
# The settings of one game. You may change the deadline and what becomes of late files at any time.
schema: 1
id: {quoted(game_id)}            # what order files call the game
game: {game}
map: {quoted(map_name)}
seed: {quoted(seed)}             # rules the dice: keep it to yourself, and never change it
deadline:
  weekday: {due.weekday}
  time: "{due.time}"
  zone: {quoted(due.zone)}
  first: {due.first.isoformat()}          # turn 1; then every week
  moved: {{}}                   # a turn due on another date, later ones a week after it: {{7: 2026-04-12}}
  extended: {{}}                # one turn alone due at another time: {{7: 2026-04-12 22:00}}
  holidays: []                # weeks without a turn: [{{first: 2026-12-20, last: 2027-01-03, why: Christmas}}]
  hold: ""                    # why the game stands still; empty: it runs
late: take                    # files after the deadline: take (marked as late) or refuse
{open_door}"""


def players_text(players: Iterable[Player], words: GameWords) -> str:
    """``players.yaml``, its remarks in the words of the game."""
    first, *others = words.controllers
    put = "these two are" if words.statuses else "this is"
    lines = [
        "# Who plays what. Secrets and addresses are for you alone: each turn's key is made from a seat's secret, and",
        "# its player finds it in his results.",
        "# 'gm seat' changes this file; so may you. To each entry you can add",
        *(f"#   status: {word:<16} ({told}; none: as the game has it)" for word, told in words.statuses.items()),
        f"#   controller: {first:<12} (or {', '.join(others)}; none: as the game has it)",
        f"#   since: 5                 (the turn before which {put} put into the game; none: before every turn)",
        "#   bot: conqueror           (a program plays: its name, module:Class, or program:COMMAND; none: a person)",
        "#   language: de             (of his reports, where the game is translated; none: English)",
        "#   zone: Europe/Minsk       (where the player tells the time; none: the game's zone)",
        "#   absent_until: 8          (the last turn that he is away; see 'gm player absent')",
        "schema: 1",
    ]
    entries = [
        f"  - {{realm: {each.realm}, name: {quoted(each.name)}, email: {_entry(each.addresses)}, "
        f"{f'language: {quoted(each.language)}, ' if each.language else ''}"
        f"{f'bot: {quoted(each.bot)}, ' if each.bot else ''}secret: {quoted(each.secret)}}}"
        for each in players
    ]
    return "\n".join([*lines, *(["players:", *entries] if entries else ["players: []"])]) + "\n"


def _entry(addresses: tuple[str, ...]) -> str:
    return f"[{', '.join(map(quoted, addresses))}]" if len(addresses) > 1 else quoted("".join(addresses))


class _Entrant(Value):
    realm: str = ""
    name: str = ""
    email: Any = ""
    language: str = ""

    @check_fields("name")
    @staticmethod
    def _name(text: str) -> str:
        return checked_name(text)

    @check_fields("email")
    @staticmethod
    def _email(given: Any) -> Any:
        return player_email(given)


class _Entrants(Value):
    players: tuple[_Entrant, ...]


def read_entrants(path: Path) -> list[dict[str, Any]]:
    """The players of a GM's list. Raises ``SourceError`` with places."""
    found = load_value(path, _Entrants).players
    return [{**each.model_content(), "realm": each.realm.upper()} for each in found]
