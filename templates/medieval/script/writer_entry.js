"use strict";

/**
 * A form whose fields make one order or several: while it is filled in it says what would come of them, and refuses
 * with a reason what cannot be written down at all.
 */
const GmWriterEntry = (() => {
  const { el, fill, button } = GmDom;
  const PAUSE = 120;

  /**
   * `parts` are fields, and nodes between them; `read()` gives {given: [[word, value], ...]} or {problem}, and
   * `accept(given)` takes them. `react` is called for what the form opens with and whenever the player changes it.
   */
  function entry(context, parts, read, { accept = context.accept, label, react = () => {} } = {}) {
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
      react();
      clearTimeout(waiting);
      waiting = setTimeout(show, PAUSE);
    };
    const submit = (event) => {
      event.preventDefault();
      clearTimeout(waiting);
      const found = read();
      if (found.problem) fill(problem, found.problem);
      else accept(found.given);
    };
    // what the form opens with has a verdict too
    changed();
    return el("form", { class: "writer-entry", novalidate: true, onsubmit: submit, oninput: changed },
      parts.map((each) => each?.node ?? each), problem,
      // the preview comes and goes: it stands below, so that it never moves a button away from under a finger
      el("div", { class: "writer-row" },
        el("button", { type: "submit", class: "writer-button main", "data-key": "accept" },
          label || (context.order ? _("Change the order") : _("Add this order"))),
        button(_("Cancel"), context.close, { key: "cancel" })),
      preview);
  }

  return entry;
})();
