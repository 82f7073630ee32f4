"use strict";

/**
 * Steps through drawings that follow each other. The page holds the last; `steps` are the differences from each to the
 * next, `moves` those to the same with arrows (gm/text/frames.py): they are applied forwards, or taken back. Whoever
 * draws on the drawing puts his own at its end, where no difference counts.
 */
(() => {
  const PAUSE = 1600;
  const SVG = "http://www.w3.org/2000/svg";
  const data = JSON.parse(document.getElementById("steps").textContent);
  const { texts, steps, moves, names, fights = [] } = data;
  const bar = document.querySelector(".stepper");
  const sheet = document.querySelector(".story-map .sheet");
  const part = (name) => bar.querySelector(name);
  const slider = part("input");
  const choice = part("select");
  const last = moves.length - 1;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const own = sheet.querySelector("svg");
  // a report has the drawing already, on which others draw: what is stepped through is a copy, shown with the first step
  const svg = own ?? document.querySelector(".map .sheet svg").cloneNode(true);
  let [at, moving, phase, waiting, zoom] = [last, false, "all", null, 1];
  let marks = null;

  const nodes = (numbers) => {
    const holder = document.createElementNS(SVG, "g");
    holder.innerHTML = numbers.map((each) => texts[each]).join("");
    return [...holder.childNodes];
  };

  function change(node, where, old, now) {
    if (Array.isArray(now)) {
      for (let left = old.length; left; left--) node.childNodes[where].remove();
      const after = node.childNodes[where] ?? null;
      for (const each of nodes(now)) node.insertBefore(each, after);
    } else if (where === undefined) node.data = texts[now];
    else if (now < 0) node.removeAttribute(where);
    else node.setAttribute(where, texts[now]);
  }

  function apply(changes, back) {
    for (const [path, ...what] of back ? changes.toReversed() : changes) {
      const [old, now] = back ? what.slice(-2).reverse() : what.slice(-2);
      change(path.reduce((node, index) => node.childNodes[index], svg), what.length > 2 ? what[0] : undefined, old, now);
    }
  }

  function arrows(wanted) {
    if (wanted !== moving) apply(moves[at], !wanted);
    moving = wanted;
  }

  /** The drawing of a turn, its battles, its text. */
  function show(wanted) {
    if (!svg.isConnected) sheet.append(svg);
    arrows(false);
    marks?.remove();
    for (; at < wanted; at++) apply(steps[at], false);
    for (; at > wanted; at--) apply(steps[at - 1], true);
    draw();
  }

  function draw() {
    arrows(phase !== "none" && moves[at].length > 0);
    const phases = [...svg.querySelectorAll(".moves > g")].map((each) => each.classList[0].slice(1));
    const shown = phases.includes(phase) ? phase : "all";
    for (const each of svg.querySelectorAll(".moves > g")) each.style.display = shown === "all" || each.classList[0] === `m${shown}` ? "" : "none";
    if (choice) choose(phases);
    name(shown === "all" || phase === "none" ? names[at] : _(`${names[at]}, phase ${shown}`));
    mark();
    if (words.open) tell();
  }

  function name(text) {
    slider.value = at;
    slider.setAttribute("aria-valuetext", names[at]);
    part(".step-now").textContent = text;
    document.querySelectorAll("article.turn").forEach((each, index) => each.classList.toggle("now", index === at));
  }

  function choose(phases) {
    const offered = [["all", _("all")], ...phases.map((each) => [each, _(`phase ${each}`)]), ["none", _("none")]];
    choice.replaceChildren(...offered.map(([value, text]) => new Option(text, value)));
    choice.value = offered.some(([value]) => value === phase) ? phase : "all";
    choice.disabled = !moves[at].length;
  }

  /** A star at each battle, which leads to what is told of it. */
  function mark() {
    marks = document.createElementNS(SVG, "g");
    marks.setAttribute("class", "fights");
    const turned = svg.getScreenCTM()?.inverse();
    const middle = (place) => {
      const found = svg.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getBoundingClientRect();
      return found?.width ? new DOMPoint(found.x + found.width / 2, found.y + found.height / 2).matrixTransform(turned) : null;
    };
    const size = svg.viewBox.baseVal.width / 1000;
    (turned ? fights[at] ?? [] : []).forEach(([places, title], index) => {
      const points = places.map(middle).filter(Boolean);
      if (!points.length) return;
      const [x, y] = ["x", "y"].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
      const star = Array.from({ length: 16 }, (_, tip) => [Math.sin, Math.cos].map((part) => (part(tip * Math.PI / 8) * (tip % 2 ? 6 : 12)).toFixed(1)).join());
      marks.insertAdjacentHTML("beforeend", `<a href="#fight-${at}-${index + 1}"><title></title><polygon points="${star.join(" ")}"/></a>`);
      marks.lastChild.firstChild.textContent = title;
      marks.lastChild.setAttribute("transform", `translate(${x} ${y}) scale(${size})`);
    });
    svg.append(marks);
  }

  /** All places as the drawing names them, for those who do not see it. */
  const words = document.querySelector(".step-places") ?? {};
  function tell() {
    const told = new Set([...svg.querySelectorAll("g > title, use > title, path > title")].map((each) => each.textContent).filter(Boolean));
    words.querySelector("ul").replaceChildren(...[...told].map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  }

  function play(wanted) {
    clearInterval(waiting);
    waiting = wanted ? setInterval(() => (at < last ? show(at + 1) : play(false)), PAUSE) : null;
    part("[data-step=play]").setAttribute("aria-pressed", String(Boolean(waiting)));
    if (wanted) show(at < last ? at + 1 : 0);
  }

  const goes = { first: () => 0, back: () => Math.max(0, at - 1), on: () => Math.min(last, at + 1), last: () => last };
  function step(where) {
    const playing = waiting;
    play(false);
    if (where !== "play") show(goes[where]());
    else if (!playing) play(true);
  }

  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.step) step(button.dataset.step);
    if (button?.dataset.zoom) {
      zoom = Math.min(6, Math.max(1, zoom * (button.dataset.zoom > 0 ? 1.5 : 1 / 1.5)));
      svg.style.setProperty("--zoom", zoom);
    }
  });
  slider.addEventListener("input", () => { play(false); show(Number(slider.value)); });
  choice?.addEventListener("change", () => { phase = choice.value; arrows(false); marks?.remove(); draw(); });
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
    if (turn && Number(turn) !== at) show(Math.min(last, Number(turn)));
    if (turn) document.getElementById(location.hash.slice(1))?.scrollIntoView({ behavior: still.matches ? "auto" : "smooth", block: "nearest" });
  };
  addEventListener("hashchange", asked);
  document.documentElement.classList.add("stepping");
  svg.setAttribute("preserveAspectRatio", "xMidYMin");
  svg.setAttribute("role", "group");
  if (own) show(at);
  else name(names[at]);
  asked();
})();
