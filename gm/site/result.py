"""The result of a finished game: who held each seat for how many turns, and the order of finish."""

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
    """A player or bot that held a seat."""

    name: str = ""  # empty: a player who is not named
    bot: bool = False
    turns: Positive  # the number of turns


class SeatResult(Value):
    """A seat at the end of a game."""

    code: str
    name: str
    place: Positive  # 1 for winners and for those who share the game; the earlier eliminated, the higher
    holders: tuple[Holder, ...]  # the longest first


class GameResult(Value):
    """A finished game."""

    id: str
    game: str  # the key of its rules
    title: str  # of its rules
    map: str
    mark: str  # distinguishes it from all other games
    ended: datetime  # when its last turn was played
    turns: Positive  # the number of its turns
    drawn: bool
    seats: tuple[SeatResult, ...]


def result_of(campaign: Campaign, *, names: bool = True) -> GameResult:
    """Return the result of a game.

    Without ``names`` no player is named. Raises ``BrokenFolderError`` while the game goes on.
    """
    turns = campaign.newest_turn
    spec = campaign.spec
    folder = campaign.folder
    if campaign.winners is None or not turns:
        raise BrokenFolderError("The game is not over: nobody has won or lost yet.")
    in_play = _turns_in_play(campaign)
    seats = [seat for seat in spec.seats(campaign.table, campaign.snapshot) if in_play[seat.code]]
    ranks = _ranks(campaign, seats, in_play)
    bots_by_turn = [decisions_of(folder.turn_record(turn)).bots for turn in range(1, turns + 1)]

    def seat_result(seat: Seat) -> SeatResult:
        """Return the result of a seat: its rank, and who held it while it was in play."""
        bots_in_play = bots_by_turn[: in_play[seat.code]]
        return SeatResult(
            code=seat.code,
            name=seat.name,
            place=1 + sum(other < ranks[seat.code] for other in ranks.values()),
            holders=_holders(seat, folder.players.of(seat.code), bots_in_play, names=names),
        )

    return GameResult(
        id=folder.settings.id,
        game=spec.key,
        title=spec.title,
        map=campaign.table.board.title,
        mark=folder.turn_record(0).get("next_seal", ""),  # the seal of turn 1 differs from game to game
        ended=(campaign.played_at(turns) or campaign.deadline(turns)).astimezone(UTC),
        turns=turns,
        drawn=not campaign.winners,
        seats=tuple(map(seat_result, seats)),
    )


def _turns_in_play(campaign: Campaign) -> Counter[str]:
    """Return the number of turns that each seat stayed in the game, by code."""
    in_play = Counter[str]()
    for turn in range(campaign.newest_turn):
        seats = campaign.spec.seats(campaign.table, campaign.state_after(turn))
        in_play.update(seat.code for seat in seats if not seat.out)
    return in_play


def _ranks(
    campaign: Campaign, seats: Iterable[Seat], in_play: Mapping[str, int]
) -> dict[str, tuple[float, ...]]:
    """Return a sort key for each seat, by code; a better seat has a lower one.

    First are winners or, without any, all who are not out; then others by turns in play (``in_play``: by
    code), and by score.
    """
    winners = campaign.winners
    figures = campaign.spec.figures(campaign.table, campaign.snapshot)

    def rank(seat: Seat) -> tuple[float, ...]:
        """Return a seat's sort key; behind the first ones, turns in play decide and then the score."""
        is_first = seat.code in winners if winners else not seat.out
        if is_first:
            return (0,)
        # a party's first figure is its score
        score = next(iter(figures.get(seat.code, {}).values()), 0.0)
        return (1, -in_play[seat.code], 0.0 if seat.out else -score)

    return {seat.code: rank(seat) for seat in seats}


def _holders(
    seat: Seat, player: Player | None, bots_by_turn: Iterable[Mapping[str, str]], *, names: bool
) -> tuple[Holder, ...]:
    """Return the holders of a seat, the longest first.

    ``bots_by_turn``: of each turn from the first, the bots that wrote orders, by seat; ``names``: whether
    players are named.
    """
    turns_by_holder = Counter[tuple[str, bool]]()  # by (name, whether it is a bot)
    for turn, bots in enumerate(bots_by_turn, start=1):
        holder = _holder(player, seat.bot, turn, bots.get(seat.code, ""))
        if holder is None:
            continue
        _, is_bot = holder
        is_named = names or is_bot
        turns_by_holder[holder if is_named else ("", False)] += 1
    holders = (Holder(name=name, bot=bot, turns=count) for (name, bot), count in turns_by_holder.items())
    return tuple(sorted(holders, key=lambda holder: (-holder.turns, holder.bot, holder.name)))


def _holder(player: Player | None, own_program: str, turn: int, acting_bot: str) -> tuple[str, bool] | None:
    """Return (name of a seat's holder in a turn, whether it is a bot); None if nobody held it.

    ``own_program``: the bot by which the game itself plays the seat, empty for none; ``acting_bot``: the bot
    that wrote the orders, empty if none did.
    """
    if acting_bot:
        return bot_label(acting_bot), True
    tenure = player.tenure if player else ()
    former_holder = next((holder for holder in tenure if holder.first <= turn <= holder.last), None)
    if former_holder is not None:
        return (former_holder.bot, True) if former_holder.bot else (former_holder.name, False)
    # nobody has an entry for the seat, or not yet, or it is open and no bot stands in
    if player is None or turn < player.seated or (player.open and not player.bot):
        return (own_program, True) if own_program else None
    return (bot_label(player.bot), True) if player.bot else (player.name, False)
