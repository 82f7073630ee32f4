"""What a small game may say of itself, and what holds while it says nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gm.core.events import Event
from gm.game.base.scene import Scene
from gm.game.base.views import Fact, Page, Part
from gm.game.preview import BookLine
from gm.game.spec import GameData
from gm.text.languages import Translate


class Choices:
    """Each member is overridden by the games that want it otherwise."""

    page_styles: ClassVar[tuple[str, ...]] = ()
    """Style sheets below ``templates/`` that the drawings of the game need, on every page."""

    head_clause: ClassVar[str] = ""
    """The clause of the rules about files for another game, turn or player, and about words that nobody knows."""

    tells_every_step: ClassVar[bool] = False
    """Whether a page tells of each step of the turn that nothing happened in it."""

    skips: ClassVar[bool] = False
    """Whether lines can be for one case or another, so that some are skipped on purpose."""

    flagged_after: ClassVar[int] = 3
    """After so many turns without orders a party wants another player."""

    def generated(self, board: Any, settings: Any, seed: str) -> Any:
        """The board of a new game, from that of the chosen map: for games that make maps of their own."""
        return board

    def chosen(self, settings: Any, board: Any, people: int) -> Any:
        """The settings with what follows from the map and from how many players there are put in. Raises
        ``ValueError`` for what does not go together."""
        return settings

    def with_wishes(self, settings: Any, board: Any, parties: Sequence[str]) -> Any:
        """The chosen settings with these parties in the game, where it is drawn who is. Raises ``ValueError``."""
        return settings

    def in_force(self, rules: Any, settings: Any) -> Any:
        """The rules with what the settings of a game change of them."""
        return rules

    def books(self, table: GameData, state: Any, code: str, outcome: Any) -> Sequence[BookLine]:
        """What a party's orders and the turn cost, line by line, from the outcome of a trial: for games with money."""
        return ()

    def unless_chosen(self) -> Mapping[str, object]:
        """What holds for settings that nobody chose where their model says nothing: for people, by name."""
        return {}

    def own_board(self, table: GameData) -> bool:
        """Whether the board is no file that comes with the program or from the GM, so that results carry it."""
        return False

    def facts(self, scene: Scene) -> Sequence[Fact]:
        """The figures at the top of a party's page."""
        return ()

    def writing_parts(self, scene: Scene) -> Sequence[Part]:
        """What stands above the order template on a party's page: what it may order now."""
        return ()

    def page_extras(self, scene: Scene) -> Page:
        """Style sheets, scripts and their data that a party's page carries besides; only these three count."""
        return Page("", "", "", ())

    def template_for(self, scene: Scene) -> Sequence[str]:
        """What stands below the head of a party's template, in the reader's language: for games that can be had in
        others than English."""
        return scene.spec.template_lines(scene.table, scene.after, scene.party or "")

    def handbook_tables(self, table: GameData) -> Sequence[Part]:
        """Tables of the rules data for the handbook: units, prices."""
        return ()

    def label(self, state: Any, translate: Translate = str) -> str:
        """What people call the time of a position, in a language: ``turn 7, autumn 860``."""
        return translate("turn {number}").format(number=state.turn) if state.turn else translate("the start")

    def tells(self, state: Any, party: str, event: Event) -> bool:
        """Whether a party wants its reports to tell of an event that it may know of."""
        return True

    def narrowed(self, schema: dict[str, Any], table: GameData, state: Any, code: str) -> dict[str, Any]:
        """The schema of a party's orders with the names in it that it may use now."""
        return schema

    def draws(self, table: GameData, state: Any) -> bool:
        """Whether a turn from this position may draw anything: whether its dice are told of on the pages."""
        return True

    def waiting(self, table: GameData, state: Any) -> frozenset[str]:
        """The parties that have nothing to order this time."""
        return frozenset()

    def end_reason(self, state: Any) -> str:
        """Why the game is over, as a word for the sentence of ``GameOver``."""
        return ""
