"""What the steps of a turn work on."""

from functools import partial

from gm.core import pipeline
from gm.game.base.events import Fate, settled
from gm_diplomacy.board import Board
from gm_diplomacy.orders import Order, Orders
from gm_diplomacy.state import Diplomacy, Rules


class Workspace(pipeline.Workspace[Diplomacy, Rules, Board, Orders]):
    """The position as it is now."""

    def fail(self, power: str, order: Order, reason: str, **figures: object) -> None:
        """Tell a power that its order came to nothing; ``figures``: what the reason's sentence names."""
        self.tell(settled(power, order.written, Fate.FAILED, reason, **figures))

    def carry_out(self, power: str, order: Order) -> None:
        """Tell a power that its order was carried out."""
        self.tell(settled(power, order.written))

    def name_at_start(self, area: str) -> str:
        """Return the name of the unit that was in an area when the step began, as orders call it."""
        return self.turn.state.units[area].name


step = partial(pipeline.step, on=Workspace)
