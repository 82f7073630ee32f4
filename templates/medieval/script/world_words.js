"use strict";

/** Refusals in plain words (gm/games/medieval/report/sentences.py): which clause decided, and the figures. */
class GmWords {
  /** `world` is the one before the turn: a unit that is formed in it goes by its id alone. */
  constructor(data, world) {
    this.data = data;
    this.world = world;
  }

  /** {clause, says} of a reason; empty without one. */
  reason(reason, figures) {
    const known = this.data.reasons[reason];
    if (!known) return { clause: "", says: "" };
    const put = (_, name, noun) => GmWords.counted(this.words(figures[name], name), noun);
    return { clause: known.clause, says: known.says.replace(/\{(\w+)(?::([^}]+))?\}/g, put) };
  }

  words(value, name) {
    if (value === null || value === undefined) return "none";
    if (typeof value === "object") return GmWords.gold(value.cents);
    if (typeof value !== "string") return String(value);
    return GmWords.FREE_TEXT.has(name) ? GmText.printable(value) : this.said(value);
  }

  said(value) {
    if (value === GmWorld.IND) return "the independents";
    const realm = this.world.realms.get(value);
    if (realm) return realm.name;
    return /^[A-Z]{3}\/[AFG]\d{1,5}$/.test(value) ? this.unit(value) : value;
  }

  /** A unit in words: `A12 “Royal Lions” of England`, `the garrison of London`. */
  unit(key) {
    const [code, id] = key.split("/");
    const unit = this.world.units.get(key);
    if (unit && unit.kind === "G") return `the garrison of ${unit.place}`;
    const name = unit && unit.name ? ` “${GmText.printable(unit.name)}”` : "";
    return `${id}${name} of ${this.said(code)}`;
  }

  /** With a noun, `{needs:move-point}`, what is counted by the figure: "1 move-point", "2 move-points". */
  static counted(figure, noun) {
    return noun ? `${figure} ${noun}${figure === "1" ? "" : "s"}` : figure;
  }

  /** Gold for people: no cents when there are none, thousands apart, a true minus sign. */
  static gold(cents) {
    const [whole, rest] = GmWorld.text(Math.abs(cents)).split(".");
    const shown = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return `${cents < 0 ? "−" : ""}${shown}${rest === "00" ? "" : `.${rest}`}`;
  }
}

/** Figures that hold what a player wrote: never taken for a realm's code or a unit's key. */
GmWords.FREE_TEXT = new Set(["name", "commander", "leader"]);
