"""Properties of the reports: whatever a turn was, it can be told, and told to the right readers only."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.game.values import OrderFile
from gm.games.medieval.report.files import turn_reports
from gm.games.medieval.report.results import public_world
from gm.games.medieval.report.turn_result import MedievalResult
from gm.games.medieval.steps.outcomes import TreasuryChanged
from gm.text.layout import read_layout
from tests.examples import examples
from tests.medieval.books import run
from tests.medieval.ordering import all_orders
from tests.medieval.positions import worlds
from tests.medieval.reportland import Page, laid_out
from tests.medieval.testland import atlas, rules


@pytest.mark.long(20)
@pytest.mark.clause("W8")
@examples(50, 2, derandomize=True)
@given(st.data())
def test_any_turn_can_be_told(data: st.DataObject) -> None:
    """Play any turn, write its reports and read them."""
    world = data.draw(worlds())
    orders = data.draw(all_orders(world))
    outcome = run(world, orders)
    record = MedievalResult(
        game="any",
        before=world,
        after=outcome.state,
        events=outcome.events,
        rules=rules(),
        atlas=atlas(),
        readings={code: OrderFile(sheet) for code, sheet in orders.items()},
        keys={code: f"the-key-of-{code}" for code in world.realms},
    )
    files = turn_reports(record)
    realm_pages = {f"results/{code}.html" for code in world.realms}
    others = [name for name in files if name.endswith(".html") and name not in realm_pages]
    # a page takes as long as all the rest: two of them in each example
    looked_at = data.draw(st.sets(st.sampled_from(sorted(world.realms)), min_size=1, max_size=2))
    pages = {code: laid_out(files[f"results/{code}.html"].decode()) for code in sorted(looked_at)}
    for name, page in [*pages.items(), *((name, files[name].decode()) for name in others)]:
        assert Page(page).wrong == [], name
    for code in world.realms:
        results = files[f"results/{code}.yaml"].decode()
        layout = read_layout(results)
        assert layout is not None
        seen = public_world(layout)
        assert seen.units == outcome.state.units
        assert seen.provinces == outcome.state.provinces
        changes = [e.amount for e in outcome.events if isinstance(e, TreasuryChanged) and e.realm == code]
        assert [Decimal(change["amount"]) for change in layout["private"]["treasury_changes"]] == changes
        own = results + pages.get(code, "")
        assert not [other for other in world.realms if other != code and f"the-key-of-{other}" in own]
