"""One battle, one count: whoever tells how many fought and were lost tells the same (issue 36, item 34)."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain

import pytest

from gm.core.values import Event
from gm.core.yaml.source import plain_data, read_yaml
from gm.game.base.herald import Article
from gm.games.medieval.events import CommandersChanged, TroopsChanged
from gm.games.medieval.events.battle import BattleFought
from gm.games.medieval.report.battle_counts import Count, counts_of_turn, together
from gm.games.medieval.report.battle_entries import BattleEntry
from gm.games.medieval.report.battle_pages import BattlePages
from gm.games.medieval.report.battle_why import Explainer
from gm.games.medieval.report.changed import changes
from gm.games.medieval.report.files import summary_lines, turn_story
from gm.games.medieval.report.herald import TurnNews, herald
from gm.games.medieval.report.turn_result import MedievalResult, TurnView, plain_line, turn_view
from gm.games.medieval.steps.conquest import sea_battles_fought
from gm.text.pages import gold as shown_gold
from tests.medieval.battleground import battles, ground_rules
from tests.medieval.reading import in_digits
from tests.medieval.reportland import busy_files, busy_record
from tests.medieval.test_battle_stories import NUMBERS as BATTLES
from tests.medieval.testland import Played, atlas, make_world, rules, unit
from tests.medieval.turnground import kept_turn, played
from tests.medieval.warfare import fought, sure_rules

TURNS = (5, 6, 8, 9, 13, 16, 19)
"""Turns that show mutinies, fleets lost with their cargo, landings, sieges and battles of several realms."""
DRAWN = {"border": (1, 2, 3), "sea": (1, 9, 17, 20)}
"""Battles at borders, and at sea with guests and cargo."""
IN_BATTLE = ("killed", "captured", "lost")
NOUN = "(?:ships and troops?|ships?|troops?)"
WHOLE = rf"all (?P<all>\d+) {NOUN}|(?P<both>both) {NOUN}|(?:its|their) only {NOUN}"
PART = rf"(?:{WHOLE}|(?P<lost>\d+) of (?P<had>\d+) {NOUN})"


@cache
def turn(number: int) -> MedievalResult:
    return result_of(played(*kept_turn(number)))


def result_of(turn_played: Played, by: object = None) -> MedievalResult:
    return MedievalResult(
        game="counted",
        before=turn_played.before,
        after=turn_played.world,
        events=turn_played.events,
        rules=by or rules(),  # type: ignore[arg-type]
        atlas=atlas(),
        readings={},
    )


def every_turn() -> Iterator[MedievalResult]:
    yield busy_record()
    yield from map(turn, TURNS)
    for kind, numbers in DRAWN.items():
        yield from (result_of(battles(kind, number), ground_rules()) for number in numbers)


def every_battle() -> Iterator[tuple[TurnView, BattleEntry]]:
    for record in every_turn():
        view = turn_view(record, "en")
        yield from ((view, entry) for entry in view.battles)


def all_of(entry: BattleEntry) -> Count:
    return together([*entry.counts.values()])


def test_the_turns_show_every_kind_of_battle() -> None:
    """The comparisons of item 34 are of all kinds of battles."""
    reports = [entry.report for _, entry in every_battle()]
    assert {report.kind for report in reports} == {"land", "sea", "border"}
    assert any(report.mutiny for report in reports)
    assert any(report.siege for report in reports)
    assert any(
        modifier.kind == "amphibious"
        for report in reports
        for unit in report.units
        for modifier in unit.modifiers
    )
    assert sum(all_of(entry).aboard > 0 for _, entry in every_battle()) >= 5


@pytest.mark.clause("B11", "B12", "M6.1")
def test_the_books_have_the_losses_that_battles_tell() -> None:
    """Item 34: who fell and who was lost aboard are those whom troops and commanders are written off for, in
    seventy battles at sea, at borders and on land, and in whole turns.
    """
    drawn = [battles(kind, number) for kind in BATTLES for number in range(1, BATTLES[kind] + 1)]
    counts_told = [counts_of_turn(turn.events) for turn in drawn]
    for one, counts in zip(drawn, counts_told, strict=True):
        counted = Counter[str]()
        for realms in counts:
            counted.update({code: count.fell + count.aboard for code, count in realms.items()})
        # guests of an enemy who find nobody to fight for them are lost before the first battle
        begun = min(battles_in(one.events), default=0)
        assert +counted == written_off(one, begun), one.events
    for record in every_turn():
        told = zip(battles_in(record.public), counts_of_turn(record.public), strict=True)
        for index, counts in told:
            assert {
                code: count.fell + count.aboard for code, count in counts.items() if count.fell + count.aboard
            } == {code: lost for code, lost in written_off_after(record, index).items() if lost}


def battles_in(events: Sequence[Event]) -> list[int]:
    return [index for index, event in enumerate(events) if isinstance(event, BattleFought)]


def written_off(turn_played: Played, begun: int) -> Counter[str]:
    lost = Counter[str]()
    for event in turn_played.events[begun:]:
        if (
            isinstance(event, (TroopsChanged, CommandersChanged))
            and event.cause in IN_BATTLE
            and event.count < 0
        ):
            lost[event.realm] -= event.count
    return lost


def written_off_after(result: MedievalResult, index: int) -> Counter[str]:
    battle = result.public[index]
    lost = Counter[str]()
    for event in result.public[index + 1 :]:
        if isinstance(event, BattleFought) or (event.phase, event.step) != (battle.phase, battle.step):
            break
        if (
            isinstance(event, (TroopsChanged, CommandersChanged))
            and event.cause in IN_BATTLE
            and event.count < 0
        ):
            lost[event.realm] -= event.count
    return lost


@pytest.mark.clause("B14")
def test_nobody_loses_more_than_fought() -> None:
    """Item 34: also who is called up from below deck has fought.

    Two battles of a phase in one sea are two.
    """
    for kind in BATTLES:
        for number in range(1, BATTLES[kind] + 1):
            for realms in counts_of_turn(battles(kind, number).events):
                assert all(
                    0 <= count.fell <= count.engaged and count.aboard >= 0 for count in realms.values()
                )


@pytest.mark.clause("B13", "B14")
def test_who_is_called_up_from_below_deck_has_fought() -> None:
    """Item 34: of more who fell than stood on deck at first, nobody is left out in text or table."""
    world = make_world(
        unit("ENG/F1", "Channel", {"Great Hulk": [3, 0, 0, 0, 0], "Ship": [0, 0, 0, 0, 1]}),
        unit("ENG/A1", "Channel", {"Target": [8, 0, 0, 0, 0]}, aboard="ENG/F1"),
        unit("FRA/F1", "Channel", {"Great Hulk": [3, 0, 0, 0, 0], "Ship": [0, 0, 0, 0, 9]}),
        war=[("ENG", "FRA")],
    )
    record = result_of(fought(world, sea_battles_fought), sure_rules())
    view = turn_view(record, "en")
    (entry,) = view.battles
    on_deck = sum(unit.heads for unit in entry.report.units if unit.realm == "ENG")
    count = entry.counts["ENG"]
    assert on_deck < count.fell <= count.engaged
    check_price(view, entry)
    side = next(explained for explained in Explainer(str, str).why(entry.report) if explained.realm == "ENG")
    assert (side.army.heads, side.lost) == (count.engaged, count.fell)
    news = next(story for story in TurnNews(view).news() if "fallen" in story.figures)
    assert news.figures["fallen"] == all_of(entry).fell


def test_two_battles_in_one_sea_are_told_apart() -> None:
    """Item 34: a sea that sees two battles in a phase has the price of each."""
    view = turn_view(result_of(battles("sea", 17), ground_rules()), "en")
    assert len(view.battles) == 2
    for entry in view.battles:
        check_price(view, entry)


@pytest.mark.clause("B14")
def test_the_story_tells_the_count() -> None:
    """Item 34: the price in the summary, in letters and on pages is the count of the battle."""
    for view, entry in every_battle():
        check_price(view, entry)
        said = " ".join(view.teller.brief(entry.report))
        assert any(said in line for line in summary_lines(view.result, "en"))
        assert any(said in fight.text for fight in turn_story(view.result, "", "en").fights)


def check_price(view: TurnView, entry: BattleEntry) -> None:
    """Check the numbers of fallen, engaged and aboard in a battle's price against those counted."""
    price = in_digits(view.teller.brief(entry.report)[0])
    spared = [code for code, count in entry.counts.items() if not count.fell and not count.aboard]
    (whole,) = re.findall(r"(?:^|; )([^;]*) lost no one\.$", price) or [""]
    named = [part for part in re.split(r", | and ", whole) if part]
    assert len(named) == len(spared), price
    assert all(view.formatter.realm(code).lower() in whole.lower() for code in spared), price
    for code, count in entry.counts.items():
        if code in spared:
            continue
        name = re.escape(view.formatter.realm(code))
        said = re.search(rf"{name}(?: lost)? (?P<part>(?P<alone>\d+) of those aboard|{PART})", price, re.I)
        assert said, (code, count, price)
        more = re.match(r" \(and (\d+) more of those aboard\)", price[said.end() :])
        aboard = said["alone"] or (more[1] if more else 0)
        assert int(aboard) == count.aboard, price
        if said["had"]:
            assert (int(said["lost"]), int(said["had"])) == (count.fell, count.engaged), price
        elif said["alone"]:
            assert not count.fell
        else:
            had = int(said["all"] or (2 if said["both"] else 1))
            assert (had, had) == (count.fell, count.engaged), price


