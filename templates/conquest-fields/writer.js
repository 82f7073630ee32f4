"use strict";
// Lets a move be clicked on the board: first the start, then the end. Without this script the table of moves and the
// template below serve as well.
const ConquestWriter = (() => {
  const block = document.getElementById("conquest-writer");
  const board = document.querySelector("#board svg");
  if (!block || !board) return null;
  const data = JSON.parse(block.textContent);
  if (Object.keys(data.moves).length === 0) return null;

  const field = (name) => board.querySelector(`[data-field="${name}"] .field`);
  const original = new Map();
  let start = null;

  const said = document.createElement("p");
  said.className = "writer-said";
  said.setAttribute("role", "status");
  const file = document.createElement("pre");
  file.hidden = true;
  const buttons = document.createElement("p");
  const panel = document.createElement("div");
  panel.className = "writer";
  panel.append(said, file, buttons);
  board.closest("figure, .picture, section").append(panel);

  const say = (words, values = {}) => {
    said.textContent = words.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
  };

  const paint = (name, colour) => {
    const shape = field(name);
    if (!shape) return;
    if (!original.has(name)) original.set(name, shape.getAttribute("fill"));
    shape.setAttribute("fill", colour);
  };

  const clean = () => {
    for (const [name, fill] of original) field(name).setAttribute("fill", fill);
    original.clear();
    file.hidden = true;
    buttons.replaceChildren();
  };

  const begin = () => {
    clean();
    start = null;
    say(data.words.choose);
  };

  const choose = (name) => {
    clean();
    start = name;
    paint(name, data.colours.start);
    for (const end of data.moves[name].grow) paint(end, data.colours.grow_end);
    for (const end of data.moves[name].jump) paint(end, data.colours.jump_end);
    say(data.words.from, { start: name });
  };

  const button = (label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", act);
    return made;
  };

  const finish = (end) => {
    const kind = data.moves[start].grow.includes(end) ? data.words.grow : data.words.jump;
    say(data.words.chosen, { start, end, kind });
    const text =
      `game: ${JSON.stringify(data.game)}\nturn: ${data.turn}\nplayer: ${data.player}\n` +
      `key: ${JSON.stringify(data.key)}\nmove: {from: ${start}, to: ${end}}\n`;
    file.textContent = text;
    file.hidden = false;
    buttons.replaceChildren(
      button(data.words.download, () => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
        link.download = `${data.player.toUpperCase()}.yaml`;
        link.click();
        URL.revokeObjectURL(link.href);
      }),
      button(data.words.again, begin),
    );
  };

  board.addEventListener("click", (event) => {
    const group = event.target.closest("[data-field]");
    const name = group ? group.dataset.field : "";
    if (start && [...data.moves[start].grow, ...data.moves[start].jump].includes(name)) finish(name);
    else if (name in data.moves) choose(name);
    else begin();
  });
  begin();
  return { choose, finish, begin };
})();
