"""The pages of ``pbem play``, in the language of the seat.

These are a report with the control bar in it, the curtain between two players, and a forecast.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.core.diagnostics import said, says
from gm.game.answers import Advice, Preview, TriedOrder
from gm.game.base.hooks import Hooks
from gm.game.values import OwnTable
from gm.play.advice import Place, most_important, words_of
from gm.play.lent import RefusedError
from gm.play.opening import PERSON, Opening
from gm.play.practice import is_practice, lesson_values, past_values
from gm.play.reign import chronicle_values
from gm.play.table import Table
from gm.play.telling import fall_of, meanwhile
from gm.story.history import history_page
from gm.text.languages import translator
from gm.text.pages import (
    Inlined,
    allowing,
    environment,
    gold,
    inlined_files,
    policy_of,
    ready_markup,
    script_json,
)
from gm.text.words import Said, turn_in_words

SCRIPTS = ("game/drafts.js", "play/play.js", "play/taking.js")
_HEAD = re.compile("(orders|game|realm|player|turn|key):")  # the lines of an order file's head
_SIGNS = {"done": "✓", "failed": "✗", "reduced": "◐"}  # by outcome of an order


def inlined(table: Table, seat: str) -> Inlined:
    """Return the style and the scripts of the control bar, in a seat's language."""
    return inlined_files(("play/play.css",), SCRIPTS, table.campaign.spec.key, table.language(seat))


def lacking(page: bytes, inlined: Inlined) -> Inlined:
    """Return the same style, the scripts that the page does not have yet, and the policy for these."""
    scripts = tuple(script for script in inlined.scripts if script.encode() not in page)
    return inlined.evolve(scripts=scripts, policy=ready_markup(policy_of(scripts)))


def report_page(table: Table, seat: str, *, again: bool) -> bytes:
    """Return a seat's report with the control bar in it.

    Its Content-Security-Policy also allows the bar's scripts, and requests to its server. ``again``: the bar
    offers another game.
    """
    page = table.page(seat)
    bar_files = lacking(page, inlined(table, seat))
    page = allowing(page, bar_files).replace(b"connect-src 'none'", b"connect-src 'self'", 1)
    values = bar_values(table, seat) | told_values(table, seat)
    values |= {"inlined": bar_files, "ready": ready_markup, "again": again}
    if again:
        values |= rematch_values(table, seat)
    bar = _rendered(table, seat, "bar", values).encode()
    head, begin, body = page.partition(b"</head>")
    before, end, after = body.rpartition(b"</body>")
    return b"".join((head, _drafts(table, seat), begin, before, bar, end, after))


def _drafts(table: Table, seat: str) -> bytes:
    """Return the element of a page with a seat's drafts of orders, for the scripts below it."""
    drafts = {place: {"at": draft.at, "text": draft.text} for place, draft in table.drafts(seat).items()}
    return f'<script type="application/json" id="play-drafts">{script_json(drafts)}</script>\n'.encode()


def _rendered(table: Table, seat: str, name: str, values: dict[str, Any]) -> str:
    """Return what the template ``play/NAME.html`` makes of values, in a seat's language."""
    pages = environment(table.campaign.spec.key, table.language(seat))
    return pages.get_template(f"play/{name}.html").render(values)


def bar_values(table: Table, seat: str) -> dict[str, Any]:
    """Return the values of a seat's control bar; without a seat, those of the curtain between two players."""
    campaign = table.campaign
    spec = campaign.spec
    state = campaign.state
    language = table.language(seat)
    translate = translator(spec.key, language)
    names = {party.code: translate(party.name) for party in campaign.seats}
    levels, level = table.levels
    past = _rendered(table, seat, "past", past_values(campaign, language)) if is_practice(campaign) else ""
    return {
        "seat": seat,
        "name": names.get(seat, ""),
        "game": campaign.folder.settings.id,
        "turn": campaign.next_turn,
        "coming": turn_in_words(spec.coming_name(state), translate),
        "played": turn_in_words(spec.played_name(state), translate),
        "playing": campaign.winners is None,
        "reign": table.reign is not None,
        "reign_over": table.reign_over,
        "ended": table.ended is not None,
        "winners": [names[code] for code in campaign.winners or ()],
        "shared": table.shared,
        # the text in which orders are typed; a medieval report has an order writer instead
        "template": table.template(seat) if seat and spec.key != "medieval" else "",
        "levels": levels,
        "level": level,
        "guide": guide_html(table, seat),
        "past": past,
        "inlined": inlined(table, seat),
        "rematch": None,  # :func:`rematch_values` has it when one is offered
    }


