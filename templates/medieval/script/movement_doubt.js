"use strict";

/** Units in doubt: where they may be, and how doubt spreads to those whom they may meet or carry. */
const GmDoubt = (() => {
  /** The units at a place and those in doubt that may be there. `world` is a world or a draft's start. */
  function present(world, place) {
    const sure = world.at(place).filter((unit) => !unit.doubt);
    return [...sure, ...doubtful(world).filter((unit) => unit.may.includes(place))];
  }

  /** All units in doubt, in the order of W12; a world remembers them with its other groups. */
  function doubtful(world) {
    const groups = world.grouped();
    if (!groups.doubtful) groups.doubtful = [...world.units.values()].filter((unit) => unit.doubt);
    return groups.doubtful;
  }

  /** Where a unit is, or may be. */
  function places(unit) {
    return unit.doubt ? unit.may : [unit.place];
  }

  /**
   * Puts a unit in doubt, and with a fleet everybody aboard: it may be at these places, where it is, and where what is
   * left of the plans may take it. Says whether that is news.
   */
  function cast(draft, turn, key, more = []) {
    const unit = draft.get(key);
    const may = new Set([...(unit.may || []), unit.place, ...more, ...ahead(draft, turn, unit)]);
    if (unit.doubt && may.size === unit.may.length) return false;
    draft.put({ ...unit, doubt: true, may: [...may] });
    if (unit.kind === "F") draft.cargo(unit).forEach((army) => cast(draft, turn, army.key, may));
    return true;
  }

  /** Where plans may yet take a unit: its own, and those of the fleets that carry it or are to carry it. */
  function ahead(draft, turn, unit) {
    const found = moves(turn.left(unit));
    if (unit.kind !== "A") return found;
    for (const fleet of draft.start.ofRealm(turn.realm).filter((each) => each.kind === "F")) {
      const entries = turn.left(fleet);
      const named = entries.some((each) => carried(turn, each).includes(unit.key));
      if (!named && unit.aboard !== fleet.key) continue;
      const now = draft.get(fleet.key);
      found.push(now.place, ...(now.may || []), ...moves(entries), ...landings(turn, entries, unit.key));
    }
    return found;
  }

  /** Where marches and sails of a plan lead. */
  function moves(entries) {
    return entries.filter((each) => ["march", "sail"].includes(each.word)).map((each) => each.value);
  }

  /** The keys of the armies that a load or unload entry names. */
  function carried(turn, entry) {
    if (entry.word === "load") return entry.value.map((each) => keyOf(turn, each));
    return entry.word === "unload" ? Object.keys(entry.value).map((each) => keyOf(turn, each)) : [];
  }

  function landings(turn, entries, key) {
    return entries.filter((each) => each.word === "unload").flatMap((each) =>
      Object.entries(each.value).filter(([army]) => keyOf(turn, army) === key).map(([, place]) => place));
  }

  /** The key of a unit as an order names it: "A3" is one's own, "AQU/A3" another realm's. */
  function keyOf(turn, reference) {
    return reference.includes("/") ? reference : `${turn.realm}/${reference}`;
  }

  /** A fleet that a realm may have won at a place out of these troops' ships, where it had none: nobody can order it. */
  function prizeFleet(draft, turn, realm, at, troops) {
    const name = `${realm} ${at[0]}`;
    const ships = Object.entries(troops).filter(([troop]) => turn.world.isShip(troop));
    if (turn.prizes.has(name) || !ships.length) return;
    turn.prizes.add(name);
    const number = draft.freeNumber(realm, "F");
    const given = { place: at[0], troops: Object.fromEntries(ships) };
    const fleet = { ...GmWorld.unit(`${realm}/F${number}`, given), doubt: true, may: at, prize: true };
    draft.put(fleet);
    draft.mark(fleet, { spent: true });
  }

  /** A province may have seen a battle, a pillage or damage to its walls. */
  function unsure(draft, place, what) {
    const mark = draft.provinceMark(place);
    draft.markProvince(place, { unsure: { ...mark.unsure, ...what } });
  }

  return { present, doubtful, places, cast, ahead, keyOf, prizeFleet, unsure };
})();
