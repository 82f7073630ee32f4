"use strict";

/**
 * At the table (templates/play): after a move the half-moves since then are made before the player's eyes, his own first,
 * once, and not for who wants less motion. The board under it is as it is now all the while: a click ends the show.
 */
addEventListener("DOMContentLoaded", () => {
  const data = JSON.parse(document.getElementById("conquest-answer")?.textContent ?? "null");
  const svg = document.querySelector("#board svg");
  const table = document.getElementById("play");
  if (!data || !svg || !table || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const key = `gm shown ${table.dataset.game}`;
  const store = (() => { try { return sessionStorage; } catch { return null; } })();
  const before = store?.getItem(key);
  store?.setItem(key, table.dataset.turn);
  if (before === null || Number(before) >= Number(table.dataset.turn)) return;

  const SPAN = 450;
  const shape = (name) => svg.querySelector(`[data-place="${CSS.escape(name)}"] .field`);
  const box = (name) => {
    const { x, y, width, height } = shape(name).getBBox();
    return { x: x + width / 2, y: y + height / 2, size: Math.min(width, height) * .3 };
  };
  const running = [];

  /** A shape over a field, in the colour that it has until a moment. */
  function until(name, colour, moment) {
    const cover = shape(name).cloneNode(false);
    cover.setAttribute("fill", colour);
    cover.setAttribute("class", "answering");
    svg.append(cover);
    keep(cover, [{ opacity: 1, offset: .99 }, { opacity: 0 }], moment);
  }

  function keep(node, frames, duration, delay = 0) {
    const animation = node.animate(frames, { duration, delay, fill: "both" });
    animation.finished.then(() => node.remove(), () => node.remove());
    running.push(animation);
  }

  /** A disc in the mover's colour that goes from where it starts to where it ends, from a moment on. */
  function goes({ start, end, side }, moment) {
    const [from, to] = [box(start), box(end)];
    const disc = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ r: from.size, cx: from.x, cy: from.y, fill: data.colours[side], stroke: "#fff", "stroke-width": 4, class: "answering" })) disc.setAttribute(name, value);
    svg.append(disc);
    const there = `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
    keep(disc, [{ transform: "none", opacity: 1 }, { transform: there, opacity: 1, offset: .98 }, { transform: there, opacity: 0 }], SPAN, moment);
  }

  // what each field looked like before a half-move lies over it until that is made; the earliest lies on top
  data.moves.toReversed().forEach((move, back) => {
    const moment = (data.moves.length - back) * SPAN;
    if (move.kind === "jump") until(move.start, data.colours[move.side], moment - SPAN + 1);
    until(move.end, data.colours.free, moment);
    for (const name of move.conquered) until(name, data.colours[move.side === "red" ? "green" : "red"], moment);
  });
  data.moves.forEach((move, at) => goes(move, at * SPAN));
  addEventListener("pointerdown", () => running.forEach((each) => each.finish()), { once: true });
  addEventListener("keydown", () => running.forEach((each) => each.finish()), { once: true });
});
