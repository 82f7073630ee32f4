"use strict";
// Colours the board while a move is chosen (templates/game/writer): the start, its ends, and then what comes of the move.
(() => {
  const block = document.getElementById("conquest-writer");
  const board = document.querySelector("#board svg");
  if (!block || !board) return;
  const data = JSON.parse(block.textContent);
  const groups = new Map([...board.querySelectorAll("[data-place]")].map((group) => [group.dataset.place, group]));
  const labels = new Map([...board.querySelectorAll("text.name")].map((text) => [text.textContent, text]));
  const original = new Map();

  const paint = (colour) => (name) => {
    const [shape, label] = [groups.get(name).querySelector(".field"), labels.get(name)];
    if (!original.has(name)) original.set(name, [shape.getAttribute("fill"), label.getAttribute("fill")]);
    shape.setAttribute("fill", colour);
    label.setAttribute("fill", colour === data.fields.own ? data.fields.light : data.fields.dark);
  };

  document.addEventListener("gm:board", ({ detail: { start, orders: [order] } }) => {
    for (const [name, [colour, ink]] of original) {
      groups.get(name).querySelector(".field").setAttribute("fill", colour);
      labels.get(name).setAttribute("fill", ink);
    }
    original.clear();
    if (start) {
      paint(data.colours.start)(start);
      data.moves[start].grow.forEach(paint(data.colours.grow_end));
      data.moves[start].jump.forEach(paint(data.colours.jump_end));
    } else if (order?.end) {
      if (data.moves[order.start].jump.includes(order.end)) paint(data.fields.free)(order.start);
      [order.end, ...(data.conquers[order.end] ?? [])].forEach(paint(data.fields.own));
    }
  });
})();
