"""The purposes of letters: what is written into one is read from it again."""

import pytest

from gm.mail.purposes import orders_name, orders_start, results_name, results_start, results_state


@pytest.mark.parametrize("more", ["", " corrected 1", " again 1", " corrected 2 to gm@example.org"])
def test_the_purpose_of_results_tells_their_state_also_when_they_go_out_again(more: str) -> None:
    assert results_state(results_name(5, "ENG", "51a7e", "5ea7") + more) == "51a7e"


def test_the_purposes_about_one_turn_and_realm_begin_alike_and_no_others_do() -> None:
    assert results_name(5, "ENG", "51a7e", "5ea7").startswith(results_start(5, "ENG"))
    assert not results_name(5, "ENGL", "51a7e", "5ea7").startswith(results_start(5, "ENG"))
    assert orders_name(6, "ENG", "f11e").startswith(orders_start(6, "ENG"))
    assert not orders_name(61, "ENG", "f11e").startswith(orders_start(6, "ENG"))


def test_purposes_are_those_that_outboxes_hold() -> None:
    assert results_name(5, "ENG", "51a7e", "5ea7") == "results 5 ENG 51a7e 5ea7"
    assert orders_name(6, "ENG", "f11e") == "orders 6 ENG f11e"
