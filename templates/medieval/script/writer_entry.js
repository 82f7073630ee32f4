"use strict";

/**
 * A form whose fields make one order or several: while it is filled in it says what would come of them, and refuses
 * with a reason what cannot be written down at all.
 */
const GmWriterEntry = (() => {
  const { el, fill, button } = GmDom;
  const PAUSE = 120;

  /**
   * `read()` gives {given: [[word, value], ...]} or {problem}; `context.accept(given)` takes them. Fields call the
   * returned `changed` when the player changes them.
   */
  function entry(context, read, { accept, label } = {}) {
    const preview = el("div", { class: "writer-previews", role: "status", "aria-live": "polite" });
    const problem = el("p", { class: "writer-problem bad", role: "alert" });
    let waiting = null;

    const show = () => {
      const { given } = read();
      fill(problem);
      const results = given && given.length ? context.desk.consider(context.unit, given, context.order && context.order.id) : [];
      fill(preview, GmWriterVerdict.preview(results));
    };
    const changed = () => {
      clearTimeout(waiting);
      waiting = setTimeout(show, PAUSE);
    };
    const submit = (event) => {
      event.preventDefault();
      clearTimeout(waiting);
      const found = read();
      if (found.problem) {
        fill(problem, found.problem);
        return;
      }
      (accept || context.accept)(found.given);
    };
    const build = (...fields) => {
      const node = el("form", { class: "writer-entry", novalidate: true, onsubmit: submit },
        fields, problem,
        // the preview comes and goes: it stands below, so that it never moves a button away from under a finger
        el("div", { class: "writer-row" },
          el("button", { type: "submit", class: "writer-button main", "data-key": "accept" },
            label || (context.order ? "Change the order" : "Add this order")),
          button("Cancel", context.close, { key: "cancel" })),
        preview);
      // what the form opens with has a verdict too
      changed();
      return node;
    };
    return { build, changed };
  }

  return entry;
})();
