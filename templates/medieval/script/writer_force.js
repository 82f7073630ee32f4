"use strict";

/**
 * The realm's own units as the player thinks of them: with those that this sheet forms, and with whom each will have
 * once the transfers of the sheet are made. Good enough to fill in a form; the trial says what truly happens.
 */
const GmWriterForce = (() => {
  const KINDS = { A: "Armies", F: "Fleets", G: "Garrisons" };
  const RANKS = 5;

  /** The realm's own units now, by id. */
  function present(desk) {
    const found = new Map();
    for (const [key, unit] of Object.entries(desk.data.position.units)) {
      const [realm, id] = key.split("/");
      if (realm !== desk.own.realm) continue;
      const troops = Object.entries(unit.troops || {}).map(([name, ranks]) => [name, [...ranks]]);
      found.set(id, {
        ...unit, id, key, kind: id[0], formed: false, troops: new Map(troops), commanders: [...(unit.commanders || [])],
      });
    }
    return found;
  }

  /** The same with the units that the sheet forms, each with the troops and commanders that transfers leave it with. */
  function planned(desk) {
    const units = present(desk);
    for (const order of desk.sheet.orders.filter((each) => each.word === "form" && standing(desk, each))) {
      const maker = units.get(order.unit);
      const { id, name } = GmWriterValues.formed(order.value);
      if (!maker || units.has(id)) continue;
      units.set(id, {
        id, name, key: `${desk.own.realm}/${id}`, kind: id[0], formed: true, place: maker.place, aboard: maker.aboard,
        troops: new Map(), commanders: [],
      });
    }
    for (const order of desk.sheet.orders.filter((each) => each.word === "transfer" && standing(desk, each))) {
      hand(units, order);
    }
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

  /** Whether an order is not known to fail. */
  function standing(desk, order) {
    const result = desk.trial && desk.trial.orders[order.id];
    return !result || result.fate !== "failed";
  }

  /** Moves what one transfer moves: the rearmost troops first, in the ranks that they had (W6). */
  function hand(units, order) {
    const giver = units.get(order.unit);
    const { to, troops, commanders } = GmWriterValues.transfer(order.value);
    const receiver = units.get(to) || { troops: new Map(), commanders: [] };
    if (!giver) return;
    for (const [troop, count] of Object.entries(troops)) {
      const taken = take(giver, troop, count);
      const there = receiver.troops.get(troop) || Array(RANKS).fill(0);
      receiver.troops.set(troop, there.map((each, rank) => each + taken[rank]));
    }
    for (const name of commanders) {
      const who = giver.commanders.find((each) => each.name === name);
      if (!who) continue;
      giver.commanders = giver.commanders.filter((each) => each !== who);
      receiver.commanders = [...receiver.commanders, who];
    }
  }

  function take(unit, troop, wanted) {
    const have = unit.troops.get(troop) || Array(RANKS).fill(0);
    const taken = Array(RANKS).fill(0);
    for (let rank = RANKS - 1, left = wanted; rank >= 0; rank -= 1) {
      taken[rank] = Math.min(have[rank], left);
      have[rank] -= taken[rank];
      left -= taken[rank];
    }
    if (have.some(Boolean)) unit.troops.set(troop, have);
    else unit.troops.delete(troop);
    return taken;
  }

  const total = (ranks) => ranks.reduce((sum, each) => sum + each, 0);

  /** How many troops stand in a unit. */
  function size(unit) {
    return [...unit.troops.values()].reduce((sum, ranks) => sum + total(ranks), 0);
  }

  /** "2 Crusader Knights, 1 Light Spearmen, Dietrich of Altenburg": who is in a unit, in words. */
  function roll(unit) {
    const troops = [...unit.troops].map(([name, ranks]) => `${total(ranks)} ${name}`);
    return [...troops, ...unit.commanders.map((each) => each.name)].join(", ") || "nobody";
  }

  /** What a unit is called: "A1 “Grey Cloaks”", and a garrison by its province. */
  function label(unit) {
    if (unit.kind === "G") return unit.absent ? unit.id : `${unit.place} (${unit.id})`;
    return unit.name ? `${unit.id} “${unit.name}”` : unit.id;
  }

  /** Armies, fleets, garrisons: [title, units by number]. */
  function grouped(units) {
    return Object.entries(KINDS)
      .map(([kind, title]) => [title, [...units.values()].filter((each) => each.kind === kind).sort(byNumber)])
      .filter(([, members]) => members.length);
  }

  const byNumber = (one, other) => Number(one.id.slice(1)) - Number(other.id.slice(1));

  /** The lowest number that no army (fleet) of the realm has or gets. */
  function freeId(units, kind) {
    let number = 1;
    while (units.has(`${kind}${number}`)) number += 1;
    return `${kind}${number}`;
  }

  /** The place, ship and move-points of a unit at the end of the last planned phase. */
  function last(desk, unit) {
    const { phases } = desk.trial;
    for (let index = phases.length - 1; index >= 0; index -= 1) {
      const found = phases[index].units[unit.key];
      if (found) return found;
    }
    return { place: unit.place, aboard: unit.aboard, moves: null };
  }

  return { present, planned, total, size, roll, label, grouped, freeId, last, RANKS };
})();