_SIDE = r'<tr><th scope="row">([^<]*?) ?(?:<span[^>]*>won</span>)?<td>(\d+)<td>(.*?)<td>'


@pytest.mark.clause("B14")
def test_the_table_and_its_reasons_tell_the_count() -> None:
    """Item 34: the table of the sides, the reasons below it and the sides of a battle of others are the
    count.
    """
    for view, entry in every_battle():
        page = BattlePages(view, lambda number: None).html(entry)
        table = page.partition("The sides</caption>")[2].partition("</table>")[0]
        rows = re.findall(_SIDE, table)
        rows_told = {name: (engaged, re.findall(r"\d+", lost)) for name, engaged, lost in rows}
        for side in Explainer(view.formatter.realm, view.formatter.unit).why(entry.report):
            count = entry.counts[side.realm]
            lost = [str(count.fell), *([str(count.aboard)] if count.aboard else [])]
            assert rows_told[side.name] == (str(count.engaged), lost)
            assert side.strength == count.engaged_in_words(str)


@pytest.mark.clause("B14", "W8")
def test_the_herald_tells_the_count() -> None:
    """Item 34: headlines, articles and obituaries have the count of all sides together."""
    for record in every_turn():
        view = turn_view(record, "en")
        news = [story for story in TurnNews(view).news() if story.kind in ("battle", "fleet", "mutiny")]
        assert len(news) == len(view.battles)
        for story, entry in zip(news, view.battles, strict=True):
            count = all_of(entry)
            figures = (story.figures["heads"], story.figures["fallen"], story.figures["aboard"])
            assert figures == (count.engaged, count.fell, count.aboard)
        for article in herald(view).articles:
            fought_battle = next((battle for battle in view.battles if battle.anchor == article.anchor), None)
            numbers = {int(number) for number in re.findall(r"\d+", in_digits(words_of(article)))}
            if fought_battle and article.kind in ("fleet", "mutiny"):
                count = all_of(fought_battle)
                assert {count.engaged, count.fell} <= numbers
                assert not count.aboard or count.aboard in numbers


