"""The order of tests."""

from dataclasses import dataclass
from types import SimpleNamespace

from tests.longest import longest_first


@dataclass(frozen=True)
class Test:
    """A test that takes so many seconds, or no long time."""

    __test__ = False
    name: str
    seconds: float = 0.0
    folder: str = "core"

    @property
    def nodeid(self) -> str:
        return f"tests/{self.folder}/test_any.py::{self.name}"

    def get_closest_marker(self, name: str) -> object | None:
        assert name == "long"
        return SimpleNamespace(args=(self.seconds,)) if self.seconds else None


def test_each_of_two_halves_begins_with_its_longest_and_the_others_stay_in_order() -> None:
    items = [
        Test("a"),
        Test("b", 5),
        Test("c"),
        Test("d", 50),
        Test("e"),
        Test("f", 20),
        Test("g"),
        Test("h"),
    ]
    names = [test.name for test in longest_first(items)]
    assert names[:4] == ["d", "b", "a", "c"]
    assert names[4:] == ["f", "e", "g", "h"]


def test_without_long_ones_nothing_changes() -> None:
    items = [Test(name) for name in "abcde"]
    assert longest_first(items) == items
    assert longest_first([]) == []


def test_folders_of_few_tests_come_first_and_stay_together() -> None:
    items = [
        *(Test(name, folder="many") for name in "abc"),
        *(Test(name, folder="few") for name in "de"),
        *(Test(name, folder="many") for name in "fg"),
    ]
    assert [test.name for test in longest_first(items)] == list("deabcfg")
