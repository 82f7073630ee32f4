"""Who wrote a letter: by the token in its subject together with the address that is on file.

Either alone proves nothing: anybody can write a From line, and who was sent a letter on has its subject. A letter that
is a player's alone has a token in its subject: ``[europe t5 ENG kq3v-x5tm-2a7c]``. It is made from the secret of the
realm's seat, counts for the orders of one turn and for this realm alone, and comes back with an answer. All others,
which he may show to anybody, have none: ``[europe t5 ENG]``.
"""

from __future__ import annotations

import base64
import hmac
import re
from hmac import compare_digest

from gm.campaign.open import Campaign
from gm.mail.letter import Letter
from gm.mail.parse import bare_address
from gm.store.folder import STATE_FILE, GameFolder
from gm.store.inbox import fingerprint
from gm.store.settings import Player

# a program that breaks a long subject in two may leave a space behind a hyphen
_TOKEN = re.compile(r"\bt(\d{1,6})\s+([A-Z0-9]{2,8})\s+([a-z2-7]{4})-\s?([a-z2-7]{4})-\s?([a-z2-7]{4})\b")
_DIGITS = 12


def reply_token(player: Player, game: str, turn: int) -> str:
    """What proves that a letter answers one that this realm's player got for the orders of a turn: 60 bits."""
    secret = (player.secret or player.key).encode()
    mac = hmac.digest(secret, f"reply token\n{game}\n{turn}\n{player.realm}".encode(), "sha256")
    letters = base64.b32encode(mac).decode().lower()[:_DIGITS]
    return "-".join(letters[at : at + 4] for at in range(0, _DIGITS, 4))


def subject_mark(player: Player, game: str, turn: int) -> str:
    """What stands at the end of the subjects of letters that are for a player alone."""
    return f"[{game} t{turn} {player.realm} {reply_token(player, game, turn)}]"


def open_mark(player: Player, game: str, turn: int) -> str:
    """The same for letters that he may show to others: it tells the game, and proves nothing."""
    return f"[{game} t{turn} {player.realm}]"


def vouched_realm(campaign: Campaign, letter: Letter, *, earlier: bool = False) -> str:
    """The realm whose player answered a letter of ours for the coming turn, from his address; empty: none is proven.
    ``earlier``: an answer to a letter for a turn before counts too. It is good for no orders."""
    settings, coming = campaign.folder.settings, campaign.next_turn
    for match in _TOKEN.finditer(letter.whole_subject):
        player, turn = campaign.folder.players.of(match[2]), int(match[1])
        if player is None or not (turn == coming or (earlier and 0 < turn < coming)):
            continue
        right = compare_digest("-".join(match.group(3, 4, 5)), reply_token(player, settings.id, turn))
        if right and player.realm in realms_of(campaign, letter.sender):
            return player.realm
    return ""


def realms_of(campaign: Campaign, address: str) -> tuple[str, ...]:
    """The realms whose player has this address on file. It tells where to write to, never who wrote."""
    wanted = folded(address)
    if not wanted:
        return ()
    return tuple(each.realm for each in campaign.folder.players.players if wanted in map(folded, each.addresses))


def addresses_of(campaign: Campaign, realm: str) -> tuple[str, ...]:
    """All the addresses of a realm's player: he gets his mail at each, and may write from any."""
    player = campaign.folder.players.of(realm)
    return player.addresses if player and not player.bot else ()


def folded(address: str) -> str:
    """An address as it is compared: hardly any server tells big letters from small ones."""
    return bare_address(address).lower()


def seat_mark(folder: GameFolder, realm: str, turn: int) -> str:
    """What tells a realm's player with his keys for a turn from anybody before; nothing can be made out of it."""
    player = folder.players.of(realm)
    return fingerprint(reply_token(player, folder.settings.id, turn).encode())[:16] if player else ""


def state_mark(folder: GameFolder, turn: int) -> str:
    """What tells the state after a turn from that of the same turn played again; other dice make another."""
    state = (folder.turn_path(turn) / STATE_FILE).read_bytes()
    proof = folder.turn_record(turn).get("proof") or {}
    return fingerprint(state + str(proof["seal"]).encode() if proof.get("renewed") else state)[:16]
