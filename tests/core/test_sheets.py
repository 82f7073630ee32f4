"""What the order sheets of all games share, without any game.

It includes their keys (14.A1), which nobody finds by trying, which forgive how they are written and reveal a
slip in typing.
"""

import math
import string
from collections.abc import Iterator
from collections.abc import Mapping as Table
from functools import partial
from itertools import chain, product
from typing import Any

import pytest

from gm.core.orders import keys
from gm.core.orders.header import Addressed, OrderFile, parse, read_header
from gm.core.orders.keys import WORDS, key_slip, key_words, make_key, same_key, short_key
from gm.core.orders.reading import NameIndex, OrderFileReader
from gm.core.yaml.source import Mapping, Node, SourceError, read_yaml
from tests.core.cases import cases

REALMS = NameIndex("realm", ["ENG", "FRA"], {"England": "ENG"})


def node(text: str) -> Node:
    """The value of ``a: ...``."""
    root = read_yaml(f"a: {text}\n".encode(), "x.yaml")
    assert isinstance(root, Mapping)
    child = root.get("a")
    assert child is not None
    return child


def test_names_are_found_by_any_spelling() -> None:
    names = NameIndex("place", ["Zürich", "Kent"], {"Old Kent": "Kent"})
    spellings = {"Kent": "Kent", "KENT": "Kent", "zurich": "Zürich", "old  kent": "Kent", "x": None}
    assert {text: names.find(text) for text in spellings} == spellings
    assert names.nearest("Zurick") == "Zürich"


def test_who_wrote_no_name_at_all_is_told_the_names_unless_they_are_many() -> None:
    assert REALMS.suggestion("Englnad") == "did you mean 'England'?"
    assert REALMS.suggestion("Muscovy") == "there are: ENG, FRA"
    assert NameIndex("place", [f"Place {number}" for number in range(40)]).suggestion("Muscovy") == ""
    assert NameIndex("place", []).suggestion("Muscovy") == ""


def test_of_two_names_that_fold_alike_the_first_is_meant() -> None:
    assert NameIndex("place", ["Kent", "KENT"]).find("kent") == "Kent"
    assert NameIndex("place", ["Kent", "KENT"]).find("KENT") == "KENT"


@cases("values")
def test_a_value_is_read_or_its_error_is_reported(
    method: str, arguments: list[Any], text: str, value: Any
) -> None:
    reader = OrderFileReader()
    values = (REALMS if argument == "realms" else argument for argument in arguments)
    value_read = getattr(reader, method)(node(text), *values)
    assert (
        len(value_read)
        if method == "listed"
        else str(value_read)
        if method == "gold" and value_read
        else value_read
    ) == value
    assert any(diagnostic.is_error for diagnostic in reader.diagnostics) is (value is None)


@pytest.mark.parametrize("text", ["-" + "9" * 500, "9" * 5000])
def test_endless_digits_are_out_of_range(text: str) -> None:
    reader = OrderFileReader()
    assert (reader.whole(node(text), "it"), reader.gold(node(text), "it")) == (None, None)
    assert [diagnostic.code for diagnostic in reader.diagnostics] == ["sheet/out-of-range"] * 2


def test_too_many_orders_make_a_sheet_useless() -> None:
    reader = OrderFileReader(order_limit=2)
    at = node("x")
    reader.count_order(at)
    reader.count_order(at)
    with pytest.raises(SourceError, match="more than 2 orders"):
        reader.count_order(at)


def test_words_of_a_section_fold_case_hyphens_and_spaces() -> None:
    reader = OrderFileReader()
    section = node("{declare_war: 1, Offer-Peace: 2, 'send gold': 3, sendgold: 4, recruit: 5}")
    assert isinstance(section, Mapping)
    words = {word: word for word in ("declare_war", "offer_peace", "send_gold")}
    unknown = partial(reader.unknown_word, "here", words, {"recruit": ("write it there", "O4")})
    assert [word for _, word, _ in reader.words(section, words, unknown)] == list(words)
    assert [(diagnostic.code, diagnostic.suggestion) for diagnostic in reader.diagnostics] == [
        ("sheet/unknown-word", "did you mean 'send_gold'?"),
        ("sheet/wrong-section", "write it there"),
    ]


def header(text: str, **to: Any) -> tuple[OrderFile | None, list[str]]:
    reader = OrderFileReader()
    root, file = parse(text.encode(), "x")
    assert root is not None
    read = read_header(reader, root, file, version=3, realms=REALMS, to=Addressed("test", **to))
    return read, [diagnostic.code for diagnostic in reader.diagnostics]


def test_a_header_says_whose_orders_for_which_turn_these_are() -> None:
    read, wrong = header(
        "orders: 2\ngame: TEST\nrealm: england\nturn: 7\nkey: 123\n", realm="ENG", turn=7, key="123"
    )
    assert wrong == []
    assert read is not None
    assert (read.realm, read.turn, read.key) == ("ENG", 7, "123")
    assert read.entries == {"orders": "2", "game": "TEST", "realm": "england", "turn": "7", "key": "123"}


