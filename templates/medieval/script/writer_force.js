"use strict";

/**
 * The realm's own units as the player thinks of them: with those that this sheet forms, and with whom each will have
 * once the transfers of the sheet are made.
 */
const GmWriterForce = (() => {
  const KINDS = { A: _("Armies"), F: _("Fleets"), G: _("Garrisons") };

  /** The realm's own units by id, with those that the sheet forms, each where it is now and with whom transfers leave it. */
  function planned(desk) {
    const now = desk.data.muster();
    const units = new Map([...desk.roster].map(([id, unit]) =>
      [id, { ...unit, place: unit.began, aboard: now.has(id) ? now.get(id).aboard : unit.formed && unit.aboard }]));
    for (const { unit } of desk.sheet.orders) {
      if (unit !== null && !units.has(unit)) units.set(unit, absent(desk, unit));
    }
    return units;
  }

  /** What is ordered something but is not there: its forming was taken back, or its province is still to be won. */
  function absent(desk, id) {
    const known = /^[AFG][0-9]+$/.test(id);
    return {
      id, key: `${desk.own.realm}/${id}`, kind: known ? id[0] : "G", place: known ? "" : id, absent: true, formed: false,
      troops: new Map(), commanders: [],
    };
  }

  /** "2 Crusader Knights, 1 Light Spearmen, Dietrich of Altenburg": who is in a unit, in words. */
  function roll(unit) {
    const troops = [...unit.troops].map(([name, ranks]) => GmBook.numbered(GmBook.total(ranks), name));
    return [...troops, ...unit.commanders.map((each) => each.name)].join(", ") || _("nobody");
  }

  /** What a unit is called: "A1 “Grey Cloaks”", and a garrison by its province. */
  function label(unit) {
    if (unit.kind === "G") return unit.absent ? unit.id : `${unit.place} (${unit.id})`;
    return GmBook.called(unit);
  }

  /** Armies, fleets, garrisons: [title, units by number]. */
  function grouped(units) {
    return Object.entries(KINDS)
      .map(([kind, title]) => [title, [...units.values()].filter((each) => each.kind === kind).sort(byNumber)])
      .filter(([, members]) => members.length);
  }

  const byNumber = (one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1));

  /** The lowest number that no army (fleet) of the realm has or gets. */
  function freeNumber(units, kind) {
    let number = 1;
    while (units.has(`${kind}${number}`)) number += 1;
    return number;
  }

  /** The place, ship and move-points of a unit at the end of the last planned phase. */
  function last(desk, unit) {
    const { phases } = desk.trial;
    return phases.findLast(({ units }) => units[unit.key])?.units[unit.key] ?? { place: unit.place, aboard: unit.aboard, moves: null };
  }

  return { planned, roll, label, grouped, freeNumber, last };
})();
