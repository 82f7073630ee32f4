"use strict";

/**
 * Location reports, and the panel that holds one: beside the map, on a telephone a sheet at the bottom of the screen.
 *
 * A report is made of the place's row in the table of places, of the rows of the units there and of the page's data
 * (borders, recruits). It has the row's id while it is open. The back button closes it or shows the report before.
 */
const GmMapReport = (() => {
  const PREFIX = "#place-";
  const { el } = GmDom;
  const copy = (cell) => [...cell.cloneNode(true).childNodes];

  /** `own`: the code of the page's realm; `places`: by name, each with its `row`. */
  class Reports {
    constructor(own, places) {
      Object.assign(this, { own, places, world: null, units: null });
    }

    /** The rows of all units, by place. They, and those of the places, are laid out first. */
    async rows() {
      const found = new Map();
      this.world = await GmDom.world();
      for (const id of ["world", "places"]) GmDom.unpack(GmDom.find(id), true);
      for (const row of document.querySelectorAll("#world tbody tr")) {
        const place = row.cells[2].querySelector("a").textContent;
        found.set(place, [...(found.get(place) || []), row]);
      }
      return found;
    }

    async article(place) {
      const units = (await (this.units ??= this.rows())).get(place.name) || [];
      const heads = place.row.closest("table").tHead.rows[0].cells;
      const around = this.borders(place);
      const facts = [
        ...[...place.row.cells].slice(1).map((cell) => [cell.colSpan > 1 ? _("Kind") : heads[cell.cellIndex].textContent, copy(cell)]),
        ...this.goods(place.name),
        [place.sea ? _("Coasts") : _("By land"), around.lands],
        [place.sea ? _("Seas") : _("Coast"), around.seas],
      ];
      return el("article", { id: `${PREFIX.slice(1)}${place.slug}`, class: place.side },
        el("h3", { tabindex: -1 }, place.name),
        el("dl", {}, facts.filter(([, inside]) => inside.length).map(([title, inside]) => [el("dt", {}, title), el("dd", {}, inside)])),
        this.sides(units));
    }

    /** What a city gives, each with its price; ships apart. */
    goods(name) {
      const found = this.world.lists[this.world.recruits[this.world.places.indexOf(name)]] || [];
      const troops = found.map((index) => Object.entries(this.world.choices.troops)[index]);
      return [[_("Recruits"), false], [_("Ships"), true]].map(([title, ship]) => [title,
        troops.filter(([, troop]) => Boolean(troop.ship) === ship).map(([kind, { cost }]) => `${kind} ${cost / 100}`).join(", ")]);
    }

    /** Links to the neighbours, with what is special about the way; of a coast, whether it has a harbour. */
    borders(place) {
      const found = { lands: [], seas: [] };
      const { places, ways } = this.world;
      const here = places.indexOf(place.name);
      for (const index of GmBook.near(this.world, here)) {
        const other = this.places.get(places[index]);
        const barrier = Object.keys(ways).find((way) => ways[way].some((pair) => pair.includes(here) && pair.includes(index)));
        const way = barrier || (place.sea && other.row.textContent.includes(_("harbour")) ? _("harbour") : "");
        const list = other.sea ? found.seas : found.lands;
        list.push(list.length ? ", " : "", el("a", { href: `${PREFIX}${other.slug}` }, other.name), way ? ` (${way})` : "");
      }
      return found;
    }

    /** The units at a place by realm, own ones as links to their rows, and the strength of several together. */
    sides(rows) {
      const found = new Map();
      for (const row of rows) {
        const [code, id] = row.id.split("/");
        found.set(code, [...(found.get(code) || []), { id, row, cells: row.cells }]);
      }
      const sum = (units, cell) => Number(units.reduce((all, { cells }) => all + Number(cells[cell].textContent.replace(/,/g, "")), 0).toFixed(1));
      return [...found].map(([code, units]) => [
        el("h4", { class: `u-${code}` }, units[0].cells[1].textContent,
          units.length > 1 ? el("i", {}, _(` combat ${sum(units, 4)}, hit points ${sum(units, 5)}`)) : null),
        el("ul", {}, units.map(({ id, row, cells }) => el("li", {},
          el("b", { "data-unit": row.id }, code === this.own ? el("a", { href: `#unit-${id}` }, copy(cells[0])) : copy(cells[0])),
          copy(cells[2]).slice(1), el("i", {}, _(` combat ${cells[4].textContent}, hit points ${cells[5].textContent}: `)), copy(cells[3])))),
      ]);
    }
  }

  class Panel {
    /** `find(slug)` is the place of a slug; `shown(place)` is called when another report is open, without one for none. */
    constructor(panel, reports, find, say, shown) {
      Object.assign(this, { panel, reports, find, say, shown, article: null, opener: null });
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
      if (slug !== this.slug) this.show(this.find(slug));
    }

    /** Opens the report of a place and puts the focus on it; `opener` gets it back. False when another was asked for since. */
    async open(slug, opener) {
      const was = this.slug;
      if (!(await this.show(this.find(slug)))) return false;
      if (!this.panel.contains(opener)) this.opener = opener;
      if (was !== slug) history.pushState(null, "", `${PREFIX}${slug}`);
      this.article.querySelector("h3").focus({ preventScroll: true });
      return true;
    }

    /** Shows the report of a place; without one, none. */
    async show(place) {
      this.wanted = place;
      const article = place ? (place.slug === this.slug ? this.article : await this.reports.article(place)) : null;
      if (this.wanted !== place) return false;
      if (this.article && article !== this.article) {
        this.row.id = this.article.id;
        this.article.remove();
      }
      if (article && article !== this.article) {
        this.row = place.row;
        this.row.removeAttribute("id");
        this.body.replaceChildren(article);
        this.body.scrollTop = 0;
      }
      this.article = article;
      this.panel.hidden = !place;
      this.say(place ? _(`${place.name}: location report`) : "");
      this.shown(place);
      return true;
    }

    /** Closes the panel and gives the focus back. */
    close() {
      const inside = this.panel.contains(document.activeElement);
      this.show(null);
      if (location.hash.startsWith(PREFIX)) history.replaceState(null, "", "#map");
      if (inside && this.opener && this.opener.isConnected) this.opener.focus({ preventScroll: true });
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

  return { Panel, Reports, PREFIX };
})();
