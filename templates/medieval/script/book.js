"use strict";

/**
 * What the page knows of the turn: its two blocks of data (gm/games/medieval/report/page_data.py) as one, with the map,
 * the own units and the tables of what can be chosen (gm/games/medieval/analysis/choices.py).
 *
 * An answer of a table is a number (a cost) or a text: the index of the reason why not. Nothing here decides: a reason
 * comes with its clause and its sentence, and only its figures are put in.
 */
class GmBook {
  /** `world` and `own` are the page's data blocks. */
  constructor(world, own) {
    Object.assign(this, world);
    this.own = own;
    this.realm = own.realm;
    this.shared = world.choices;
    this.choices = own.choices;
    Object.assign(GmBook, { names: this.shared.names, titles: this.shared.titles });
    this.index = new Map(world.places.map((name, index) => [name, index]));
    this.sea = new Set(world.seas.map((index) => world.places[index]));
    this.table = Object.fromEntries(Object.entries(world.grammar).map(([section, words]) =>
      [section, new Map(words.map((word) => [word.name, { kinds: "AFG", ...word, section }]))]));
  }

  /** The word of an order. Throws for one that the grammar does not have. */
  word({ section, word }) {
    const found = this.table[section].get(word);
    if (!found) throw new Error(`no order is called ${word}`);
    return found;
  }

  // -- the map -------------------------------------------------------------------------------------------------------

  /** The neighbours of a place, all by number: the data names each border at the lower of its places. */
  static near({ near }, here) {
    return [...near.keys()].filter((other) => near[Math.min(here, other)].includes(Math.max(here, other)));
  }

  neighbours(place) {
    return GmBook.near(this, this.index.get(place)).map((index) => this.places[index]);
  }

  /** Why the way from one place to the next is closed to all; undefined where it is not. */
  closed(word, from, to) {
    return this.shared.closed[word][`${this.index.get(from)},${this.index.get(to)}`];
  }

  owner(place) {
    return this.owners[this.index.get(place)];
  }

  /** Whether the realm and a place's owner are at war, after these declarations as well; independents always are. */
  foe(code, declared) {
    return code !== this.realm && (!Object.hasOwn(this.realms, code) || this.own.relations[code] === "at war" || declared.has(code));
  }

  /** "attack: wins about 7 of 10" where enemies stand in a unit's way, as far as its odds are known; else nothing. */
  attack(unit, place, declared) {
    // at sea whoever is aboard another's ship fights as well
    const foe = ([code, , combat, , ships]) => {
      const meets = unit.kind !== "F" ? combat : this.sea.has(place) ? combat || ships : ships;
      return meets && this.foe(code, declared);
    };
    if (!this.strangers(place).some(foe)) return "";
    // whom a new army is of, stands in its garrison
    const known = unit.formed ? this.find(this.muster(), unit.began) : !unit.changed && unit;
    const [, odds] = (known && (this.own.odds[known.id] || {})[this.index.get(place)]) || [];
    return odds ? _(`attack: ${odds}`) : _("attack");
  }

  /** Who of others stands at a place: [realm, soldiers, total combat, hit points, ships]. */
  strangers(place) {
    return (this.there[this.index.get(place)] || []).filter(([code]) => code !== this.realm);
  }

  // -- units ---------------------------------------------------------------------------------------------------------

  /** The realm's own units as they stand now, by id, in the order in which they act. */
  muster() {
    const found = new Map();
    for (const [id, unit] of Object.entries(this.own.units)) {
      const troops = Object.entries(unit.troops || {}).map(([name, ranks]) => [name, [...ranks]]);
      found.set(id, {
        name: null, aboard: null, ...unit, id, key: `${this.realm}/${id}`, kind: id[0], formed: false,
        troops: new Map(troops), commanders: [...(unit.commanders || [])],
      });
    }
    return found;
  }

  /** The unit that an order names: by id, or a garrison by its province. */
  find(units, reference) {
    return units.get(reference) || [...units.values()].find((each) => each.kind === "G" && each.place === reference);
  }

  /** A unit in the words of reasons: "A12 “Royal Lions” of England", "the garrison of London". */
  named(unit) {
    if (unit.kind === "G") return _(`the garrison of ${unit.place}`);
    return _(`${GmBook.called(unit)} of ${this.realms[this.realm]}`);
  }

  /** An army or fleet: "A12 “Royal Lions”". */
  static called = ({ id, name }) => (name ? _(`${id} “${name}”`) : id);

  /** What the figures of a unit's troops add up to. */
  sum(unit, figure) {
    return [...unit.troops].reduce((sum, [name, ranks]) => sum + GmBook.total(ranks) * (this.shared.troops[name][figure] || 0), 0);
  }

  /** Move-points a turn: those of its slowest. */
  pace(unit) {
    if (unit.kind === "G") return 0;
    const figures = [...unit.troops.keys()].map((name) => this.shared.troops[name].moves || 0);
    if (figures.length) return Math.min(...figures);
    return unit.kind === "A" && unit.commanders.length ? this.shared.commander.moves : 0;
  }

  /** "1 Archer", "2 Trading Cogs". */
  static numbered = (count, troop) => `${count} ${GmBook.names[count === 1 ? "one" : "many"][troop] || troop}`;

  static total(ranks) {
    return ranks.reduce((sum, each) => sum + each, 0);
  }

  // -- reasons -------------------------------------------------------------------------------------------------------

  /** {clause, says} of an answer of the realm's own tables; `figures` fill in the blanks, `to` also whose it is. */
  reason(answer, figures = {}) {
    return GmBook.worded(this.choices.says[answer], { owner: this.realms[this.owner(figures.to)] || _("the independents"), ...figures });
  }

  /** The same of a way that is closed to all. */
  barrier(answer, figures) {
    return GmBook.worded(this.shared.says[answer], figures);
  }

  /** The same of what is added up here, by its name. */
  said(name, figures = {}) {
    return this.barrier(this.shared.said[name], figures);
  }

  static worded([clause, says], figures) {
    const put = (_, name, noun) => {
      const figure = String(Object.hasOwn(figures, name) ? figures[name] : "?");
      const [one, many = `${one}s`] = (noun || "").slice(1).split("|");
      return noun ? `${figure} ${figure === "1" ? one : many}` : figure;
    };
    return { clause, says: says.replace(/\{(\w+)(:[^}]+)?\}/g, put) };
  }
}