def words_of(article: Article) -> str:
    return " ".join("".join(piece.text for piece in sentence) for sentence in article.text)


@pytest.mark.clause("B14", "W8")
def test_what_changed_for_a_realm_tells_the_count() -> None:
    """Item 34: the lines at the top of a realm's page."""
    for record in every_turn():
        view = turn_view(record, "en")
        for realm in record.players if record.turn else ():
            lines = [change for change in changes(view, realm) if change.title.startswith("Battles")]
            pieces = chain.from_iterable(line.pieces for line in lines)
            notes = Counter(piece.note for piece in pieces)
            expected = Counter(
                note_of(battle.counts, realm) for battle in view.battles if realm in battle.realms
            )
            assert notes <= expected
            assert all(note in "".join(map(plain_line, lines)) for note in notes)
            assert notes == expected or len(changes(view, realm)) == 10


def note_of(counts: Mapping[str, Count], realm: str) -> str:
    own = counts[realm]
    others = together([count for code, count in counts.items() if code != realm])
    note = f"{own.fell} of yours fell, {others.fell} of theirs"
    aboard = f"; aboard, {own.aboard} of yours and {others.aboard} of theirs"
    return note + aboard if own.aboard or others.aboard else note


@pytest.mark.clause("B14", "W8", "L11")
def test_gold_and_lands_are_the_same_in_every_file() -> None:
    """Item 34, the kind: treasuries and provinces in results, summary, lines of change and the Herald's
    table.
    """
    record = busy_record()
    files = busy_files()
    view = turn_view(record, "en")
    summary = files["summary.txt"]
    for realm in record.players:
        results = plain_data(read_yaml(files[f"results/{realm}.yaml"].encode(), realm, size_limit=10**8))
        gold = results["private"]["treasury"]
        assert results["private"]["forecast"]["treasury"] == gold == str(record.after.realms[realm].treasury)
        row = next(line for line in summary.splitlines() if line.startswith(f"{realm} "))
        assert shown_gold(record.after.realms[realm].treasury) in row.split()
        lands = [
            province for province in results["position"]["provinces"].values() if province["owner"] == realm
        ]
        assert TurnNews._lands(record.after).get(realm, 0) == len(lands)
    lines = summary.partition("Provinces that changed hands:")[2].splitlines()
    assert len([line for line in lines if line.startswith("  - ")]) == len(view.owners_changed) > 0


def test_a_battles_file_for_programs_has_what_the_count_is_made_of() -> None:
    """Item 34: whoever counts the losses in a battle's file comes to the same figures."""
    files = busy_files()
    for entry in turn_view(busy_record(), "en").battles:
        text = files[f"results/{entry.data}"]
        data = plain_data(read_yaml(text.encode(), entry.data))
        losses = chain.from_iterable(end["losses"] for end in data["ends"])
        fell = sum(loss["count"] for loss in losses)
        fell += sum(len(end["fallen_commanders"]) for end in data["ends"])
        assert fell == all_of(entry).fell
