"use strict";

/**
 * Plays at one's own table: sends the orders as they stand to the server that this page came from (pbem play), shows the
 * forecast that it answers with, and asks it to play, to take back, for a hint. An order writer says `gm:orders` with
 * {text, saved, whole} whenever its orders change, `whole` when they are to be played at once; where there is none, the
 * sheet's text is sent.
 */
(() => {
  const PAUSE = 150;
  /** What this device remembers; a browser may forbid it. */
  const store = (() => { try { return localStorage; } catch { return null; } })();
  const table = document.getElementById("play");
  const part = (name) => document.getElementById(`play-${name}`);
  const { seat, turn, game, act } = table.dataset;
  const on = (name, event, does) => part(name)?.addEventListener(event, does);
  history.scrollRestoration = "auto";
  const went = `gm went ${game}`; // other windows on this game listen for it
  let [text, waiting, sent, doubt, warned, closing, asked] = ["", null, 0, "", false, false, 0];
  /** What a bot advises, while the panel shows it: the orders as a file, and by their places those that go with each. */
  let [advice, taking] = [null, false];
  /** The orders whose forecast the panel shows; nothing while it shows another thing. */
  let foreseen = null;

  const overtake = () => { clearTimeout(waiting); return ++sent; }; // a forecast that was asked for before is not told
  const say = (words) => { part("says").textContent = words; };
  const show = (html, where) => where.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);

  /** The page of the game as it is now, at the first of its views, or where it was scrolled to. */
  const anew = () => (location.hash ? location.replace(location.pathname) : location.reload());

  /** Asks the server, and tells what it says if still wanted; nothing when it did something, refused, or is not there. */
  async function ask(what, body = text, wanted = () => true, done = anew) {
    const address = `${what}?${new URLSearchParams({ seat, turn })}`;
    const stop = what === "check" ? () => {} : waits();
    const answer = await fetch(address, { method: "POST", body, headers: { "Content-Type": "text/plain" } })
      .then((found) => found.json()).catch(() => ({ says: part("anew").dataset.gone }));
    stop();
    if (answer.go) {
      try { store?.setItem(went, String(Date.now())); } catch { /* it is full: the others ask the server */ }
      done();
    } else if (wanted()) say(answer.says);
    if (answer.stale) old();
    return answer.html || answer.why ? answer : null;
  }

  /** While an answer is waited for: no button can be pressed, and the server is asked who is thinking. */
  function waits() {
    const buttons = [...table.querySelectorAll("button:enabled, select:enabled")];
    const wait = setInterval(async () => {
      const found = await fetch("doing").then((each) => each.json()).catch(() => null);
      if (found?.says && asked) say(found.says);
    }, 400);
    asked += 1;
    table.setAttribute("aria-busy", "true");
    for (const each of buttons) each.disabled = true;
    return () => {
      clearInterval(wait);
      asked -= 1;
      table.removeAttribute("aria-busy");
      for (const each of buttons) each.disabled = false;
    };
  }

  /** This page is older than the game: it plays no more. */
  function old() {
    part("anew").hidden = false;
    for (const each of [part("go"), ...table.querySelectorAll("[data-step]")]) each?.remove();
  }

  function open(wanted) {
    part("panel").hidden = !wanted;
    part("look")?.setAttribute("aria-expanded", String(wanted));
  }

  /** The forecast of the orders as they stand; one that is overtaken by a later one is not shown. */
  async function check() {
    const number = overtake();
    const answer = await ask("check", text, () => number === sent);
    if (!answer || number !== sent) return;
    if (!advice) {
      show(answer.html, part("panel"));
      foreseen = text;
    }
    if (answer.guide) show(answer.guide, part("guide"));
    document.dispatchEvent(new CustomEvent("gm:forecast", { detail: answer.orders }));
    doubt = answer.doubt;
  }

  function changed(now) {
    [text, warned] = [now, false];
    overtake();
    waiting = setTimeout(check, PAUSE);
  }

  /** Plays; when some of the orders is in doubt, not before it was told. */
  async function go() {
    if (seat && part("hint")) await check(); // who only watches gives no orders
    if (!doubt || warned) return send();
    warned = true;
    open(true);
    return say(doubt);
  }

  function send(orders = text) {
    overtake();
    return ask(act, orders);
  }

  /** What is played with one press: orders of its own, or those that stand with a line more; or nothing is. */
  function step({ dataset: { lines, whole } }) {
    history.scrollRestoration = "manual"; // the map is looked at after each roll
    if (lines) return send(whole === undefined ? `${text.trimEnd()}\n${lines}` : `${table.dataset.head}${lines}`);
    for (const each of table.querySelectorAll("[data-step]")) each.hidden = !each.hidden;
    return say(_("Attack elsewhere, redeploy, or end your turn."));
  }

  on("go", "click", go);
  for (const each of table.querySelectorAll("[data-step]")) each.addEventListener("click", () => step(each));
  on("anew", "click", anew);
  on("undo", "click", () => ask("undo"));
  on("close", "click", () => {
    overtake();
    if (closing) ask("close", "", undefined, () => location.assign("chronicle"));
    else say(_("Press again to end your reign. Its chronicle is written then, and you can still play on."));
    closing = true;
  });
  /** Another game at once, on the same board or another, against the same opponent. */
  function begin(board) {
    const choice = JSON.parse(part("rematch").dataset.choice);
    return ask("begin", JSON.stringify({ ...choice, map: board ?? choice.map }), undefined, () => location.replace("./"));
  }
  on("rematch", "click", () => begin());
  for (const each of table.querySelectorAll("[data-board]")) each.addEventListener("click", () => begin(each.dataset.board));
  on("level", "change", (event) => ask("level", event.target.value));
  on("hint", "click", async () => {
    const answer = await ask("hint");
    if (!answer) return;
    overtake();
    [advice, foreseen] = [answer, null];
    show(answer.html, part("panel"));
    open(true);
    part("panel").focus();
  });
  on("panel", "click", ({ target }) => {
    const button = target.closest("button");
    if (button?.dataset.why) explain(button);
    else if (button?.dataset.taken) take(button);
    else if (button?.matches("[data-take]")) takeAll();
  });

  /** All that is advised takes the place of the orders: in the writer, or without one in the sheet, as if it was typed. */
  function takeAll() {
    const { text: file } = advice;
    open(false);
    advice = null;
    if (part("text")) {
      part("sheet").open = true;
      part("text").value = file;
      part("text").dispatchEvent(new Event("input"));
    }
    document.dispatchEvent(new CustomEvent("gm:take", { detail: file }));
    part("go")?.focus();
  }

  /** One order that is advised, with those that go with it, comes to the others in the writer; the hints stay. */
  function take(button) {
    taking = true;
    document.dispatchEvent(new CustomEvent("gm:join", { detail: advice.taken[button.dataset.taken] }));
    taking = false;
    button.textContent = _("Taken over");
  }

  /** Why a bot would not give an order that the player drew. */
  async function explain(button) {
    if (foreseen !== text) return; // its place is another's by now: the next forecast is on its way
    const [line, column] = button.dataset.why.split(":").map(Number);
    const answer = await ask("why", JSON.stringify({ text, line, column }));
    button.focus();
    if (answer) button.nextElementSibling.textContent = answer.why;
  }

  on("look", "click", () => {
    open(part("panel").hidden || advice !== null);
    advice = null;
    if (!part("panel").hidden && part("hint") && foreseen !== text) check();
  });
  for (const each of table.querySelectorAll("[data-sit]")) each.addEventListener("click", () => ask("sit", each.dataset.sit));

  // -- where orders are written --------------------------------------------------------------------------------------

  document.addEventListener("gm:orders", ({ detail }) => {
    detail.saved?.();
    if (part("text")) part("text").value = detail.text;
    changed(detail.text);
    if (!taking) for (const each of table.querySelectorAll("[data-taken]")) each.textContent = each.dataset.words;
    if (detail.whole) send();
  });

  if (part("text")) {
    const field = part("text");
    const place = `gm sheet ${game} ${seat} ${turn}`;
    document.querySelector("#write h2")?.after(part("sheet"));
    field.addEventListener("input", () => {
      GmDrafts.keep(place, field.value);
      changed(field.value);
    });
    text = field.value;
    field.value = GmDrafts.kept(place) ?? text;
    part("sheet").open = field.value !== text || !document.getElementById("writer-data");
    if (field.value !== text) changed(field.value);
    // another window on the same orders
    addEventListener("storage", ({ key, newValue }) => {
      if (key !== place || newValue === null || newValue === field.value) return;
      field.value = newValue;
      changed(newValue);
    });
  }
  addEventListener("storage", ({ key, newValue }) => { // word of what made this page itself can come late
    if (key !== went || newValue < performance.timeOrigin || !part("anew").hidden) return;
    old();
    say(_("The game has moved on in another window."));
  });

  // -- drafts are kept at the table, too -----------------------------------------------------------------------------

  let [keeping, resting] = [false, null];

  async function keepDrafts() {
    if (keeping) return keepSoon();
    keeping = true;
    for (const [place, draft] of GmDrafts.unsent) {
      const body = JSON.stringify(draft);
      // a page that is left may still send a little
      const sent = fetch(`keep?${new URLSearchParams({ seat, turn })}`, { method: "POST", body, keepalive: body.length < 2 ** 15 });
      if (await sent.then(({ ok }) => ok, () => false) && GmDrafts.unsent.get(place) === draft) GmDrafts.unsent.delete(place);
    }
    keeping = false;
  }

  function keepSoon() {
    clearTimeout(resting);
    resting = setTimeout(keepDrafts, PAUSE);
  }

  if (seat) {
    document.addEventListener("gm:draft", keepSoon);
    addEventListener("pagehide", keepDrafts);
    keepDrafts();
  }

  for (const each of document.querySelectorAll(".writer-file > summary")) each.textContent = _("Your orders as text");
  if (typeof GmWriter !== "undefined") GmWriter.running.then((writer) => writer?.changed(""));
})();