def rematch_values(table: Table, seat: str) -> dict[str, Any]:
    """Return the values of the bar's offer of a rematch: the same game, and its other boards.

    They are empty except for games of single moves on a board that comes with the program.
    """
    campaign = table.campaign
    spec = campaign.spec
    name = campaign.folder.settings.map
    boards = list(spec.maps())
    # only small games, which are made of ``Hooks``, can consist of single moves
    if not (isinstance(spec, Hooks) and spec.single_moves and name in boards):
        return {}
    level = table.levels[1] or PERSON  # without a bot the opponent is a person
    choice = {"game": spec.key, "map": name, "realm": seat, "level": level}
    return {"rematch": choice, "boards": [board for board in boards if board != name]}


def offered_at(table: Table, seat: str) -> OwnTable:
    """Return what a seat may play with one press of a button; empty in a game that is over."""
    campaign = table.campaign
    spec = campaign.spec
    if not isinstance(spec, Hooks) or campaign.winners is not None:
        return OwnTable()
    return spec.at_table(campaign.table, campaign.state, seat, translator(spec.key, table.language(seat)))


def told_values(table: Table, seat: str) -> dict[str, Any]:
    """Return the values of what the page tells its player: steps to play, their defeat, turns they missed."""
    campaign = table.campaign
    language = table.language(seat)
    offered = offered_at(table, seat)
    lines = table.template(seat).splitlines() if offered.steps else []
    values: dict[str, Any] = {
        "about": offered.about,
        "steps": offered.steps,
        # the page writes a step's orders below it when they replace all orders
        "head": "".join(f"{line}\n" for line in lines if _HEAD.match(line)),
        "fall": None,
        "meanwhile": (),
        "watching": any(onlooker.code == seat for onlooker in table.onlookers),
    }
    if campaign.newest_turn:
        values["fall"] = fall_of(campaign, seat, language)
        values["meanwhile"] = meanwhile(campaign, seat, language)
    return values


def guide_html(table: Table, seat: str, checked: Preview | None = None) -> str:
    """Return a practice game's lesson, and which of its tasks the orders do; empty in other games."""
    if not is_practice(table.campaign):
        return ""
    return _rendered(table, seat, "guide", lesson_values(table.campaign, checked))


def curtain_page(table: Table) -> bytes:
    """Return the page shown while no player sits at the table: who may sit down, and whose orders are in.

    Those who have lost may look at their end.
    """
    values = {"people": table.people, "done": table.handed_in, "lost": table.onlookers}
    return _rendered(table, "", "curtain", bar_values(table, "") | values).encode()


def chronicle_page(table: Table, *, here: bool = True) -> bytes:
    """Return the chronicle of a single player, or of one who has lost.

    ``here``: it has a link back to the game. Raises ``RefusedError`` while the reign goes on.
    """
    seat = table.ended
    if seat is None:
        raise RefusedError(says("The chronicle is written when the reign is over."))
    language = table.language(seat.code)
    values = chronicle_values(table.campaign, seat, table.games, language) | {"here": here}
    return page_of("chronicle", table.campaign.spec.key, language, values)


def turns_page(table: Table) -> bytes:
    """Return the page of all turns as the seat knows them, with the map's changes since any of them.

    Raises ``RefusedError`` while no player sits there.
    """
    seat = table.chair
    if not seat:
        raise RefusedError(says("Take a seat first: each seat knows other things."))
    with table.at_rest():
        return history_page(table.campaign, table.language(seat), seat, back=".", memory=table.past)


def opening_page(opening: Opening, map_name: str, game: str, players: int) -> bytes:
    """Return the page on which a game is chosen, for a map and so many players. ``game``: the game's key."""
    spec = opening.spec_of(game)
    return page_of("opening", spec.key, opening.language, opening.values(map_name, game, players))


def page_of(name: str, game: str, language: str, values: dict[str, Any]) -> bytes:
    """Return the page ``play/NAME.html`` with its style sheets and, if there is one, its script."""
    scripts = ("play/opening.js",) if name == "opening" else ()
    styles = ("game/css/game.css", "play/opening.css")
    context = {**values, "inlined": inlined_files(styles, scripts, game, language), "ready": ready_markup}
    return environment(game, language).get_template(f"play/{name}.html").render(context).encode()


