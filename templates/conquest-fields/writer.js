"use strict";
// Lets a move be clicked on the board, or chosen with the Tab and Enter keys: first the start, then the end. Then the
// board shows what comes of it, and the order file can be downloaded. Without this script the table of moves and the
// template below serve as well.
const ConquestWriter = (() => {
  const block = document.getElementById("conquest-writer");
  const board = document.querySelector("#board svg");
  if (!block || !board) return null;
  const data = JSON.parse(block.textContent);
  if (Object.keys(data.moves).length === 0) return null;

  const groups = new Map([...board.querySelectorAll("[data-place]")].map((group) => [group.dataset.place, group]));
  const labels = new Map([...board.querySelectorAll("text.name")].map((text) => [text.textContent, text]));
  const original = new Map();
  let start = null;

  const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);
  const panel = make("div", { className: "writer" });
  const said = make("p", { className: "writer-said" });
  said.setAttribute("role", "status");
  const file = make("pre", { tabIndex: 0, hidden: true });
  const buttons = make("p");
  panel.append(said, file, buttons);

  // a picture has no parts for a screen reader; a group has
  const sheet = board.closest(".sheet");
  board.setAttribute("role", "group");
  board.setAttribute("aria-label", sheet.getAttribute("aria-label"));
  for (const each of ["role", "aria-label", "tabindex"]) sheet.removeAttribute(each);
  sheet.closest("figure").append(panel);

  const fill = (words, values = {}) => words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  const say = (words, values) => { said.textContent = fill(words, values); };
  const ends = () => (start ? [...data.moves[start].grow, ...data.moves[start].jump] : []);

  const paint = (name, colour) => {
    const shape = groups.get(name).querySelector(".field");
    const label = labels.get(name);
    if (!original.has(name)) original.set(name, [shape.getAttribute("fill"), label.getAttribute("fill")]);
    shape.setAttribute("fill", colour);
    label.setAttribute("fill", colour === data.fields.own ? data.fields.light : data.fields.dark);
  };

  // what can be chosen now is a button, and nothing else
  const offer = () => {
    const open = new Set([...Object.keys(data.moves), ...ends()]);
    for (const [name, group] of groups) {
      if (open.has(name)) {
        group.setAttribute("tabindex", "0");
        group.setAttribute("role", "button");
        const kind = ends().includes(name) ? data.words[data.moves[start].grow.includes(name) ? "grow" : "jump"] : "";
        const title = group.querySelector("title").textContent;
        group.setAttribute("aria-label", kind ? `${title}, ${kind}` : title);
        group.setAttribute("aria-pressed", String(name === start));
      } else {
        for (const each of ["tabindex", "role", "aria-label", "aria-pressed"]) group.removeAttribute(each);
      }
    }
  };

  const clean = () => {
    for (const [name, [colour, ink]] of original) {
      groups.get(name).querySelector(".field").setAttribute("fill", colour);
      labels.get(name).setAttribute("fill", ink);
    }
    original.clear();
    file.hidden = true;
    buttons.replaceChildren();
  };

  const begin = () => {
    clean();
    start = null;
    offer();
    say(data.words.choose);
  };

  const choose = (name) => {
    clean();
    start = name;
    paint(name, data.colours.start);
    for (const end of data.moves[name].grow) paint(end, data.colours.grow_end);
    for (const end of data.moves[name].jump) paint(end, data.colours.jump_end);
    offer();
    say(data.words.from, { start: name });
  };

  const button = (textContent, onclick) => make("button", { type: "button", textContent, onclick });

  const download = (text) => {
    const href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
    make("a", { href, download: `${data.player.toUpperCase()}.yaml` }).click();
    URL.revokeObjectURL(href);
  };

  const finish = (end) => {
    clean();
    const kind = data.moves[start].grow.includes(end) ? "grow" : "jump";
    const won = data.conquers[end] ?? [];
    if (kind === "jump") paint(start, data.fields.free);
    for (const each of [end, ...won]) paint(each, data.fields.own);
    say(won.length ? data.words.conquering : data.words.chosen, { start, end, kind: data.words[kind], won: won.join(", ") });
    const text =
      `game: ${JSON.stringify(data.game)}\nturn: ${data.turn}\nplayer: ${data.player}\n` +
      `key: ${JSON.stringify(data.key)}\nmove: {from: ${start}, to: ${end}}\n`;
    file.textContent = text;
    file.hidden = false;
    const from = groups.get(start);
    const again = () => {
      begin();
      from.focus();
    };
    buttons.replaceChildren(button(data.words.download, () => download(text)), button(data.words.again, again));
    start = null;
    offer();
    // who plays where this page comes from takes the move from here (templates/play/play.js)
    document.dispatchEvent(new CustomEvent("gm:orders", { detail: { text, whole: true } }));
  };

  const pick = (name) => {
    if (ends().includes(name)) {
      finish(name);
      buttons.firstChild.focus();
    } else if (name in data.moves) choose(name);
    else begin();
  };

  board.addEventListener("click", (event) => pick(event.target.closest("[data-place]")?.dataset.place ?? ""));
  board.addEventListener("keydown", (event) => {
    const group = event.target.closest("[data-place]");
    if (event.key === "Escape") begin();
    else if (group && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      pick(group.dataset.place);
    }
  });
  begin();
  return { pick, begin };
})();
