"use strict";

/**
 * The panel that holds one location report: beside the map, on a telephone a sheet at the bottom of the screen.
 *
 * A report is an article further down on the page. It is moved into the panel and goes back to its place when another
 * one comes, so that it is there only once. The browser's back button closes it or shows the report before.
 */
const GmMapReport = (() => {
  const PREFIX = "#place-";

  class Panel {
    /** `shown(slug)` is called when another report is open, with null when none is any more. */
    constructor(panel, say, shown) {
      Object.assign(this, { panel, say, shown, article: null, opener: null });
      this.body = panel.querySelector(".map-report");
      panel.querySelector("button").addEventListener("click", () => this.close());
      panel.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        this.close();
      });
      addEventListener("popstate", () => this.follow());
      addEventListener("hashchange", () => this.follow());
    }

    get slug() {
      return this.article && this.article.id.slice(PREFIX.length - 1);
    }

    /** Shows what the page's address asks for, or nothing. */
    follow() {
      const slug = location.hash.startsWith(PREFIX) ? location.hash.slice(PREFIX.length) : null;
      if (slug === this.slug) return;
      if (slug === null || !this.show(slug)) this.hide();
    }

    /** Opens the report of a place and puts the focus on it; `opener` gets it back. False when there is none. */
    open(slug, opener = null) {
      const was = this.slug;
      if (!this.show(slug)) return false;
      if (opener && !this.panel.contains(opener)) this.opener = opener;
      if (was !== slug) history.pushState(null, "", `${PREFIX}${slug}`);
      const title = this.article.querySelector("h3");
      title.focus({ preventScroll: true });
      return true;
    }

    show(slug) {
      const article = document.getElementById(`place-${slug}`);
      if (!article) return false;
      if (article !== this.article) {
        this.putBack();
        this.home = document.createComment("");
        article.replaceWith(this.home);
        this.article = article;
        this.body.replaceChildren(article);
        this.body.scrollTop = 0;
      }
      this.panel.hidden = false;
      this.say(`${article.querySelector("h3").textContent}: location report`);
      this.shown(slug);
      return true;
    }

    putBack() {
      if (this.article) this.home.replaceWith(this.article);
      this.article = null;
    }

    /** Closes the panel and gives the focus back. */
    close() {
      if (this.panel.hidden) return;
      const inside = this.panel.contains(document.activeElement);
      this.hide();
      if (location.hash.startsWith(PREFIX)) history.replaceState(null, "", "#map");
      if (inside && this.opener && this.opener.isConnected) this.opener.focus({ preventScroll: true });
    }

    hide() {
      this.putBack();
      this.panel.hidden = true;
      this.shown(null);
    }

    /** Whether it lies over the page, as on a telephone. */
    get isSheet() {
      return !this.panel.hidden && getComputedStyle(this.panel).position === "fixed";
    }

    /** What of a rectangle is in sight: within the window and not under the sheet. */
    uncovered(frame) {
      const top = Math.max(0, frame.top);
      const bottom = Math.min(frame.bottom, innerHeight, this.isSheet ? this.panel.getBoundingClientRect().top : Infinity);
      return new DOMRect(frame.x, top, frame.width, Math.max(0, bottom - top));
    }
  }

  return { Panel, PREFIX };
})();
