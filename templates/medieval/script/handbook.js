"use strict";

/* A search within the handbook. Whatever can be found has an id and says in data-find what it is called; its text is
   searched as well. Without this script the contents list and the browser's own search do. */

const GmHandbook = (() => {
  const { el } = GmDom;
  const MOST = 20; // results shown at once
  const AROUND = 60; // characters shown before and after what was found
  const SHORTEST = 2; // characters from which on is searched

  /* Text as it is compared: no accents, no capitals, single spaces. Its length stays that of what is shown. */
  function plain(text) {
    return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function entries() {
    return [...document.querySelectorAll("[data-find][id]")].map((element) => {
      const text = element.textContent.replace(/\s+/g, " ").trim();
      return { id: element.id, title: element.dataset.find, text, inTitle: plain(element.dataset.find), inText: plain(text) };
    });
  }

  /* How well an entry fits, the least the best; none when a word is missing. An exact title beats a title that begins
     with the words, which beats one that has them, which beats a text. */
  function distance(entry, query, words) {
    if (!words.every((word) => entry.inTitle.includes(word) || entry.inText.includes(word))) return null;
    if (entry.inTitle === query || entry.inTitle.startsWith(`${query} `)) return 0;
    if (entry.inTitle.startsWith(query)) return 1;
    return words.every((word) => entry.inTitle.includes(word)) ? 2 : 3;
  }

  function search(all, text) {
    const query = plain(text.trim());
    const words = query.split(/\s+/).filter(Boolean);
    if (query.length < SHORTEST) return [];
    return all
      .map((entry) => ({ entry, distance: distance(entry, query, words) }))
      .filter((found) => found.distance !== null)
      .sort((a, b) => a.distance - b.distance)
      .slice(0, MOST)
      .map(({ entry }) => ({ entry, words }));
  }

  function result({ entry, words }) {
    const at = Math.max(0, entry.inText.indexOf(words[0]));
    const from = Math.max(0, at - AROUND);
    const excerpt = `${from ? "…" : ""}${entry.text.slice(from, at + words[0].length + AROUND)}…`;
    return el("li", {}, el("a", { href: `#${encodeURIComponent(entry.id)}` }, el("b", {}, entry.title), el("span", {}, excerpt)));
  }

  /* Puts the search field at the end of an element. */
  function enhance(place) {
    const input = el("input", { type: "search", id: "find" });
    const status = el("p", { class: "note", role: "status" });
    const list = el("ul");
    let all = null;

    function show() {
      all ??= entries();
      const found = search(all, input.value);
      list.replaceChildren(...found.map(result));
      const asked = input.value.trim().length >= SHORTEST;
      status.textContent = asked && !found.length ? place.dataset.nothing : "";
    }

    function close() {
      list.replaceChildren();
      status.textContent = "";
    }

    input.addEventListener("input", show);
    input.addEventListener("focus", show);
    place.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")];
      const at = links.indexOf(document.activeElement);
      if (event.key === "Escape") {
        close();
        input.blur();
      } else if (event.key === "ArrowDown" && at + 1 < links.length) {
        event.preventDefault();
        links[at + 1].focus();
      } else if (event.key === "ArrowUp" && at >= 0) {
        event.preventDefault();
        (links[at - 1] ?? input).focus();
      } else if (event.key === "Enter" && document.activeElement === input && links.length) {
        event.preventDefault();
        links[0].click();
      }
    });
    list.addEventListener("click", close);
    document.addEventListener("click", (event) => {
      if (!place.contains(event.target)) close();
    });
    place.append(el("label", { for: "find" }, place.dataset.label), input, list, status);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const place = document.querySelector(".finder");
    if (place) enhance(place);
  });

  return { search, enhance };
})();
