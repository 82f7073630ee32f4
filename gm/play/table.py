"""A game at its players' own table: the player at the table, the exact forecast of their orders, the turn.

All is in the game's folder, of which the last reading is cached: every action calls the functions of the
commands (``Lent``). Drafts of orders are stored in the folder, too, but are no part of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from gm.bots.registry import bot_named, bots_of
from gm.campaign.check import CheckContext, check_file
from gm.campaign.open import Campaign
from gm.campaign.plan import turn_plan, with_bots
from gm.campaign.play import party_reports
from gm.campaign.receive import UNACCEPTED, Submission, receive
from gm.core.diagnostics import render_all, said, says
from gm.game.answers import Preview
from gm.game.bots import BotError, bot_seed, bot_view, bots_by_name
from gm.game.values import Seat
from gm.play.lent import Lent, RefusedError
from gm.play.programs import adviser_of, only_bots_move, people_of
from gm.play.reign import CLOSED, SoloGame, is_closed, own_seat, solo_games
from gm.play.thinking import Doing
from gm.store.drafts import Draft, Drafts, UnkeptError
from gm.store.folder import PLAYERS_FILE, SETTINGS_FILE
from gm.store.formats import edited_players
from gm.store.inbox import Changes
from gm.store.journal import ACTIONS_FILE
from gm.store.places import Stamp, stamp
from gm.story.turns import Memory
from gm.text.languages import ENGLISH, Translate, translator
from gm.text.names import the
from gm.text.pages import listed

# at least one of these files and folders changes when the game does
WATCHED = (SETTINGS_FILE, PLAYERS_FILE, ACTIONS_FILE, "turns", "inbox")


class Table:
    """The game in a folder, and the players at the table. Every method may be called from any thread.

    ``seat``, ``turn``: those on the page of a request, which is refused if the page is out of date.
    """

    def __init__(self, folder: Path, lent: Lent) -> None:
        self._folder = folder
        self._lent = lent
        self._lock = RLock()
        self._last_taken = ""  # the seat taken last, if several share the table or its player has lost
        self._doing = Doing(lent.ahead)
        self._campaign: Campaign | None = None  # the game as it was read last
        self._stamps: tuple[Stamp, ...] = ()  # those of WATCHED at that time
        self._hint: tuple[object, str, tuple[str, Preview, str]] | None = None  # (game, seat, last hint)
        self.past: Memory = {}  # what the page of all turns remembers of each, so that each is drawn once

    # -- what is seen ----------------------------------------------------------------------------------------

    @property
    def campaign(self) -> Campaign:
        """The game from the disk, read again after any change."""
        with self._lock:
            stamps = tuple(stamp(self._folder / name) for name in WATCHED)
            if self._campaign is None or stamps != self._stamps:
                self._campaign = self._lent.game()
                self._stamps = stamps
            return self._campaign

    @property
    def people(self) -> list[Seat]:
        """The seats that people play and that are in the game; if none is left in it, all."""
        seats = people_of(self.campaign)
        return [seat for seat in seats if not seat.out] or seats

    @property
    def onlookers(self) -> list[Seat]:
        """The seats of people who have lost while others of the table still play."""
        seats = people_of(self.campaign)
        lost = [seat for seat in seats if seat.out]
        return lost if len(lost) < len(seats) else []

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """Hold the table's lock while the block runs, so that no other request changes anything."""
        with self._lock:
            yield

    @property
    def doing(self) -> str:
        """What the table is doing, in words; empty for nothing. It never waits for the lock."""
        return self._doing.words

    def think(self) -> None:
        """Let the bots begin with the next turn while people look at the page."""
        with self._lock:
            self._lent.ahead.begin(self.campaign)

    @property
    def chair(self) -> str:
        """The seat whose player is at the table: the only possible one, else the last taken; or empty."""
        people = self.people
        if any(seat.code == self._last_taken for seat in self.onlookers):
            return self._last_taken  # of a player who has lost and looks on
        # the only person, else the only one who has something to order
        for candidates in (people, [seat for seat in people if not seat.waiting]):
            if len(candidates) == 1:
                return candidates[0].code
        return self._last_taken if any(seat.code == self._last_taken for seat in people) else ""

    @property
    def shared(self) -> bool:
        """Whether several players, none of whom waits, use the page by turns, with a curtain between them."""
        people = self.people
        return len(people) > 1 and not any(seat.waiting for seat in people)

    @property
    def handed_in(self) -> set[str]:
        """The codes of people's seats whose orders for the next turn are in."""
        campaign = self.campaign
        return set(campaign.folder.inbox(campaign.next_turn).current(seat.code for seat in self.people))

    def language(self, seat: str) -> str:
        """Return the language of a seat's player; behind the curtain, that of the first player."""
        code = seat or next((person.code for person in self.people), "")
        return self.campaign.decisions.languages.get(code, ENGLISH)

    def translate(self, seat: str) -> Translate:
        return translator(self.campaign.spec.key, self.language(seat))

    def page(self, seat: str) -> bytes:
        """Return a seat's report of the newest turn."""
        with self._lock:
            campaign = self.campaign
            name = f"results/{seat}.html"
            stored = campaign.folder.report(campaign.newest_turn, name)
            return stored or party_reports(campaign, campaign.newest_turn, seat)[name]

    def template(self, seat: str) -> str:
        """Return the initial text of a seat's orders: its orders if they are in, else the template."""
        campaign = self.campaign
        inbox = campaign.folder.inbox(campaign.next_turn).current([seat])
        template = campaign.folder.report(campaign.newest_turn, f"next/{seat}.yaml") or b""
        return inbox.get(seat, template).decode("utf-8", "replace")

    def drafts(self, seat: str) -> Mapping[str, Draft]:
        """Return a seat's drafts for the coming turn, by the place that the page's scripts name for each."""
        return Drafts(self._folder, seat, self.campaign.next_turn).read()

    def keep_draft(self, seat: str, turn: int, data: bytes) -> None:
        """Store a draft of the player at the table. Raises ``RefusedError`` if it is too long or outdated."""
        with self._lock:
            self._game_of_request(self.campaign, seat, turn)
            try:
                Drafts(self._folder, seat, turn).keep(data)
            except UnkeptError:
                raise RefusedError(says("The draft is not kept at the table: it is too long.")) from None

    def check(self, seat: str, turn: int, data: bytes) -> Preview:
        """Return the exact forecast of an order file, ``data``. Raises ``RefusedError`` for an old page."""
        with self._lock:
            campaign = self._game_of_request(self.campaign, seat, turn)
            context = CheckContext(campaign.orders, {}, seat, language=self.language(seat))
            return check_file(context, Path(f"{seat}.yaml"), data)

    def hint(self, seat: str, turn: int) -> tuple[str, Preview, str]:
        """Return (name, forecast, file as the page opens it) of the best bot and its orders for this seat.

        They depend only on the position; the last are cached.
        """
        with self._lock:
            campaign = self._game_of_request(self.campaign, seat, turn)
            if self._hint is None or self._hint[0] is not campaign or self._hint[1] != seat:
                self._hint = (campaign, seat, self._thought(campaign, seat, turn))
            return self._hint[2]

    def _thought(self, campaign: Campaign, seat: str, turn: int) -> tuple[str, Preview, str]:
        """Return a new hint, as :meth:`hint` has it. Raises ``RefusedError`` without a bot that can play."""
        spec = campaign.spec
        settings = campaign.folder.settings
        name = adviser_of(spec)
        if not name:
            raise RefusedError(says("{0} has no bot to ask.", spec.title))
        seed = bot_seed(settings.master(turn), settings.id, turn, seat)
        view = bot_view(spec, campaign.table, campaign.state, seat, game=settings.id, key="", seed=seed)
        try:
            with self._doing.telling(says("{0} thinks about your orders.", name), self.translate(seat)):
                data = bot_named(spec, name).orders(view)
        except BotError as error:
            raise RefusedError(says("{0} has no advice: {1}.", name, error)) from None
        checked = self.check(seat, turn, data)
        page_data = spec.for_page(campaign.state, checked.reading.sheet, settings.id, data)
        return name, checked, page_data.decode("utf-8", "replace")

    @property
    def levels(self) -> tuple[dict[str, str], str]:
        """The levels of a single opponent, a bot ({name: description}), and its present one; else empty."""
        campaign = self.campaign
        bots = [seat.bot for seat in campaign.seats if seat.bot]
        descriptions = {name: bot.about for name, bot in bots_by_name(campaign.spec).items()}
        is_duel = len(campaign.seats) == 2 and len(bots) == 1 and bots[0] in descriptions
        return (descriptions, bots[0]) if is_duel else ({}, "")

    @property
    def reign(self) -> Seat | None:
        """The seat of a single player against bots, without deadlines and mail; None in other games."""
        return own_seat(self.campaign)

    @property
    def reign_over(self) -> bool:
        """Whether the reign is over: the game is, the player is out, or ended it."""
        seat = self.reign
        campaign = self.campaign
        return seat is not None and (campaign.winners is not None or seat.out or is_closed(campaign))

    @property
    def ended(self) -> Seat | None:
        """The seat whose chronicle can be read; None if there is none.

        It is that of a single player whose reign is over, or of a player who lost or played to the end.
        """
        if self.reign is not None:
            return self.reign if self.reign_over else None
        seat = self.campaign.seat(self.chair) if self.chair else None
        return seat if seat is not None and (seat.out or self.campaign.winners is not None) else None

    @property
    def games(self) -> list[SoloGame]:
        """All games of single players in the folder around this one, itself included."""
        return solo_games(self._folder.resolve().parent, self._lent.look, self.language(""))

    # -- what is done ----------------------------------------------------------------------------------------

    def sit(self, seat: str) -> None:
        """Show the page to the player of this seat (a code); if ``seat`` is empty, hide it by the curtain."""
        with self._lock:
            if seat and seat not in [person.code for person in (*self.people, *self.onlookers)]:
                raise RefusedError(says("That is not played here."))
            self._last_taken = seat

    def hand_in(self, seat: str, turn: int, data: bytes) -> None:
        """Accept the orders of the player at the table, and hide the page behind the curtain."""
        with self._at_work(seat, turn) as campaign:
            self._take(campaign, seat, data)
            self._last_taken = ""

    def play(self, seat: str, turn: int, data: bytes) -> None:
        """Accept the orders of the seat (empty: of none), and play until people have something to order."""
        with self._at_work(seat, turn) as campaign:
            if campaign.winners is not None:
                raise RefusedError(says("The game is over."))
            playing = {person.code: person for person in self.people if not person.out}
            if seat in playing and not playing[seat].waiting:
                self._take(campaign, seat, data)
            campaign = self._play_turn(campaign, seat)
            while only_bots_move(campaign):
                campaign = self._play_turn(campaign, seat)
            losers = [person.code for person in campaign.seats if person.out and person.code in playing]
            self._last_taken = losers[0] if losers and len(playing) > 1 else ""  # who lost sees it first

    def _play_turn(self, campaign: Campaign, seat: str) -> Campaign:
        """Play one turn; return the game after it. Raises ``RefusedError`` if people's orders are missing."""
        plan = turn_plan(campaign)
        translate = self.translate(seat)
        if plan.missing:
            names = [said(the(missing.name), translate) for missing in plan.missing]
            raise RefusedError(says("Orders are missing from {0}.", listed(names, last=translate("and"))))
        find = bots_of(campaign.spec, campaign.folder.path)
        with self._doing.thinking(campaign, find, translate) as finding:
            plan = with_bots(campaign, plan, finding)
        with self._doing.telling(says("The turn has been played, and its reports are written."), translate):
            self._lent.play(campaign, plan)
        return campaign.reopened()

    def take_back(self, seat: str, turn: int) -> None:
        """Undo the newest turn, and those before it until a person has something to order.

        If several play, or the next turn was undone publicly, only one is: publicly, with other dice (W12).
        """
        with self._at_work(seat, turn) as campaign:
            if campaign.newest_turn == 0:
                raise RefusedError(says("No turn has been played yet."))
            is_public = sum(other.played for other in campaign.seats) > 1 or campaign.withdrawn is not None
            self._lent.take_back(campaign, is_public)
            campaign = campaign.reopened()
            while not is_public and campaign.newest_turn and only_bots_move(campaign):
                self._lent.take_back(campaign, is_public)
                campaign = campaign.reopened()

    def close(self, seat: str, turn: int) -> None:
        """End the reign of a single player. The game is not changed: another turn resumes it."""
        with self._at_work(seat, turn) as campaign:
            if self.reign is None:
                raise RefusedError(says("Only a solo player can end a reign."))
            self._lent.carry_out(campaign, CLOSED, {}, realm=seat, turn=turn)

    def set_level(self, seat: str, turn: int, name: str) -> None:
        """Let the only opponent, a bot, play on as the bot ``name``; refuse one that cannot play here."""
        with self._at_work(seat, turn) as campaign:
            if name not in self.levels[0]:
                raise RefusedError(says("No bot of this name plays here."))
            code = next(opponent.code for opponent in campaign.seats if opponent.bot)  # there is just one
            change: dict[str, Any] = {"bot": name}
            if campaign.spec.own_players({code: name}):  # the game itself plays such a party
                change = {"controller": name, "since": campaign.next_turn}
            if campaign.folder.players.of(code) is None:  # the game began with a bot here
                change["secret"] = self._lent.secret()
            files = {campaign.folder.path / PLAYERS_FILE: edited_players(campaign.folder.path, code, change)}
            self._lent.carry_out(campaign, "seat", files, realm=code, changed=["bot"], bot=name)

    @contextmanager
    def _at_work(self, seat: str, turn: int) -> Iterator[Campaign]:
        """Yield the game to be changed, if the request's page is up to date; then forget the last reading."""
        with self._lock, self._lent.changing() as campaign:
            try:
                yield self._game_of_request(campaign, seat, turn)
            finally:
                self._campaign = None

    def _game_of_request(self, campaign: Campaign, seat: str, turn: int) -> Campaign:
        """Return the game, if a request's page shows its present turn and seat. Raises ``RefusedError``."""
        if turn != campaign.next_turn:
            raise RefusedError(
                says("The game has moved on meanwhile; your orders are kept here."), stale=True
            )
        if seat != self.chair:
            raise RefusedError(
                says("Another player has the seat now; your orders are kept here."), stale=True
            )
        return campaign

    def _take(self, campaign: Campaign, seat: str, data: bytes) -> None:
        """Receive the orders of a seat. Raises ``RefusedError`` if they cannot be read or do not count."""
        reading = campaign.orders.read(data, f"{seat}.yaml", seat)
        if reading.sheet is None:
            raise RefusedError(says("The orders cannot be read.\n{0}", render_all(reading.diagnostics)))
        files: Changes = {}
        # at one's own table nothing is late
        moment = min(self._lent.moment(campaign), campaign.deadline(campaign.next_turn))
        submission = Submission(f"{seat}.yaml", data, vouched=seat)
        (verdict,) = receive(campaign, [submission], moment, take_late=True, into=files)
        if verdict.fate in UNACCEPTED:
            raise RefusedError(says("The orders are not taken.\n{0}", render_all(verdict.diagnostics)))
        if files:
            self._lent.carry_out(
                campaign, "receive", files, turn=campaign.next_turn, taken=[seat], set_aside=0
            )
