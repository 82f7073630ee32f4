"use strict";

/**
 * Before the page is read: nothing is drawn until the other scripts have set what is seen, or all would be laid out again
 * and again.
 *
 *   GmStart.done()    it is set now
 */
const GmStart = (() => {
  const done = () => document.documentElement.classList.remove("starting");
  document.documentElement.classList.add("starting");
  addEventListener("error", done);
  addEventListener("DOMContentLoaded", done);
  return { done };
})();
