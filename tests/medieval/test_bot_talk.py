"""What bots make of letters and offers: what they understand, answer and order (data/talk.yaml), and what
nobody can make them do.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.bots.program import document_of
from gm.core.orders.header import OrderFile
from gm.core.orders.reading import NameIndex
from gm.game.bots import ask, bot_view
from gm.game.talk import Dealing, Talk, TalkLetter
from gm.games.medieval.bots.proposals import Proposal, Understood, understood
from gm.games.medieval.data.clauses_data import bot_profiles, talk_file
from gm.games.medieval.orders import model
from gm.games.medieval.orders.model import Orders
from gm.games.medieval.spec import SPEC
from gm.games.medieval.state import World
from tests.examples import examples
from tests.medieval.botland import TEMPERS, table
from tests.medieval.testland import REALMS, atlas, data_of, make_world, unit

CASES = data_of("talk")
TURN = 5  # the turn that was played last, where a case does not say it
WORLD = ("war", "allied", "owners")
HEADS = ("accept", "refuse", "propose", "peace", "alliance", "alliance-against", "passage", "land")
SAID = {
    model.DeclareWar: "declare_war {0.other}",
    model.OfferPeace: "offer_peace {0.other}",
    model.OfferAlliance: "offer_alliance {0.other}",
    model.GrantPassage: "grant_passage {0.other}",
    model.RevokePassage: "revoke_passage {0.other}",
    model.CancelAlliance: "cancel_alliance {0.other}",
    model.GiveProvince: "give_province {0.province} {0.other}",
}


def read(text: str) -> Understood:
    realms = NameIndex("realm", REALMS, {"Denmark": "DEN", "France": "FRA"})
    return understood(text, realms, NameIndex("province", atlas().provinces))


def proposal(what: str, name: str = "", gold: str = "") -> Proposal:
    return Proposal(what, place=name, gold=Decimal(gold)) if gold else Proposal(what, other=name)


@pytest.mark.parametrize("text", CASES["understood"], ids=lambda text: text.split("\n")[0][:40] or "nothing")
def test_what_is_understood_of_a_letter(text: str) -> None:
    expected = CASES["understood"][text]
    reading = read(text)
    if isinstance(expected, str):
        assert (reading.proposals, reading.near) == ((), expected)
    else:
        assert reading.proposals == tuple(proposal(*fields) for fields in expected)


def position(fields: dict[str, Any]) -> World:
    """England weak, France strong, the others between them."""
    hosts = {"ENG": ("Kent", 8), "FRA": ("Reims", 20), "AQU": ("Bordeaux", 8), "DEN": ("Schleswig", 8)}
    units = [unit(f"{code}/A1", place, {"Men-at-Arms": count}) for code, (place, count) in hosts.items()]
    realms = {code: {"treasury": Decimal(10000), **fields.get("realms", {}).get(code, {})} for code in REALMS}
    return make_world(
        *units,
        turn=fields.get("turn", TURN),
        realms=realms,
        **{name: fields[name] for name in WORLD if name in fields},
    )


def talk_of(fields: dict[str, Any], turn: int, language: str = "") -> Talk:
    dealings = [Dealing(at, what, *names[:3]) for at, what, *names in fields.get("dealings", ())]
    sums = [Decimal(entry[5]) if len(entry) > 5 else Decimal(0) for entry in fields.get("dealings", ())]
    letters = [TalkLetter(turn, code, ("FRA",), text) for code, text in fields.get("letters", {}).items()]
    letters += [TalkLetter(turn - 1, code, ("FRA",), text) for code, text in fields.get("old", {}).items()]
    readers = dict.fromkeys(("ENG", "DEN"), language)
    return Talk(
        tuple(dealing.evolve(amount=amount) for dealing, amount in zip(dealings, sums, strict=True)),
        tuple(letters),
        readers,
    )


def file_of(world: World, bot: str, talk: Talk) -> OrderFile:
    """The order file of France's bot; it is read without any finding."""
    game = {"game": "test", "key": "a-key", "seed": "seed"}
    answer = ask(SPEC, SPEC.bots[bot], bot_view(SPEC, table(), world, "FRA", **game, talk=talk))
    assert answer.reading is not None, answer.trouble
    assert [diagnostic.render() for diagnostic in answer.reading.diagnostics] == [], answer.data.decode()
    return answer.reading


def ordered(world: World, bot: str, talk: Talk) -> Orders:
    """The orders of France's bot."""
    orders_of_file: Orders = file_of(world, bot, talk).sheet
    return orders_of_file


