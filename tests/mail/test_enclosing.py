"""What goes along with a mailed report: its links lead to files that came with it, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

from gm.mail.compose import Writer
from gm.mail.enclosing import enclosed_report, enclosed_rolls, files_in
from gm.mail.settings import Enclosed, load_post_settings
from tests.mail.office import NOW, Office

REPORT = b"""<p><a href="#top">Top</a> <a href="battles/01-minsk.html">Page of its own</a>
<a href="battles/02-osel.html" class="quiet">the <b>second</b></a> <a href="battles/01-minsk.html">again</a>
<a href="battles/09-gone.html">gone</a> <a href="../../players.html">no</a>
<a href="x/../../../secret.html">no</a></p>"""
PAGES = {"results/battles/01-minsk.html": b"first " * 10, "results/battles/02-osel.html": b"second"}


def links(report: bytes) -> list[str]:
    return re.findall(r'href="([^"]*)"', report.decode())


def test_the_pages_that_a_report_links_to_come_along_and_the_links_fit() -> None:
    report, pages = enclosed_report("LIT", 3, REPORT, PAGES.get, Enclosed())
    assert report.name == "LIT-turn-03.html"
    names = ["turn-03-battles-01-minsk.html", "turn-03-battles-02-osel.html"]
    assert [(page.name, page.data) for page in pages] == list(zip(names, PAGES.values(), strict=True))
    assert [link for link in links(report.data) if link.startswith("turn")] == [names[0], names[1], names[0]]
    assert b'<a href="turn-03-battles-02-osel.html" class="quiet">the <b>second</b></a>' in report.data


def test_a_link_to_what_is_not_there_becomes_plain_text() -> None:
    report, pages = enclosed_report("LIT", 3, REPORT, PAGES.get, Enclosed(pages_limit=20))
    assert [page.name for page in pages] == ["turn-03-battles-02-osel.html"]  # the first is too large
    assert b" Page of its own\n" in report.data
    assert b"\ngone " in report.data
    report, pages = enclosed_report("LIT", 3, REPORT, PAGES.get, Enclosed(pages_limit=0))
    assert pages == ()
    assert not [link for link in links(report.data) if link.startswith("battles")]


def test_only_files_of_the_turn_can_come_along(tmp_path: Path) -> None:
    for name in ("secret.html", "players.html", "turn/results/battles/01-minsk.html", "turn/state.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    find = files_in(tmp_path / "turn")
    assert find("results/battles/01-minsk.html") == b"x"
    for name in ("results/x/../../../secret.html", "results/../state.html", "state.html", "/etc/passwd"):
        assert find(name) is None
    _, pages = enclosed_report("LIT", 3, REPORT, find, Enclosed())
    assert [page.name for page in pages] == ["turn-03-battles-01-minsk.html"]


def test_the_rolls_come_along_byte_for_byte_unless_they_are_too_many() -> None:
    files = {"results/dice.jsonl": b'{"label": "\xc3\xa9"}\n' * 3}
    (rolls,) = enclosed_rolls(7, files.get, Enclosed())
    assert (rolls.name, rolls.data) == ("turn-07.dice.jsonl", files["results/dice.jsonl"])
    assert not rolls.kind.startswith("text/")
    assert enclosed_rolls(7, files.get, Enclosed(rolls_limit=10)) == ()
    assert enclosed_rolls(7, {}.get, Enclosed()) == ()


def test_a_game_can_leave_both_out(office: Office) -> None:
    path = office.folder / "mail.yaml"
    text = path.read_text()
    assert load_post_settings(office.folder).enclosed == Enclosed()
    for name in ("pages_limit", "rolls_limit"):
        assert f"  {name}: 1000000 " in text
        text = text.replace(f"{name}: 1000000", f"{name}: 0")
    path.write_text(text)
    assert load_post_settings(office.folder).enclosed == Enclosed(pages_limit=0, rolls_limit=0)


def test_the_letter_with_the_results_says_what_came_along(office: Office) -> None:
    results = office.folder / "turns/turn-00/results"
    (results / "battles").mkdir()
    (results / "battles/01-minsk.html").write_text("<p>the battle</p>")
    (results / "dice.jsonl").write_text("{}\n")
    report = results / "LIT.html"
    report.write_bytes(report.read_bytes().replace(b"</body>", b'<a href="battles/01-minsk.html">it</a></body>'))
    post = office.post
    from gm.kernel.campaign.reporting import played_turn

    letter = Writer(post, NOW).results("LIT", played_turn(post.campaign, 0), ())
    names = [each.name for each in letter.enclosures]
    assert names[0] == "LIT-turn-00.html"
    assert names[-2:] == ["turn-00-battles-01-minsk.html", "turn-00.dice.jsonl"]
    assert "The pages that the report links to are attached too" in " ".join(letter.text.split())
    assert "turn-00.dice.jsonl" in letter.text
    plain = Writer(post, NOW).results("POL", played_turn(post.campaign, 0), ())
    assert "links to" not in " ".join(plain.text.split())