READ = OrderFile({"orders": 1}, realm="ENG", key="brave-otter-71")


@pytest.mark.parametrize(
    ("file", "realm", "key", "says"),
    [
        (READ, "", None, True),
        (READ, "ENG", None, True),
        (READ, "ENG", "brave-otter-71", True),
        (READ, "", "Brave Otter 71", True),
        (READ, "FRA", None, False),
        (READ, "ENG", "brave-otter-72", False),
        (READ, "ENG", "", False),
        (READ.set_aside(), "", None, True),
        (READ.set_aside(), "ENG", None, False),
        (READ.set_aside(), "", "brave-otter-71", False),
    ],
)
def test_a_file_says_a_realm_and_a_key_if_it_can_be_read(
    file: OrderFile, realm: str, key: str | None, *, says: bool
) -> None:
    """Where nothing is asked, whatever it says will do; a file that is set aside proves nothing (O7)."""
    assert file.says(realm, key) is says


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("Game: minsk # ours\nturn: 3\npress: [a]\nkey: ~\n", {"game": "minsk", "turn": "3"}),
        ("- a\n", {}),
        ("game: minsk\ngame: other\n", {"game": "minsk"}),
        ("\ufeffgame: Übung 2.\n'Turn': \"3\"\nx: [\nturn: 4\n", {"game": "Übung 2", "turn": "3"}),
        ("", {}),
    ],
)
def test_what_a_file_says_of_itself_is_known_also_where_it_is_no_yaml(
    text: str, entries: Table[str, str]
) -> None:
    _, file = parse(text.encode(), "x")
    assert file.sheet is None
    assert file.data == text.encode()
    assert {name: file.entries.get(name) for name in entries} == entries
    assert set(file.entries) <= {*entries, "x"}


def test_everything_wrong_with_a_header_is_told_at_once() -> None:
    read, wrong = header("orders: 3\ngame: other\nrealm: XXX\n", key="123")
    assert read is None
    assert wrong == [
        "sheet/wrong-game",
        "sheet/unknown-realm",
        "sheet/header-missing",
        "sheet/header-missing",
    ]


def test_a_newer_format_is_all_that_is_told() -> None:
    assert header("orders: 4\ngame: other\n") == (None, ["sheet/newer-format"])


KEY = make_key("secret", "ENG", 1)
MANY = [make_key("secret", realm, turn) for realm, turn in product(("ENG", "FRA"), range(1, 16))]


def slips(key: str) -> Iterator[str]:
    """The key with one character wrong, left out, doubled, or exchanged with its neighbour."""
    for at, char in enumerate(key):
        if char == "-":
            continue
        for other in string.digits if char.isdigit() else string.ascii_lowercase:
            if other != char:
                yield key[:at] + other + key[at + 1 :]
        yield key[:at] + key[at + 1 :]
        yield key[:at] + char + key[at:]
        if key[at + 1 : at + 2] not in ("", "-", char):
            yield key[:at] + key[at + 1] + char + key[at + 2 :]


def test_a_key_has_sixty_bits_and_more() -> None:
    assert len(set(key_words())) == len(key_words())
    assert WORDS * math.log2(len(key_words())) >= 60
    assert all(word.isascii() and word.islower() and 3 <= len(word) <= 7 for word in key_words())


def test_the_same_secret_makes_the_same_keys_in_every_version() -> None:
    """Whoever changes the list of words makes keys void that players have."""
    assert KEY == "volcano-monarch-hunter-kiosk-butter-adder-81"
    assert short_key("secret", "ENG", 1) == "worthy-otter-80"
    assert len({*MANY, make_key("other", "ENG", 1)}) == len(MANY) + 1


@cases("spellings")
def test_how_a_key_is_written_does_not_count(written: str) -> None:
    assert same_key(written, KEY)


@pytest.mark.parametrize(
    "typed", ["", "-", "---", KEY[:-1], KEY[:-3], f"{KEY}1", KEY.replace("monarch", "monark")]
)
def test_another_key_is_another_key(typed: str) -> None:
    assert not same_key(typed, KEY)
    assert not same_key(typed, "")


def test_a_key_of_signs_alone_is_compared_as_it_is() -> None:
    assert same_key("?!", "?!")
    assert not same_key("!!", "?!")
    assert not same_key("", "?!")


@pytest.mark.slow
def test_every_slip_of_one_letter_or_digit_is_told_from_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    # the search for the word that was meant takes long
    monkeypatch.setattr(keys, "nearest", lambda word, words: None)
    assert not any(key_slip(key) for key in MANY)
    assert all(map(key_slip, chain.from_iterable(slips(key) for key in MANY)))


@cases("slips")
def test_what_is_wrong_with_a_key_is_said_from_the_key_alone(given: str, said: str) -> None:
    assert key_slip(given) == said
    assert key_slip("x" * 5000) == ""
