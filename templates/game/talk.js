"use strict";

/**
 * What an order file says besides orders: letters to others, a vote, that the turn is not to be played early. Says
 * `gm:talk` whenever that changes, with {talk, text}: `text` are its lines of the file. A writer that keeps it with its own
 * orders gives it back by `take`; where none does, this device keeps it. Who can be written to and what can be voted for
 * stands in the form (gm/game/base/press.py).
 */
const GmTalk = (() => {
  const root = document.getElementById("talk");
  const part = (name) => document.getElementById(`talk-${name}`);
  const empty = () => ({ press: [], vote: "", ready: true });
  let talk = empty();

  /** The lines of a file. */
  function text({ press, vote, ready }) {
    const entry = (key, value) => `${key}: ${value}`;
    const letter = ({ to, as, text: words }) => [entry("to", JSON.stringify(to)), as && entry("as", as), entry("text", JSON.stringify(words))];
    const letters = press.map((each) => `  - {${letter(each).filter(Boolean).join(", ")}}`);
    return [!ready && entry("ready", "no"), vote && entry("vote", vote), letters.length && "press:", ...letters]
      .filter(Boolean).map((line) => `${line}\n`).join("");
  }

  /** What was kept, as far as the form has it; nothing if that says nothing. */
  function fitting(kept) {
    const has = (name, value) => part("letter") && [...part("letter").elements[name]].some((each) => each.value === value);
    const good = (each) => Array.isArray(each?.to) && each.to.length > 0 && each.to.every((to) => has("to", to)) && has("as", each.as)
      && typeof each.text === "string";
    const found = {
      press: Array.isArray(kept?.press) ? kept.press.filter(good) : [],
      vote: [...(part("vote")?.options ?? [])].some(({ value }) => value === kept?.vote) ? kept.vote : "",
      ready: kept?.ready !== false,
    };
    return text(found) ? found : null;
  }

  function draw() {
    if (part("vote")) part("vote").value = talk.vote;
    part("hold").checked = !talk.ready;
    const lines = text(talk).split("\n").length - 1;
    part("sum").textContent = lines ? "✓" : "";
    const { el, button } = GmDom;
    const item = (each) => el("li", {}, el("span", {}, `${[...each.to, each.as].filter(Boolean).join(", ")}: ${each.text} `),
      button(_("Remove"), () => say({ ...talk, press: talk.press.filter((other) => other !== each) })));
    part("list")?.replaceChildren(...talk.press.map(item));
  }

  /** Takes what a writer has kept; nothing is said of it. */
  function take(kept) {
    if (root && !text(talk) && kept) root.open = true;
    talk = fitting(kept) ?? empty();
    if (root) draw();
  }

  function say(now) {
    talk = now;
    draw();
    const kept = text(talk) ? talk : null;
    if (root.dataset.place) GmDrafts.keep(root.dataset.place, kept && JSON.stringify(kept));
    document.dispatchEvent(new CustomEvent("gm:talk", { detail: { talk: kept, text: text(talk) } }));
  }

  if (root) {
    root.hidden = false;
    part("vote")?.addEventListener("change", () => say({ ...talk, vote: part("vote").value }));
    part("hold").addEventListener("change", () => say({ ...talk, ready: !part("hold").checked }));
    part("letter")?.addEventListener("input", ({ target: { form } }) => { form.querySelector("output").value = `${form.elements.text.value.length}`; });
    part("letter")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const { elements } = part("letter");
      const to = [...elements.to].filter((each) => each.checked).map((each) => each.value);
      const letter = { to: to.includes("all") ? ["all"] : to, as: elements.as.value, text: elements.text.value.trim() };
      if (!to.length || !letter.text) return elements[to.length ? "text" : "to"].focus?.() ?? elements.to[0].focus();
      part("letter").reset();
      say({ ...talk, press: [...talk.press, letter] });
      return elements.text.focus();
    });
    const kept = root.dataset.place && GmDrafts.keptData(root.dataset.place);
    // once those who listen are there
    if (fitting(kept)) addEventListener("DOMContentLoaded", () => say(fitting(kept)));
    draw();
  }
  return { take, text: (kept) => text(kept ?? empty()), fitting };
})();