def reasons(text: str, language: str = "en") -> Iterator[str]:
    """The names of the sentences at the ends of a letter's lines."""
    for line in text.split("\n"):
        lengths = {}
        for name, pattern in talk_file().says[language].items():
            sentence = re.sub(r"\\\{\w+\\\}", ".+?", re.escape(pattern))
            if (match := re.search(rf"(?:^|[.?] ){sentence}$", line)) and name not in HEADS:
                lengths[name] = len(match[0])
        yield "near" if line.startswith("Do you mean") else max(lengths, key=lambda name: lengths[name])


def done(sheet: Orders) -> list[str]:
    """The orders between realms, in words."""
    return sorted(SAID[type(order)].format(order) for order in sheet.headquarters if type(order) in SAID)


ANSWERED = [
    pytest.param(
        case, id=case["name"], marks=[pytest.mark.clause(*case["clauses"])] if "clauses" in case else []
    )
    for case in CASES["answered"]
]


@pytest.mark.parametrize("fields", ANSWERED)
def test_what_a_bot_answers(fields: dict[str, Any]) -> None:
    world = position(fields)
    file = file_of(world, fields["bot"], talk_of(fields, world.turn))
    quiet = ordered(world, fields["bot"], Talk(talk_of(fields, world.turn).dealings[:0]))
    letters = {note.to[0]: list(reasons(note.text)) for note in file.press}
    own = {code: [kind for kind in said if kind != "offered-now"] for code, said in letters.items()}
    assert {code: said for code, said in own.items() if said} == fields["says"]
    expected = set(fields.get("orders", ()))
    assert expected <= {*done(file.sheet)} <= {*done(quiet), *expected}


def test_what_it_sends_back_is_less_the_fee() -> None:
    fields = next(case for case in CASES["answered"] if "second payer" in case["name"])
    sheet = ordered(position(fields), "builder", talk_of(fields, TURN))
    sent = {order.other: order.amount for order in sheet.headquarters if isinstance(order, model.SendGold)}
    assert sent == {"ENG": Decimal("63.63")}


def test_a_bot_is_told_nothing_of_what_others_offer_send_and_write_to_each_other() -> None:
    secret = Dealing(5, "gold", "ENG", "DEN", amount=Decimal(9), private=True)
    talk = Talk(
        (secret, Dealing(5, "war", "ENG", "DEN")), (TalkLetter(5, "ENG", ("DEN",), "peace?"),), {"ENG": ""}
    )
    game = {"game": "test", "key": "a-key", "seed": "seed", "talk": talk}
    talks = {
        code: document_of(SPEC, bot_view(SPEC, table(), position({}), code, **game))["talk"]
        for code in REALMS
    }
    assert [len(talks["FRA"][name]) for name in ("dealings", "letters", "readers")] == [1, 0, 1]
    for code in ("ENG", "DEN"):
        assert [len(talks[code][name]) for name in ("dealings", "letters")] == [2, 1]


def test_it_answers_in_its_readers_language() -> None:
    fields = CASES["answered"][0]
    file = file_of(position(fields), "conqueror", talk_of(fields, TURN, "de"))
    assert [letter.text.split(".")[0] for letter in file.press] == ["abgelehnt: Frieden"]
    english, german = (talk_file().says[language] for language in ("en", "de"))
    marks = {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in english.items()}
    assert marks == {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in german.items()}


def test_what_is_held_against_somebody_is_within_what_is_recalled() -> None:
    assert SPEC.recall is not None
    for profile in bot_profiles().values():
        assert profile.grudge + profile.truce <= SPEC.recall.turns


TEXTS = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from([*CASES["understood"], "<b>x</b>", "\x1b[31m"]), max_size=9).map("\n".join),
)


@examples(200, 12)
@given(
    texts=st.dictionaries(st.sampled_from(sorted({*REALMS} - {"FRA"})), TEXTS, max_size=4),
    bot=st.sampled_from(TEMPERS),
)
def test_whatever_is_written_no_land_goes_unpaid_and_nothing_is_repeated(
    texts: dict[str, str], bot: str
) -> None:
    fields = {"letters": texts, "war": [("ENG", "FRA"), ("FRA", "AQU"), ("ENG", "AQU")]}
    file = file_of(position(fields), bot, talk_of(fields, TURN))
    assert not [
        order for order in file.sheet.headquarters if isinstance(order, model.GiveProvince | model.SendGold)
    ]
    for note in file.press:
        assert not {"<", "\x1b"} & set(note.text)
        assert all(reasons(note.text))
