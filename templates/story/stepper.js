"use strict";

/**
 * Steps through drawings that follow each other. The page holds the last; `steps` are the differences from each to the
 * next and larger ones, `moves` those to the same with arrows (gm/text/frames.py): they are applied forwards, or taken
 * back. A long page has them packed, and unpacks them when it stands; `moved` tells which turns have any. Whoever draws on
 * the drawing puts his own at its end, where no difference counts.
 */
(() => {
  const PAUSE = 1600;
  const LEAP = 4; // of gm/text/frames.py
  const told = GmDom.data("steps");
  const { names, fights = [], moved = [], earlier = [] } = told;
  const changes = GmChanges.read(told.changes);
  let data = told.texts ? told : null;
  const bar = document.querySelector(".stepper");
  const sheet = document.querySelector(".story-map .sheet");
  const part = (name) => bar.querySelector(name);
  const slider = part("input");
  const choice = part(".step-moves select");
  const since = part(".step-since select");
  const last = names.length - 1;
  const turns = () => [...document.querySelectorAll(".turn")];
  const own = sheet.querySelector("svg");
  // a report has the drawing already, on which others draw: what is stepped through is a copy, shown with the first step
  const svg = own ?? document.querySelector(".map .sheet svg").cloneNode(true);
  let at = last;
  let moving = Boolean(moved[last]); // whether its arrows are drawn
  let phase = "all";
  let waiting = null; // for the next turn, while it plays
  let zoom = 1;
  let marks = null; // what is drawn on it
  let wish = null; // what is done with the differences when they are unpacked
  let rows = null; // of the legend of what changed

  /** Does what needs the differences: now, or when they are unpacked, if nothing else was wished for since. */
  function withData(act) {
    if (data) return act();
    if (!wish) GmDom.unpacked("steps-packed").then((text) => {
      data = JSON.parse(text);
      bar.removeAttribute("aria-busy");
      wish();
    });
    wish = act;
  }

  /** The elements of each list of numbers; together they are parsed much faster than one by one. */
  function elements(lists) {
    const holder = GmDom.svg("g", {});
    holder.innerHTML = lists.map((each) => `<g>${each.map((number) => data.texts[number]).join("")}</g>`).join("");
    return [...holder.children].map((each) => [...each.childNodes]);
  }

  function change(node, where, old, now, fresh) {
    if (fresh) {
      for (let left = old.length; left; left--) node.childNodes[where].remove();
      const after = node.childNodes[where] ?? null;
      for (const each of fresh) node.insertBefore(each, after);
    } else if (where === undefined) node.data = data.texts[now];
    else if (now < 0) node.removeAttribute(where);
    else node.setAttribute(where, data.texts[now]);
  }

  function apply(changes, back) {
    const ordered = back ? changes.toReversed().map(([path, ...what]) => [path, ...what.slice(0, -2), what.at(-1), what.at(-2)]) : changes;
    const fresh = elements(ordered.map((each) => each.at(-1)).filter(Array.isArray));
    for (const [path, ...what] of ordered) {
      const [old, now] = what.slice(-2);
      const node = path.reduce((found, index) => found.childNodes[index], svg);
      change(node, what.length > 2 ? what[0] : undefined, old, now, Array.isArray(now) && fresh.shift());
    }
  }

  function arrows(wanted) {
    if (wanted !== moving) apply(data.moves[at], !wanted);
    moving = wanted;
  }

  /** One step towards a turn, the largest that does not go beyond it. */
  function leap(wanted) {
    const on = wanted > at;
    const fits = (size) => at % size === 0 && Math.abs(wanted - at) >= size;
    const level = data.steps.findLastIndex((_, each) => fits(LEAP ** each));
    const size = LEAP ** level;
    apply(data.steps[level][on ? at / size : at / size - 1], !on);
    at += on ? size : -size;
  }

  /** The drawing of a turn, its battles, its text. */
  function show(wanted) {
    if (!svg.isConnected) sheet.append(svg);
    arrows(false);
    marks?.remove();
    while (at !== wanted) leap(wanted);
    draw();
  }

  const goTo = (wanted) => withData(() => show(wanted));

  function draw() {
    arrows(phase !== "none" && Boolean(moved[at]));
    const phases = [...svg.querySelectorAll(".moves > g")].map((each) => each.classList[0].slice(1));
    const shown = phases.includes(phase) ? phase : "all";
    for (const each of svg.querySelectorAll(".moves > g")) each.style.display = shown === "all" || each.classList[0] === `m${shown}` ? "" : "none";
    if (choice) choose(phases);
    name(shown === "all" || phase === "none" ? names[at] : _(`${names[at]}, phase ${shown}`));
    compare();
    mark();
    if (words.open) tell();
  }

  function name(text) {
    slider.value = at;
    slider.setAttribute("aria-valuetext", names[at]);
    part(".step-now").textContent = text;
    build(turns()[at]);
    turns().forEach((each, index) => each.classList.toggle("now", index === at));
  }

  /** Builds what stands as text in a noscript element until it is looked at. */
  function build(part) {
    if (part?.matches("noscript")) part.replaceWith(...GmDom.parsed(part.textContent));
  }

  const buildAll = () => document.querySelectorAll("noscript:is(.turn, .later)").forEach(build);

  function choose(phases) {
    const offered = [["all", _("all")], ...phases.map((each) => [each, _(`phase ${each}`)]), ["none", _("none")]];
    choice.replaceChildren(...offered.map(([value, text]) => new Option(text, value)));
    choice.value = offered.some(([value]) => value === phase) ? phase : "all";
    choice.disabled = !moved[at];
  }

  const legend = GmDom.el("ul", { class: "step-changes", "aria-live": "polite" });
  sheet.after(legend);

  /** What changed since the turn that is chosen, in words; every turn before the one that is shown can be. */
  function compare() {
    const wanted = since.value;
    const before = [...earlier, ...names.slice(0, at).map((each, turn) => [turn, each])].map(([turn, each]) => new Option(_(`since ${each}`), turn)).reverse();
    since.replaceChildren(new Option(_("not shown"), ""), new Option(_("since the turn before"), "before"), ...before.slice(1));
    since.value = wanted;
    if (!since.value) since.value = wanted && at ? "before" : "";
    since.disabled = !at;
    const first = since.value === "before" ? at - 1 : Number(since.value);
    rows = since.value ? GmChanges.legend(changes.steps.slice(first - last, at - last || undefined), changes) : null;
    if (rows) GmChanges.tell(legend, rows, changes);
    legend.hidden = !rows;
    sheet.classList.toggle("changing", Boolean(rows));
  }

  /** The middle of places on the drawing; none of those that it does not show. */
  function middle(places, turned) {
    const boxes = places.map((place) => svg.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getBoundingClientRect());
    const points = boxes.filter((box) => box?.width).map((box) => new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(turned));
    return points.length ? ["x", "y"].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length) : null;
  }

  const STAR = Array.from({ length: 16 }, (_, tip) => [Math.sin, Math.cos].map((part) => (part(tip * Math.PI / 8) * (tip % 2 ? 6 : 12)).toFixed(1)).join()).join(" ");

  /** A star at each battle, which leads to what is told of it; or the signs of all that changed, side by side. */
  function mark() {
    marks = svg.appendChild(GmDom.svg("g", { class: "fights" }));
    const turned = svg.getScreenCTM()?.inverse();
    const size = Math.max(svg.viewBox.baseVal.width / 1000, rows && turned ? turned.a * 0.8 : 0);
    const taken = new Map();
    const put = (places, title, html, up = 0) => {
      const point = turned && middle(places, turned);
      if (!point) return;
      const beside = taken.get(places.join()) ?? 0;
      taken.set(places.join(), beside + 1);
      marks.insertAdjacentHTML("beforeend", html);
      marks.lastChild.firstChild.textContent = title;
      marks.lastChild.setAttribute("transform", `translate(${point[0] + beside * 22 * size} ${point[1] - up * size}) scale(${size})`);
      return marks.lastChild.firstChild;
    };
    if (!rows) (fights[at] ?? []).forEach(([places, title], index) => put(places, title, `<a href="#fight-${at}-${index + 1}"><title></title><polygon points="${STAR}"/></a>`));
    for (const row of rows ?? []) for (const places of row.places) {
      const same = taken.get([row.mark, ...places].join());
      if (same) same.textContent += `, ${row.words}`;
      else taken.set([row.mark, ...places].join(), put(places, `${GmChanges.words(places, changes)}: ${row.words}`, `<g class="${row.mark}"><title></title><circle r="11"/><text>${changes.marks[row.mark]}</text></g>`, 20));
    }
  }

  /** All places as the drawing names them, for those who do not see it. */
  const words = document.querySelector(".step-places") ?? {};
  function tell() {
    const told = new Set([...svg.querySelectorAll("g > title, use > title, path > title")].map((each) => each.textContent).filter(Boolean));
    GmDom.fill(words.querySelector("ul"), [...told].map((text) => GmDom.el("li", {}, text)));
  }

  function play(wanted) {
    clearInterval(waiting);
    waiting = wanted ? setInterval(() => (at < last ? goTo(at + 1) : play(false)), PAUSE) : null;
    part("[data-step=play]").setAttribute("aria-pressed", String(Boolean(waiting)));
    if (wanted) goTo(at < last ? at + 1 : 0);
  }

  const goes = { first: () => 0, back: () => Math.max(0, at - 1), on: () => Math.min(last, at + 1), last: () => last };
  function step(where) {
    play(where === "play" && !waiting);
    if (where !== "play") goTo(goes[where]());
  }

  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.step) step(button.dataset.step);
    if (button?.dataset.zoom) {
      zoom = Math.min(6, Math.max(1, zoom * (button.dataset.zoom > 0 ? 1.5 : 1 / 1.5)));
      svg.style.setProperty("--zoom", zoom);
    }
  });
  slider.addEventListener("input", () => { play(false); goTo(Number(slider.value)); });
  since.addEventListener("change", () => withData(() => { if (!svg.isConnected) sheet.append(svg); marks?.remove(); draw(); }));
  choice?.addEventListener("change", () => withData(() => { phase = choice.value; arrows(false); marks?.remove(); draw(); }));
  words.addEventListener?.("toggle", () => words.open && tell());
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };
  document.addEventListener("keydown", (event) => {
    const free = event.target === document.body && choice || event.target === sheet && zoom === 1;
    if (!free || !keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    step(keys[event.key]);
  });
  sheet.addEventListener("click", ({ target }) => {
    const titled = target.closest("a") ? null : target.closest(":has(> title)");
    const place = document.querySelector(".step-place");
    if (place && titled && titled !== svg) place.textContent = titled.querySelector(":scope > title").textContent;
  });
  const asked = () => {
    const [, turn] = location.hash.match(/^#(?:turn|fight)-(\d+)/) ?? [];
    const seen = () => document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "nearest" });
    if (turn && Number(turn) !== at) withData(() => { show(Math.min(last, Number(turn))); seen(); });
    else if (turn) seen();
  };
  addEventListener("hashchange", asked);
  addEventListener("beforeprint", buildAll);
  matchMedia("print").addEventListener("change", buildAll);
  const later = document.querySelector("noscript.later");
  if (later) new IntersectionObserver((entries) => {
    if (later.isConnected && entries.some((each) => each.isIntersecting)) build(later);
  }, { rootMargin: "400px" }).observe(later.parentElement);
  document.documentElement.classList.add("stepping");
  svg.setAttribute("role", "group");
  if (own) {
    GmStart.done();
    requestAnimationFrame(draw); // where its marks stand is known when all is laid out for the first frame
  } else {
    svg.setAttribute("preserveAspectRatio", "xMidYMin");
    name(names[at]);
    compare();
  }
  asked();
  if (!data) setTimeout(() => wish ?? withData(() => {}), 200);
})();
