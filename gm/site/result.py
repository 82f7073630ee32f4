"""How a game that is over ended: who held which seat for how long, and in which order the seats finished."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from gm.campaign.open import Campaign
from gm.core.values import Positive, Value
from gm.game.values import Seat
from gm.store import BrokenFolderError
from gm.store.inbox import decisions_of
from gm.store.settings import Player, bot_label


class Holder(Value):
    """Who gave a seat's orders for so many turns: a player by his name (empty: he is not named), or a program."""

    name: str = ""
    bot: bool = False
    turns: Positive


class SeatResult(Value):
    """A seat. ``place``: 1 for those who won or share the game; who was out earlier comes later."""

    code: str
    name: str
    place: Positive
    holders: tuple[Holder, ...]


class GameResult(Value):
    """A game that is over. ``mark`` tells it from all others, ``ended``: when its last turn was played."""

    id: str
    game: str
    title: str
    map: str
    mark: str
    ended: datetime
    turns: Positive
    drawn: bool
    seats: tuple[SeatResult, ...]


def result_of(campaign: Campaign, *, names: bool = True) -> GameResult:
    """Return how the game ended.

    Without ``names`` no player is named. Raises ``BrokenFolderError`` while it goes on.
    """
    turns = campaign.newest_turn
    spec = campaign.spec
    folder = campaign.folder
    if campaign.winners is None or not turns:
        raise BrokenFolderError("The game is not over: nobody has won or lost yet.")
    in_play = Counter[str]()  # how many turns each seat lasted
    for turn in range(turns):
        in_play.update(seat.code for seat in spec.seats(campaign.table, campaign.state_after(turn)) if not seat.out)
    seats = [seat for seat in spec.seats(campaign.table, campaign.snapshot) if in_play[seat.code]]
    figures = spec.figures(campaign.table, campaign.snapshot)

    def rank(code: str, out: bool) -> tuple[Any, ...]:
        score = next(iter(figures.get(code, {}).values()), 0.0)
        shares = code in campaign.winners if campaign.winners else not out
        return (0,) if shares else (1, -in_play[code], 0.0 if out else -score)

    ranks = {seat.code: rank(seat.code, seat.out) for seat in seats}
    acted = [decisions_of(folder.turn_record(turn)).bots for turn in range(1, turns + 1)]

    def holders(seat: Seat) -> tuple[Holder, ...]:
        player = folder.players.of(seat.code)
        turns_by_holder = Counter[tuple[str, bool]]()
        for turn, bots in enumerate(acted[: in_play[seat.code]], start=1):
            if who := _holder(player, seat.bot, turn, bots.get(seat.code, "")):
                turns_by_holder[who if names or who[1] else ("", False)] += 1
        each_holder = (Holder(name=name, bot=bot, turns=count) for (name, bot), count in turns_by_holder.items())
        return tuple(sorted(each_holder, key=lambda holder: (-holder.turns, holder.bot, holder.name)))

    return GameResult(
        id=folder.settings.id,
        game=spec.key,
        title=spec.title,
        map=campaign.table.board.title,
        mark=folder.turn_record(0).get("next_seal", ""),
        ended=(campaign.played_at(turns) or campaign.deadline(turns)).astimezone(UTC),
        turns=turns,
        drawn=not campaign.winners,
        seats=tuple(
            SeatResult(
                code=seat.code,
                name=seat.name,
                place=1 + sum(other < ranks[seat.code] for other in ranks.values()),
                holders=holders(seat),
            )
            for seat in seats
        ),
    )


def _holder(player: Player | None, own: str, turn: int, acted: str) -> tuple[str, bool] | None:
    """Return the name of who held a seat in a turn, and whether it is a program's.

    ``own``: the game's own program there; ``acted``: the one that wrote the orders.
    """
    if acted:
        return bot_label(acted), True
    before = (
        next((holding for holding in player.tenure if holding.first <= turn <= holding.last), None) if player else None
    )
    if before is not None:
        return (before.bot, True) if before.bot else (before.name, False)
    if player is None or turn < player.seated or (player.open and not player.bot):
        return (own, True) if own else None
    return (bot_label(player.bot), True) if player.bot else (player.name, False)
