"""A player at the drawing of a small game's report, who gives orders by mouse, finger and keys."""

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from gm.core.yaml.source import plain_data, read_yaml
from tests.browser.conftest import command
from tests.browser.playing import page_of

SPOT = """name => {
  const svg = document.querySelector("figure.map svg");
  const group = svg.querySelector(`[data-place="${name}"]`);
  group.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const places = JSON.parse(document.getElementById("writer-data").textContent).places;
  const spot = new DOMPoint(...places[name]).matrixTransform(svg.getScreenCTM());
  return [spot.x, spot.y];
}"""


class Board:
    """A player's page with its drawing."""

    def __init__(self, page: Any, game: Path, seat: str, turn: int | None = 0) -> None:
        self.page = page
        self.game = game
        self.seat = seat
        if turn is not None:
            page.goto(page_of(game, turn, seat).as_uri())

    def place(self, name: str) -> Any:
        return self.page.locator(f'[data-place="{name}"]')

    def spot(self, name: str) -> tuple[float, float]:
        """Where a place is seen on the screen."""
        x, y = self.page.evaluate(SPOT, name)
        return x, y

    def click(self, *names: str) -> "Board":
        for name in names:
            self.page.mouse.click(*self.spot(name))
        return self

    def tap(self, *names: str) -> "Board":
        for name in names:
            self.page.touchscreen.tap(*self.spot(name))
        return self

    def drag(self, start: str, end: str) -> "Board":
        self.page.mouse.move(*self.spot(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.spot(end), steps=4)
        self.page.mouse.up()
        return self

    def focus(self, name: str) -> "Board":
        self.place(name).focus()
        return self

    def press(self, *keys: str) -> "Board":
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def enter(self, *names: str) -> "Board":
        """Choose places by keys alone."""
        for name in names:
            self.focus(name).press("Enter")
        return self

    def choose(self, by: str, *names: str) -> "Board":
        """Choose places by mouse, touch or keyboard."""
        return {"mouse": self.click, "touch": self.tap, "keyboard": self.enter}[by](*names)

    def button(self, name: str) -> "Board":
        self.page.locator(".writer").get_by_role("button", name=name, exact=True).click()
        return self

    def field(self, label: str) -> Any:
        return self.page.locator(".writer-form").get_by_label(label).first

    def number(self, label: str, value: int) -> None:
        field = self.page.locator(".writer-form").get_by_role("spinbutton", name=label)
        field.fill(str(value))
        field.blur()

    def condition(self, label: str, index: int) -> "Board":
        if not self.page.locator(".writer-form details[open]").count():
            self.page.locator(".writer-form summary").click()
        self.field(label).select_option(index=index)
        return self

    @property
    def said(self) -> str:
        return str(self.page.locator(".writer-said").inner_text())

    @property
    def text(self) -> str:
        """What stands below the head of the order file."""
        text = str(self.page.locator(".writer pre").text_content())
        head, _, body = text.partition("key: ")
        assert head.startswith(f"game: {self.game.name}\nturn: ")
        return body.partition("\n")[2]

    def marked(self, mark: str) -> int:
        return int(self.page.locator(f".writer-mark.{mark}").count())

    def arrows(self, tone: str) -> int:
        return int(self.page.locator(f".writer-arrow.{tone}").count())

    def handed_in(self, folder: Path) -> str:
        """The downloaded file, which is taken without a word against it."""
        with self.page.expect_download() as download:
            self.button("Download the order file")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        assert path.name == f"{self.seat}.yaml"
        command("check", path, "--game", self.game)
        schema = json.loads(max(self.game.glob(f"turns/*/next/{self.seat}.schema.json")).read_bytes())
        Draft202012Validator(schema).validate(plain_data(read_yaml(path.read_bytes(), path.name)))
        return path.read_text("utf-8")
