"""Every event and every refusal has words, and no player's text can bend them."""

import re
from decimal import Decimal
from itertools import chain
from string import Formatter

import pytest

from gm.core.values import Event
from gm.games.medieval.data.clauses_data import load_reasons
from gm.games.medieval.events.final import GoldReceived, Proclaimed, ProvinceAnnexed
from gm.games.medieval.events.first import UnitFormed, UnitRenamed, WarDeclared
from gm.games.medieval.report.formatter import MedievalFormatter, load_sentences
from gm.games.medieval.state.event_log import event_classes
from gm.text.words import Sentence
from tests.medieval.reportland import HOSTILE, busy_record
from tests.medieval.testland import make_world, unit

EVENTS = sorted(event_classes())
"""Every class that a step can emit."""


def leaves(sentence: Sentence) -> list[str]:
    """Every sentence of an entry with variants."""
    if isinstance(sentence, str):
        return [sentence]
    return list(chain.from_iterable(leaves(variant) for key, variant in sentence.items() if key != "by"))


def deciders(sentence: Sentence) -> list[str]:
    """The fields that decide between an entry's variants."""
    if isinstance(sentence, str):
        return []
    own = sentence["by"]
    assert isinstance(own, str)
    return [own, *chain.from_iterable(deciders(variant) for key, variant in sentence.items() if key != "by")]


def placeholders(pattern: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(pattern) if name is not None}


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_has_a_sentence_made_of_its_fields(name: str) -> None:
    sentence = load_sentences()[name]
    fields = set(event_classes()[name].__struct_fields__)
    for leaf in leaves(sentence):
        assert placeholders(leaf) <= fields, leaf
    assert all(hasattr(event_classes()[name], decider) for decider in deciders(sentence))


def test_no_sentence_is_left_over() -> None:
    assert set(load_sentences()) <= set(EVENTS)


def test_placeholders_are_plain_names() -> None:
    patterns = list(chain.from_iterable(leaves(sentence) for sentence in load_sentences().values()))
    patterns += [reason.says for reason in load_reasons().values()]
    for pattern in patterns:
        for _, name, spec, conversion in Formatter().parse(pattern):
            assert name is None or (name.isidentifier() and not conversion), pattern
            assert not spec or re.fullmatch(r"[a-z]+([ -][a-z]+)*", spec), (
                f"{pattern}: what is counted is a noun"
            )


def test_every_event_of_a_busy_turn_can_be_said() -> None:
    record = busy_record()
    formatter = MedievalFormatter(record.before, record.after)
    for event in record.events:
        said = formatter.format_event(event)
        assert not said or ((said[0] == said[0].upper() and said[-1] in ".!?:") or "proclaim" in said), said


def speaker() -> MedievalFormatter:
    world = make_world(
        unit("ENG/A1", "Kent", {"Heavy Infantry": 1}, name="Royal Lions"),
        unit("ENG/G1", "London"),
        realms={"ENG": {"name": "England"}, "FRA": {"name": "France"}},
    )
    return MedievalFormatter(world)


def test_codes_become_names() -> None:
    said = speaker().format_event(WarDeclared(realm="ENG", other="FRA"))
    assert said == "England declares war on France."


def test_unit_keys_become_units() -> None:
    formatter = speaker()
    assert formatter.unit("ENG/A1") == "A1 “Royal Lions” of England"
    assert formatter.unit("ENG/G1") == "the garrison of London"
    assert formatter.unit("FRA/F7") == "F7 of France"
    assert formatter.words(("ENG/G1", "FRA", "IND")) == "the garrison of London, France and the independents"


def test_figures_in_words() -> None:
    formatter = speaker()
    assert formatter.words(Decimal("3.50")) == "3.50"
    assert formatter.words(Decimal("12.00")) == "12"
    assert formatter.words(Decimal("2.1")) == "2.1"
    assert formatter.words({"Longbowmen": 4, "Heavy Cavalry": 2}) == "4 Longbowmen and 2 Heavy Cavalry"
    assert formatter.words(()) == "none"
    assert formatter.words((("FRA", 12), ("ENG", 3))) == "France 12 and England 3"


def test_variants_are_chosen_by_the_events_fields() -> None:
    sentences: dict[str, Sentence] = {
        "ProvinceAnnexed": {
            "by": "formerly",
            "none": "plain {province}",
            "FRA": "french",
            "else": "of {formerly}",
        }
    }
    formatter = MedievalFormatter(make_world(), sentences=sentences)
    events = [ProvinceAnnexed(realm="ENG", province="Kent", formerly=code) for code in ("", "FRA", "DEN")]
    assert [formatter.format_event(event) for event in events] == ["Plain Kent", "French", "Of Den"]


def test_a_players_text_is_never_a_pattern_and_never_a_code() -> None:
    formatter = speaker()
    assert HOSTILE in formatter.format_event(Proclaimed(realm="ENG", text=HOSTILE))
    formed = UnitFormed(realm="ENG", unit="ENG/A9", maker="ENG/G1", place="London", name="FRA")
    assert "France" not in formatter.format_event(formed)
    assert "FRA" in formatter.format_event(UnitRenamed(realm="ENG", unit="ENG/A1", name="FRA"))


def test_text_that_would_turn_the_line_around_is_made_visible() -> None:
    assert "\u202e" not in speaker().format_event(Proclaimed(realm="ENG", text="\u202egnal"))


@pytest.mark.clause("O2")
def test_a_refusal_names_its_clause_and_its_figures() -> None:
    clause, text = speaker().reason("needs-move-points", {"needs": 2, "has": 1})
    assert clause == "P4"
    assert "2" in text
    assert "1" in text


def test_an_event_without_a_sentence_is_a_fault() -> None:
    with pytest.raises(KeyError):
        MedievalFormatter(make_world(), sentences={}).format_event(Event())


def test_gold_received_names_the_giver() -> None:
    said = speaker().format_event(
        GoldReceived(audience="FRA", realm="ENG", other="FRA", amount=Decimal("5.50"))
    )
    assert "5.50" in said
    assert "England" in said


@pytest.mark.parametrize(
    ("needs", "said"), [(1, "needs 1 move-point, has 0"), (2, "needs 2 move-points, has 0")]
)
def test_what_is_counted_agrees_with_its_figure(needs: int, said: str) -> None:
    assert speaker().reason("needs-move-points", {"needs": needs, "has": 0}) == ("P4", said)
