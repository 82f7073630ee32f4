"""The part of the game's specification that is about programs that play, and about how a game stands and ends."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from gm.core.events import Event
from gm.game.bots import Bot
from gm.game.rule_book import Uses
from gm.game.spec import GameData
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.state import World


class Programs:
    """See :class:`gm.game.spec.GameSpec`: ``bots``, ``seen``, ``ended`` and ``figures``; and ``told``, see
    :class:`gm.bots.program.Telling`."""

    @cached_property
    def bots(self) -> Mapping[str, Bot]:
        from gm.games.medieval.bots.playing import BOTS

        return BOTS

    def seen(self, table: GameData, state: World, realm: str) -> World:
        """W8: everything but the other treasuries, and who has missed how many turns."""
        from gm.games.medieval.analysis.figures import public_state

        return public_state(state, realm)

    def ended(self, table: GameData, state: World) -> Sequence[str] | None:
        """V1: as the turn's last step left it (L20); also when nobody is left who could win."""
        from gm.games.medieval.analysis.figures import winners

        return winners(state)

    def figures(self, table: GameData, state: World) -> Mapping[str, Mapping[str, float]]:
        """V1's score first, then what a realm has, in the words of the reports."""
        from gm.games.medieval.analysis.figures import figures

        return figures(state, table.rules, table.board)

    def rule_uses(self, table: GameData, sheets: Mapping[str, Orders], events: Iterable[Event]) -> Uses:
        """How often a turn used each rule (see :class:`gm.game.rule_book.RuleBook`)."""
        from gm.games.medieval.analysis.rule_uses import rule_uses

        return rule_uses(table.rules, sheets, events)

    def told(self, table: GameData, state: World, realm: str) -> dict[str, Any]:
        """W8: the position as it is in the results file, the realm's treasury, and the table without its outlines."""
        from gm.games.medieval.data.table_pack import packed_table
        from gm.games.medieval.report.position import position_data

        packed = json.loads(packed_table(table))
        return {
            "position": position_data(state),
            "private": {"treasury": str(state.realms[realm].treasury)},
            "map": packed["atlas"],
            "rules": packed["rules"],
        }
