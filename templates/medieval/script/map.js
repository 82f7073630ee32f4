"use strict";

/**
 * The map: puts its parts together and is what the rest of the page sees of it.
 *
 *   GmMap.pick(names, callback)   asks for one of these places; callback(name), or callback(null) after Escape or Cancel
 *   GmMap.plan(moves)             draws planned moves: [{unit, from, to, phase}]
 *   GmMap.phase(number)           leaves the planned moves of one phase; null: all of them
 */
const GmMap = (() => {
  /** A place looked for is shown with names at least so large, in pixels. */
  const READABLE = 14;
  /** The own lands are shown no nearer than with the map's names so large: neighbours matter too. */
  const CLOSEST = 24;
  /** So much of the map's height should be in sight above a sheet with a report. */
  const LEAST_HEIGHT = 180;

  const section = document.getElementById("map");
  const box = section.querySelector(".map-view");
  const { BUTTON_STEP } = GmMapView;
  const svg = box.querySelector("svg");
  const unit = Number(svg.dataset.unit);
  const status = section.querySelector(".map-status");
  const say = (text) => { status.textContent = text; };
  document.documentElement.classList.add("map-scripted");
  joinLands();
  GmStart.done();

  const places = new Map();
  const slugs = new Map();
  const shapePlaces = new Map();
  readPlaces();
  const past = new GmMapPast(section, places);

  const view = new GmMapView.View(box, svg, unit);
  const labels = new GmMapLabels.Labels([...places.values()], `u-${section.dataset.realm}`, unit, svg.querySelector(".names"));
  const marks = new GmMapMarks.Marks(svg, places, unit);
  const reports = new GmMapReport.Reports(section.dataset.realm, places);
  const panel = new GmMapReport.Panel(section.querySelector(".map-panel"), reports, (slug) => slugs.get(slug), say, shown);
  const pick = new GmMapPick.Pick(section.querySelector(".map-pick"), places, (names, css = "target") => marks.highlight(names, css));
  const atlas = section.querySelector(".map-atlas");
  const switches = document.querySelectorAll(".map-switches input[id], .print-choice input");
  let planned = false;
  showSwitched();

  view.onZoom((scale) => {
    marks.show(scale);
    labels.show(scale);
  });
  const search = section.querySelector(".map-search");
  new GmMapSearch.Search(search.querySelector("input"), search.querySelector("datalist"), [...places.values()], open, say);
  home();
  listen();
  panel.follow();

  /** What is drawn of all lands at once is a path for each realm, not one for each land many times over. */
  function joinLands() {
    const joined = GmMapMarks.draw(svg.querySelector("defs"), "g", { id: "m-joined" });
    for (const realm of svg.querySelectorAll(".lands > g")) {
      const id = `m-${realm.classList[0]}`;
      const d = [...realm.querySelectorAll("g > use")].map((use) => svg.querySelector(use.getAttribute("href")).getAttribute("d")).join("");
      GmMapMarks.draw(joined, "path", { id, d });
      realm.querySelector(".rim")?.setAttribute("href", `#${id}`);
      GmMapMarks.draw(GmMapMarks.draw(joined.parentNode, "clipPath", { id: `m-clip${id.slice(4)}` }), "use", { href: `#${id}` });
    }
    for (const use of svg.querySelectorAll("[href='#m-land']")) use.setAttribute("href", "#m-joined");
  }

  /** Every place: its link on the map (`anchor`), its outline's name, its label's point, its row in the table, its owner's class (`side`). */
  function readPlaces() {
    const owners = new Map([...section.querySelectorAll(".map-legend .chip")].map((chip) => [chip.classList[1], chip.parentElement.textContent.replace(/ \(\d+\)$/, "")]));
    const levels = svg.dataset.levels.split(" ");
    for (const [index, anchor] of svg.querySelectorAll(".places .at").entries()) {
      const slug = anchor.getAttribute("href").slice(GmMapReport.PREFIX.length);
      const name = [...anchor.querySelectorAll("text.n, .n text")].map(({ textContent: line }) => line).join(" ");
      const { e: x, f: y } = anchor.transform.baseVal.consolidate().matrix;
      const outline = `#m${index}`;
      const shape = svg.querySelector(`.lands [href="${outline}"], .seas ${outline}`);
      const side = shape.matches("path") ? "" : shape.closest("[class]").getAttribute("class");
      const place = { name, slug, anchor, x, y, outline, side, get row() { return (this.built ??= document.querySelector(`#places [id="place-${slug}"]`)); }, sea: !side, own: side === `u-${section.dataset.realm}` };
      GmMapMarks.draw(shape, "title", {}, side ? `${name}: ${owners.get(side)}` : name);
      if (side) shape.setAttribute("class", levels[index]);
      place.shape = shape;
      shapePlaces.set(shape, place);
      places.set(name, place);
      slugs.set(slug, place);
      anchor.setAttribute("aria-label", name);
      anchor.setAttribute("tabindex", "-1");
    }
  }

  /** The realm's lands, or everything for a realm without. */
  function home() {
    const [x, y, width, height] = (section.dataset.home || "").split(" ").map(Number);
    if (height) view.fit(x, y, width, height, CLOSEST / unit);
    else view.fitAll();
    const first = svg.querySelector(`.places .at.capital:has(.u-${section.dataset.realm})`) || svg.querySelector(".places .at");
    if (first) first.setAttribute("tabindex", "0");
  }

  // -- reports ---------------------------------------------------------------------------------------------------------

  async function open(name, opener = document.activeElement) {
    const place = places.get(name);
    if (!place) return;
    if (unit * view.scale < READABLE) view.set(READABLE / unit);
    if (await panel.open(place.slug, opener)) clear();
    view.centre(place.x, place.y, free());
  }

  /** The part of the map's window that can be seen; all of it when that is next to nothing. */
  function free() {
    const found = panel.uncovered(view.inner());
    return found.height > LEAST_HEIGHT / 2 ? found : view.inner();
  }

  /** Moves the page when the sheet leaves too little of the map in sight. */
  function clear() {
    if (panel.isSheet && panel.uncovered(view.inner()).height < LEAST_HEIGHT) GmViews.toMap();
  }

  function shown(place) {
    for (const [each, css] of [[atlas, "map-reporting"], [section, "reporting"]]) each.classList.toggle(css, Boolean(place));
    marks.highlight(place ? [place.name] : [], "selected");
    if (!place) return;
    view.resized();
    view.reveal(place.x, place.y, free());
    document.dispatchEvent(new CustomEvent("gm:place", { detail: { name: place.name } }));
  }

  /** A link to a place, anywhere on the page, opens its report instead of leading to it; so does its shape. */
  async function follow(event) {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest(`a[href^="${GmMapReport.PREFIX}"]`) || event.target;
    const place = shapePlaces.get(link) || slugs.get((link.getAttribute("href") || "").slice(GmMapReport.PREFIX.length));
    if (!place) return;
    event.preventDefault();
    const onMap = svg.contains(link);
    if (onMap && pick.active) return pick.choose(place.name);
    if (!(await panel.open(place.slug, onMap ? place.anchor : link))) return;
    if (onMap) clear();
    else if (!panel.isSheet && !atlas.contains(link)) atlas.scrollIntoView({ block: "nearest" });
  }

  // -- keys and buttons ------------------------------------------------------------------------------------------------

  /** The nearest place in a direction: rather straight ahead than near. */
  function beside(place, [dx, dy]) {
    let best = null;
    for (const other of places.values()) {
      const ahead = (other.x - place.x) * dx + (other.y - place.y) * dy;
      const aside = Math.abs((other.x - place.x) * dy) + Math.abs((other.y - place.y) * dx);
      const cost = ahead + 2 * aside;
      if (ahead > 0 && aside <= 2 * ahead && (!best || cost < best.cost)) best = { other, cost };
    }
    return best && best.other;
  }

  function walk(event) {
    const anchor = event.target.closest(".at");
    const place = anchor && places.get(anchor.getAttribute("aria-label"));
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") box.focus({ preventScroll: true });
    const next = GmDom.ARROWS[event.key] && beside(place, GmDom.ARROWS[event.key]);
    if (!next) return;
    event.preventDefault();
    anchor.setAttribute("tabindex", "-1");
    next.anchor.setAttribute("tabindex", "0");
    next.anchor.focus({ preventScroll: true });
  }

  function listen() {
    document.addEventListener("click", follow);
    box.addEventListener("keydown", walk);
    box.addEventListener("focusin", (event) => {
      const place = places.get(event.target.getAttribute("aria-label"));
      if (!place || !event.target.matches(":focus-visible")) return;
      view.reveal(place.x, place.y, free());
      marks.highlight([place.name], "focus");
    });
    box.addEventListener("focusout", () => marks.highlight([], "focus"));
    section.addEventListener("change", (event) => {
      if (event.target.matches(".map-layers input")) labels.refresh();
    });
    const press = (css, action) => section.querySelector(`.map-${css}`).addEventListener("click", action);
    press("in", () => view.zoom(BUTTON_STEP));
    press("out", () => view.zoom(1 / BUTTON_STEP));
    press("all", () => view.fitAll());
    press("home", home);
    press("wide", wide);
    const title = document.querySelector(".mast .over").textContent;
    for (const kind of ["svg", "png"]) press(kind, async () => {
      const { game, turn } = await GmDom.world();
      GmMapTools.save(kind, svg, title, `${game}-turn-${String(turn - 1).padStart(2, "0")}-map`);
    });
    const play = section.querySelector(".map-play");
    if (play) GmMapTools.play(play, section.querySelectorAll("[name=map-moves]"), say);
    section.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && atlas.classList.contains("map-full")) wide();
    });
    addEventListener("beforeprint", () => labels.resize(1));
    for (const each of switches) each.addEventListener("change", showSwitched);
    // a browser that goes back restores what was checked
    addEventListener("pageshow", showSwitched);
    addEventListener("afterprint", () => labels.show(view.scale));
  }

  /** The whole window for the map, and back. */
  function wide() {
    const on = atlas.classList.toggle("map-full");
    section.querySelector(".map-wide").setAttribute("aria-pressed", String(on));
    document.documentElement.classList.toggle("map-behind", on);
    view.resized();
  }

  /** What the map's switches and the one for print say, as classes: the style sheets look at nothing else. */
  function showSwitched() {
    for (const each of switches) {
      document.body.classList.toggle(each.id, each.checked);
      each.parentElement.classList.toggle("on", each.checked);
    }
    if (document.body.classList.contains("mode-changes")) past.show();
  }

  // -- what the page asks for ------------------------------------------------------------------------------------------

  function startPick(names, callback, question) {
    pick.start(names, callback, question);
    const found = names.map((name) => places.get(name)).filter(Boolean);
    if (!found.length) return;
    const [xs, ys] = [found.map((each) => each.x), found.map((each) => each.y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const room = 12 * unit;
    // as near as all of them can be seen, but no nearer than names are easy to read
    view.fit(left, top, right - left + room, bottom - top + room, Math.max(view.scale, READABLE / unit));
    view.centre((left + right) / 2, (top + bottom) / 2, free());
  }

  function plan(moves) {
    marks.plan(moves);
    if (!moves.length || planned) return;
    planned = true;
    // the first plan puts the arrows of the last turn away: two kinds at once are hard to tell apart
    const none = document.getElementById("moves-none");
    if (none) none.checked = true;
    showSwitched();
  }

  return {
    pick: startPick,
    plan,
    phase: (number) => marks.phase(number ?? null),
  };
})();
