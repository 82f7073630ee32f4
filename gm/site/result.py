"""The result of a finished game: the holders of each seat with their turns, and the order of finish."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from gm.campaign.open import Campaign
from gm.core.values import Positive, Value
from gm.game.values import Seat
from gm.store import BrokenFolderError
from gm.store.inbox import decisions_of
from gm.store.settings import Player, bot_label


class Holder(Value):
    """The holder of a seat for ``turns``: a player by name (empty: not named), or a program."""

    name: str = ""
    bot: bool = False
    turns: Positive


class SeatResult(Value):
    """A seat. ``place``: 1 for winners and those who share the game; earlier eliminated ones come later."""

    code: str
    name: str
    place: Positive
    holders: tuple[Holder, ...]


class GameResult(Value):
    """A finished game.

    ``mark`` distinguishes it from all others; ``ended``: when its last turn was played.
    """

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
    """Return the result of the game.

    Without ``names`` no player is named. Raises ``BrokenFolderError`` while it goes on.
    """
    turns = campaign.newest_turn
    spec = campaign.spec
    folder = campaign.folder
    if campaign.winners is None or not turns:
        raise BrokenFolderError("The game is not over: nobody has won or lost yet.")
    in_play = _turns_in_play(campaign)
    seats = [seat for seat in spec.seats(campaign.table, campaign.snapshot) if in_play[seat.code]]
    ranks = _ranks(campaign, seats, in_play)
    acted = [decisions_of(folder.turn_record(turn)).bots for turn in range(1, turns + 1)]

    def seat_result(seat: Seat) -> SeatResult:
        return SeatResult(
            code=seat.code,
            name=seat.name,
            place=1 + sum(other < ranks[seat.code] for other in ranks.values()),
            holders=_holders(seat, folder.players.of(seat.code), acted[: in_play[seat.code]], names=names),
        )

    return GameResult(
        id=folder.settings.id,
        game=spec.key,
        title=spec.title,
        map=campaign.table.board.title,
        mark=folder.turn_record(0).get("next_seal", ""),
        ended=(campaign.played_at(turns) or campaign.deadline(turns)).astimezone(UTC),
        turns=turns,
        drawn=not campaign.winners,
        seats=tuple(map(seat_result, seats)),
    )


def _turns_in_play(campaign: Campaign) -> Counter[str]:
    """Return the number of turns that each seat stayed in the game."""
    in_play = Counter[str]()
    for turn in range(campaign.newest_turn):
        seats = campaign.spec.seats(campaign.table, campaign.state_after(turn))
        in_play.update(seat.code for seat in seats if not seat.out)
    return in_play


def _ranks(
    campaign: Campaign, seats: Iterable[Seat], in_play: Mapping[str, int]
) -> dict[str, tuple[float, ...]]:
    """Return the sort keys of seats, the best lowest: sharing the game, a later last turn, a higher score."""
    winners = campaign.winners
    figures = campaign.spec.figures(campaign.table, campaign.snapshot)

    def rank(seat: Seat) -> tuple[float, ...]:
        """Return a seat's sort key: winners 0; others by turns in play, then by score."""
        shares = seat.code in winners if winners else not seat.out
        if shares:
            return (0,)
        score = next(iter(figures.get(seat.code, {}).values()), 0.0)
        return (1, -in_play[seat.code], 0.0 if seat.out else -score)

    return {seat.code: rank(seat) for seat in seats}


def _holders(
    seat: Seat, player: Player | None, acted: Iterable[Mapping[str, str]], *, names: bool
) -> tuple[Holder, ...]:
    """Return the holders of a seat, the longest first.

    ``acted``: the programs that wrote orders, by seat, turn by turn.
    """
    turns_by_holder = Counter[tuple[str, bool]]()
    for turn, bots in enumerate(acted, start=1):
        holder = _holder(player, seat.bot, turn, bots.get(seat.code, ""))
        if holder is None:
            continue
        is_named = names or holder[1]
        turns_by_holder[holder if is_named else ("", False)] += 1
    holders = (Holder(name=name, bot=bot, turns=count) for (name, bot), count in turns_by_holder.items())
    return tuple(sorted(holders, key=lambda holder: (-holder.turns, holder.bot, holder.name)))


def _holder(player: Player | None, own_program: str, turn: int, acted: str) -> tuple[str, bool] | None:
    """Return the name of a seat's holder in a turn, and whether it is a program's; None if nobody held it.

    ``own_program``: the game's own program there; ``acted``: the one that wrote the orders.
    """
    if acted:
        return bot_label(acted), True
    tenure = player.tenure if player else ()
    before = next((holding for holding in tenure if holding.first <= turn <= holding.last), None)
    if before is not None:
        return (before.bot, True) if before.bot else (before.name, False)
    if player is None or turn < player.seated or (player.open and not player.bot):
        return (own_program, True) if own_program else None
    return (bot_label(player.bot), True) if player.bot else (player.name, False)
