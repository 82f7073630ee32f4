"use strict";

/**
 * Drafts of orders: this browser keeps them for the page's address, and the table (pbem play) for any other address, too. The
 * later of the two counts. Where a page lacks this script, the bar of a table brings it.
 */
var GmDrafts = globalThis.GmDrafts ?? (() => {
  /** What the table has, by place: {at, text}, `at` in milliseconds; nothing in a page that no table shows. */
  const table = JSON.parse(document.getElementById("play-drafts")?.textContent ?? "null");
  /** What the table does not have yet, by place. */
  const unsent = new Map();
  const latest = new Map();

  function stored(act) {
    try {
      return act(localStorage);
    } catch { // a browser may forbid it, or have no room left
      return null;
    }
  }

  /** The text of the draft that was kept at a place; null without any. */
  function kept(place) {
    const text = stored((it) => it.getItem(place));
    if (!table) return text;
    const [here, there] = [Number(stored((it) => it.getItem(`${place}:at`))), table[place]];
    latest.set(place, Math.max(here, there?.at ?? 0));
    if (there && there.at >= here) return there.text;
    if (text !== null || here) unsent.set(place, { place, at: here, text });
    return text;
  }

  /** The same of a draft that is data. */
  function keptData(place) {
    try {
      return JSON.parse(kept(place));
    } catch {
      return null;
    }
  }

  /** Keeps a draft; null: there is none any more. */
  function keep(place, text) {
    stored((it) => (text === null ? it.removeItem(place) : it.setItem(place, text)));
    if (!table) return;
    const at = Math.max(Date.now(), (latest.get(place) ?? 0) + 1);
    stored((it) => it.setItem(`${place}:at`, String(at)));
    latest.set(place, at);
    unsent.set(place, { place, at, text });
    document.dispatchEvent(new CustomEvent("gm:draft"));
  }

  return { kept, keptData, keep, unsent };
})();