def place_in_words(order: Advice | TriedOrder) -> str:
    """Return the place of an order in its file, as the page's script calls it: ``12:5``."""
    return f"{order.line}:{order.column}"


def forecast_html(
    table: Table,
    seat: str,
    checked: Preview,
    adviser: str = "",
    advice: Mapping[Place, Advice] | None = None,
) -> str:
    """Return the forecast of orders as a part of a page.

    With the name of an ``adviser`` they are this bot's, with its ``advice`` by place, and can be adopted.
    Without, they are the player's, and the page can ask why they are not advised.
    """
    translate = checked.translate
    advice = advice or {}

    def fate(order: TriedOrder) -> str:
        """Return what becomes of an order, in a sign and words."""
        if order.hangs_on:
            return str(said(says("◇ if {0} agree", order.hangs_on), translate))
        return f"{_SIGNS.get(order.fate, '◇')} {translate(order.fate)}"

    def cost(order: TriedOrder) -> str:
        """Return the gold and the move points that an order costs, in words; empty for neither."""
        price = says("{0} gold" if order.gold > 0 else "brings {0} gold", gold(abs(order.gold)))
        moves = says("{0:move-point}", Said(order.moves))
        return ", ".join(
            str(said(part, translate))
            for part, is_any in ((price, order.gold), (moves, order.moves))
            if is_any
        )

    words = {} if adviser else words_of(table.campaign, seat, checked, translate)

    def advised(order: TriedOrder) -> Advice | None:
        """Return the advice that an order of the adviser is; None for an order without any."""
        return advice.get((order.line, order.column))

    def worded(order: TriedOrder) -> str | None:
        """Return an order of the player in words; None if there are none for it."""
        return words.get((order.line, order.column))

    values = {"checked": checked, "adviser": adviser, "fate": fate, "cost": cost}
    spec = table.campaign.spec
    values |= {
        "single": isinstance(spec, Hooks) and spec.single_moves,
        "foremost": most_important(advice.values()),
        "place": place_in_words,
        "advised": advised,
        "worded": worded,
    }
    return _rendered(table, seat, "forecast", values)


def forecast_words(checked: Preview) -> str:
    """Return the forecast in a few words, for the bar."""
    orders = checked.orders
    translate = checked.translate
    if checked.reading.sheet is None:
        return translate("The orders cannot be read.")
    failed_count = sum(order.fate == "failed" and not order.hangs_on for order in orders) + checked.errors
    done_count = sum(order.fate == "done" and not order.hangs_on for order in orders)
    count = len(orders) + checked.errors  # an order that was rejected counts as failed
    open_count = sum(bool(order.hangs_on) for order in orders)
    if not count:
        return translate("No orders yet: give some, or ask for a hint.")
    parts = [says("Forecast: {0} of {1:order} done", done_count, Said(count))]
    if failed_count:
        parts.append(says("{0} would fail", failed_count))
    if open_count:
        parts.append(says("{0} open", open_count))
    return ", ".join(str(said(part, translate)) for part in parts) + "."


def forecast_doubt(checked: Preview, *, begun: bool) -> str:
    """Return the warning before doubtful orders are played; mostly empty.

    ``begun``: the party goes on with a turn, which may end without orders.
    """
    orders = checked.orders
    translate = checked.translate
    if checked.errors:
        return translate("Some orders were rejected. Press again to play without them.")
    if not orders and checked.reading.sheet is not None and not begun:
        return translate("You have given no orders. Press again to play without any.")
    if orders and all(order.fate == "failed" and not order.hangs_on for order in orders):
        return translate("None of these orders would succeed. Press again to play anyway.")
    return ""


def forecast_lines(checked: Preview) -> list[dict[str, Any]]:
    """Return the forecast of each order whose outcome is certain, with its place, for the order writer."""
    certain = (order for order in checked.orders if not order.hangs_on)
    return [
        {
            "line": order.line,
            "column": order.column,
            "fate": order.fate,
            "says": order.says,
            "clause": order.clause,
            "cost": {"gold": float(order.gold), "moves": order.moves},
        }
        for order in certain
    ]
