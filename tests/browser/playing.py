"""A player at the order writer, who finds things by what he reads on them.

Nothing here looks inside the scripts.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any


def page_of(game: Path, turn: int, realm: str) -> Path:
    """The page of a realm in a game folder."""
    return game / "turns" / f"turn-{turn:02}" / "results" / f"{realm}.html"


def see(page: Any, section: str) -> None:
    """Open the view with a section, as a link to it does."""
    script = """id => new Promise(done => {
        if (location.hash === "#" + id) return done();
        addEventListener("hashchange", () => done(), { once: true });
        location.hash = id;
    })"""
    page.evaluate(script, section)


def seen(page: Any) -> str:
    """What can be read on a realm's page, one view after the other."""
    views = page.locator("nav.page > ul > li:not(.map) > a")
    texts = []
    for view in views.all():
        see(page, view.get_attribute("href")[1:])
        view.and_(page.locator("[aria-current]")).wait_for()
        texts.append(page.locator("body").inner_text())
    return "\n".join(texts)


def whole(page: Any, path: Path | str) -> Any:
    """Open a page with all that it builds when it is first asked for."""
    page.goto(path if isinstance(path, str) else path.as_uri())
    page.evaluate("() => { if (typeof GmDom !== 'undefined') GmDom.buildAll?.(); }")
    return page


class Player:
    """Gives orders on a realm's page by clicking."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.list = page.get_by_role("navigation", name="Who can be given orders")
        self.editor = page.locator("#writer-editor")

    def open(self, path: Path) -> Player:
        """Open a realm's page from disk, at the view in which orders are written."""
        self.page.goto(path.as_uri())
        see(self.page, "write")
        self.page.locator("#write.at-work").wait_for(state="attached")
        return self

    def choose(self, unit: str) -> Player:
        """Click a unit, a garrison's province or Headquarters in the list.

        On a telephone go back to the list first.
        """
        back = self.editor.get_by_role("button", name="All units")
        if back.is_visible():
            back.click()
        self.list.get_by_role("button", name=re.compile(rf"^{re.escape(unit)}\b")).click()
        return self

    def order(self, title: str) -> Player:
        """Click an order, such as ``March``."""
        self.editor.get_by_role("button", name=re.compile(rf"^{re.escape(title)}\b")).click()
        return self

    def pick(self, *names: str) -> Player:
        """Click targets, one after another, also those that would fail and are folded up."""
        for name in names:
            self.form.locator(".writer-failing").evaluate_all(
                "all => all.forEach(each => { each.open = true; })"
            )
            self.form.get_by_role("button", name=re.compile(rf"^{re.escape(name)}\b")).first.click()
        return self

    def fill(self, **fields: object) -> Player:
        """Fill in fields by their labels, ``_`` for a space."""
        for label, value in fields.items():
            self.field(label.replace("_", " ")).fill(str(value))
        return self

    def count(self, **troops: int) -> Player:
        """How many of each troop type, ``_`` for a space."""
        return self.fill(**{f"How_many_{name}": count for name, count in troops.items()})

    def select(self, label: str, option: str) -> Player:
        self.field(label).select_option(label=re.sub(r"^~", "", option))
        return self

    def tick(self, *labels: str) -> Player:
        for label in labels:
            self.form.get_by_label(re.compile(rf"^\s*{re.escape(label)}")).check()
        return self

    def accept(self, button: str = "Add this order") -> Player:
        self.form.get_by_role("button", name=button).click()
        return self

    def other(self) -> Player:
        """Close the form."""
        self.form.get_by_role("button", name="Other orders").click()
        return self

    def field(self, label: str) -> Any:
        return self.form.get_by_label(label, exact=True)

    @property
    def form(self) -> Any:
        return self.page.locator("#writer-editor .writer-form")

    # -- what he reads ---------------------------------------------------------------------------------------

    def orders(self) -> list[str]:
        """The orders of the unit that is open, with their verdicts: ``March to Riga | works``."""
        lines = self.editor.locator(".writer-order").all()
        return [
            f"{line.locator('.writer-text').inner_text()} | {line.locator('.writer-fate').inner_text()[2:]}"
            for line in lines
        ]

    @property
    def verdict(self) -> str:
        """The line beside the buttons."""
        return str(self.page.locator("#writer-verdict").inner_text())

    @property
    def news(self) -> str:
        """What a screen reader says last."""
        return str(self.page.locator("#writer-news").inner_text())

    def phases(self, unit: str) -> list[str]:
        """Where a unit is at the start and after each phase."""
        row = self.page.locator(".writer-phases tbody tr", has=self.page.locator("th", has_text=unit))
        return [str(cell.inner_text()).replace("\n", " ").strip() for cell in row.locator("td").all()]

    def books(self) -> dict[str, str]:
        """The treasury, line by line."""
        rows = self.page.locator("#writer-books tbody tr").all()
        return {row.locator("th").inner_text(): row.locator("td").inner_text() for row in rows}

    # -- the file --------------------------------------------------------------------------------------------

    def press(self, button: str) -> Player:
        self.page.locator(".writer-bar").get_by_role("button", name=button).click()
        return self

    def download(self, folder: Path) -> Path:
        """Click Download orders and keep the file under the name that the browser gives it."""
        with self.page.expect_download() as download:
            self.press("Download")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path

    def open_file(self, name: str, text: str | bytes) -> Player:
        """Open an order file."""
        data = text if isinstance(text, bytes) else text.encode()
        self.page.locator("#writer-file").set_input_files(
            {"name": name, "mimeType": "text/plain", "buffer": data}
        )
        self.page.locator("#writer-news", has_text=name).wait_for()
        return self

    @property
    def text(self) -> str:
        """The file so far."""
        return str(self.page.locator("#writer-text").text_content())


def first_turn(player: Player, proclaimed: str = "God wills it. Also, Gotland.") -> None:
    """Army and fleet are formed at Prussia and cross to Gotland; Riga recruits; headquarters talks."""
    player.choose("Prussia").order("Form an army or fleet")
    player.field("Name, if you like").fill("Grey Cloaks")
    player.count(Crusader_Knights=2, Heavy_Infantry=3).tick("Dietrich of Altenburg").accept()
    player.order("Form an army or fleet").select("What", "a fleet")
    player.count(Trading_Cog=3, Medium_Galley=1).accept()
    player.choose("A1").order("Choose the leader").pick("Dietrich of Altenburg")
    player.choose("F1").order("Load armies").tick("A1").accept()
    player.order("Sail").pick("Bay of Danzig", "Baltic").other()
    player.order("Unload armies").select("A1 “Grey Cloaks” goes ashore in", "Gotland (independent)").accept()
    player.choose("Riga").order("Recruit").count(Crusader_Knights=1, Light_Spearmen=1).accept("Recruit these")
    player.choose("Headquarters").order("Offer alliance").pick("Lithuania").other()
    player.order("Proclamation")
    player.field("What all realms will hear").fill(proclaimed)
    player.accept()
