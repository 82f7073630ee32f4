"use strict";

/** What has no room aboard (M7), and landings (M8): gm/games/medieval/steps/storage.py and unloading.py. */
const GmShore = (() => {
  const { refuse, OPEN } = GmTurn;
  const CERTAIN = 100;

  // -- M7 --------------------------------------------------------------------------------------------------------------

  function fleetStorageChecked(turn) {
    const { world } = turn;
    const draft = new GmDraft(world);
    for (const fleet of world.units.values()) {
      const cargo = world.cargo(fleet.key);
      if (!cargo.length || fleet.doubt) continue;
      if (isKnown(world, fleet, cargo)) settleCargo(turn, draft, fleet.key);
      else perhapsOverboard(turn, draft, fleet, cargo);
    }
    turn.world = draft.finish();
  }

  /** Whether it is certain who is aboard, and which other fleets might take somebody over. */
  function isKnown(world, fleet, cargo) {
    const perhapsHere = GmDoubt.doubtful(world).some((other) =>
      other.kind === "F" && other.realm === fleet.realm && other.may.includes(fleet.place));
    return !fleet.ballast && !perhapsHere && cargo.every((army) => !army.doubt);
  }

  /** Where it is not known who is aboard, all are in doubt as soon as there may be too many. */
  function perhapsOverboard(turn, draft, fleet, cargo) {
    const { world } = turn;
    const weight = cargo.reduce((sum, army) => sum + world.weight(army), fleet.ballast || 0);
    if (weight <= world.storage(fleet) && world.ships(fleet)) return;
    cargo.forEach((army) => GmDoubt.cast(draft, turn, army.key));
    // what goes ashore or over to another fleet may do so as an army of its own
    cargo.forEach((army) => turn.unsureNumbers.add(`${army.realm}/A`));
  }

  /** Makes what is aboard a fleet fit. Commanders weigh nothing, but do not stay on a fleet without ships. */
  function settleCargo(turn, draft, key) {
    const fleet = draft.get(key);
    for (const [army, taken] of surplus(turn, draft, fleet)) {
      if (mayGoAshore(turn, draft, army, fleet)) {
        ashore(turn, draft, fleet, draft.get(army.key), taken);
        continue;
      }
      let left = taken;
      for (const other of ownFleetsThere(turn, draft, fleet)) {
        const fits = fitting(turn, left, room(turn, draft, other));
        if (!Object.keys(fits).length) continue;
        left = withoutThese(left, fits);
        part(turn, draft, draft.get(army.key), fits, other.key);
      }
      let reduced = draft.get(army.key);
      for (const [name, count] of Object.entries(left)) [reduced] = GmForces.take(reduced, name, count);
      draft.put(reduced);
    }
    if (!turn.world.ships(fleet)) abandonFleet(turn, draft, fleet);
  }

  /** M5, M7: commanders leave a fleet without ships: ashore in port, at sea for an own fleet there. */
  function abandonFleet(turn, draft, fleet) {
    const docked = draft.start.provinces.has(fleet.place);
    for (const army of draft.cargo(fleet)) {
      if (turn.world.isEmpty(army)) continue;
      const [other] = ownFleetsThere(turn, draft, fleet);
      if (docked) ashore(turn, draft, fleet, army, all(army));
      else if (other) part(turn, draft, army, all(army), other.key);
    }
  }

  /** [[army, {troop: count}]]: what is too much: foreign troops first, then own, heaviest first, then cheapest. */
  function surplus(turn, draft, fleet) {
    const { world } = turn;
    const { troops } = world.rules;
    let tooMuch = draft.cargo(fleet).reduce((sum, army) => sum + world.weight(army), 0) - world.storage(fleet);
    const aboard = draft.cargo(fleet).flatMap((army) => Object.keys(army.troops).map((name) => [army, name]));
    aboard.sort(([army, name], [other, another]) =>
      (army.realm === fleet.realm) - (other.realm === fleet.realm)
      || troops[another].weight - troops[name].weight
      || Number(troops[name].cost) - Number(troops[another].cost)
      || (name < another ? -1 : Number(name > another))
      || GmWorld.byOrder(army, other));
    const found = new Map();
    for (const [army, name] of aboard) {
      const heavy = troops[name].weight;
      if (tooMuch <= 0) break;
      if (heavy <= 0) continue;
      const count = Math.min(world.count(army, name), Math.ceil(tooMuch / heavy));
      tooMuch -= count * heavy;
      if (!found.has(army.key)) found.set(army.key, [army, {}]);
      found.get(army.key)[1][name] = count;
    }
    return [...found.values()];
  }

  function room(turn, draft, fleet) {
    const laden = draft.cargo(fleet).reduce((sum, army) => sum + turn.world.weight(army), fleet.ballast || 0);
    return turn.world.storage(fleet) - laden;
  }

  /** The realm's other fleets with ships at the same place. */
  function ownFleetsThere(turn, draft, fleet) {
    return draft.at(fleet.place).filter((unit) =>
      unit.kind === "F" && unit.realm === fleet.realm && unit.key !== fleet.key && turn.world.ships(unit) > 0);
  }

  /** As many of the troops as there is room for, in their order. */
  function fitting(turn, troops, free) {
    const fits = {};
    for (const [name, count] of Object.entries(troops)) {
      const heavy = turn.world.rules.troops[name].weight;
      const many = Math.max(0, Math.min(count, Math.floor(free / heavy)));
      if (many) fits[name] = many;
      free -= many * heavy;
    }
    return fits;
  }

  function withoutThese(troops, gone) {
    return Object.fromEntries(
      Object.entries(troops).map(([name, count]) => [name, count - (gone[name] || 0)]).filter(([, count]) => count),
    );
  }

  function mayGoAshore(turn, draft, army, fleet) {
    return draft.start.provinces.has(fleet.place)
      && GmTurn.agreed(draft.start, [fleet.place], (world) => world.hasPermission(army.realm, fleet.place)) === true;
  }

  function all(army) {
    return Object.fromEntries(Object.entries(army.troops).map(([name, ranks]) => [name, GmWorld.total(ranks)]));
  }

  /** The troops as a unit of their own: the army itself with its commanders when it is all of it, else a new one. */
  function part(turn, draft, army, troops, aboard) {
    const whole = Object.entries(all(army));
    if (whole.length === Object.keys(troops).length && whole.every(([name, count]) => troops[name] === count)) {
      draft.put({ ...army, aboard });
      return draft.get(army.key);
    }
    const taken = Object.entries(troops).map(([name, count]) => [name, GmForces.take(army, name, count)[1]]);
    const ranks = Object.fromEntries(taken);
    return GmForces.setApart(draft, turn, army, "A", ranks, [], aboard);
  }

  function ashore(turn, draft, fleet, army, troops) {
    const unit = part(turn, draft, army, troops, null);
    if (unit) draft.mark(unit, { spent: true, landed: true, cameFrom: null });
  }

  // -- M8 --------------------------------------------------------------------------------------------------------------

  function armiesUnloaded(turn) {
    const draft = new GmDraft(turn.world);
    const [entries, landings] = possibleLandings(turn);
    const chances = landingChances(turn, landings);
    const [landed, perhaps] = [new Set(), new Set()];
    for (const landing of landings) {
      const { army, place, entry } = landing;
      const chance = landing.invasion === true ? chances.get(`${army.realm} ${place}`) : CERTAIN;
      if (landing.open || chance === null) {
        entry.refusals.push(OPEN);
        perhaps.add(entry.fleet.key);
        GmDoubt.cast(draft, turn, army.key, [place]);
      } else if (chance === 0) {
        entry.refusals.push(refuse("landing-failed", { army: army.key, place, chance }));
      } else {
        landed.add(entry.fleet.key);
        land(draft, landing);
      }
    }
    for (const key of landed) draft.mark(key, { spent: true, unloads: draft.done(key).unloads + 1 });
    for (const key of perhaps) if (!landed.has(key)) GmDoubt.cast(draft, turn, key);
    for (const { order, refusals, armies } of entries) {
      const short = refusals.find((each) => each === OPEN) || refusals[0] || null;
      turn.settle(order, short, refusals.length < armies);
    }
    turn.world = draft.finish();
  }

  /** [entries, landings]: every unload entry whose time has come, and the landings that are possible, before any roll. */
  function possibleLandings(turn) {
    const { world } = turn;
    const entries = [];
    const landings = [];
    for (const fleet of turn.acting(["unload"])) {
      const named = new Set();
      for (const order of GmSea.atHead(turn, fleet, "unload")) {
        const wanted = Object.entries(order.value);
        const entry = { fleet, order, armies: wanted.length, refusals: [] };
        entries.push(entry);
        for (const [reference, place] of wanted) {
          const army = world.units.get(GmDoubt.keyOf(turn, reference)) || null;
          let refusal = whyNotUnload(world, fleet, world.done(fleet), army, reference, place);
          if (!refusal && named.has(army.key)) refusal = refuse("army-unloaded-twice", { army: army.key });
          if (refusal && refusal !== OPEN) {
            entry.refusals.push(refusal);
            continue;
          }
          named.add(army.key);
          const invasion = GmTurn.agreed(world, [place], (each) => each.isEnemyLand(army.realm, place));
          landings.push({ army, place, invasion, entry, open: refusal === OPEN || invasion === OPEN });
        }
      }
    }
    return [entries, landings];
  }

  function whyNotUnload(world, fleet, done, army, reference, place) {
    if (fleet.kind !== "F") return refuse("only-fleets-unload");
    const perhaps = army !== null && army.doubt && army.kind === "A";
    if (!perhaps && (!army || army.aboard !== fleet.key)) {
      return refuse("army-not-aboard", { army: army ? army.key : reference, fleet: fleet.key });
    }
    if (perhaps) return OPEN;
    if (done.unloads > 1) return refuse("unloaded-enough", { fleet: fleet.key });
    if (world.isSea(place)) return refuse("unload-into-sea", { place });
    if (place !== fleet.place) {
      if (!world.isSea(fleet.place)) return refuse("docked-elsewhere", { place, other: fleet.place });
      if (!world.borders(fleet.place, place)) return refuse("no-border", { place: fleet.place, other: place });
      if (!world.isOpen(fleet.place, place)) return refuse("reefs", { place: fleet.place, other: place });
    }
    return GmTurn.agreed(world, [place], (each) =>
      (each.hasPermission(army.realm, place) || each.isEnemyLand(army.realm, place)
        ? null
        : army.realm !== fleet.realm
          ? refuse("guest-not-permitted", { place, realm: each.provinces.get(place).owner, guest: army.realm })
          : refuse("no-permission-to-enter", { place, realm: each.provinces.get(place).owner })));
  }

  /** By realm and place: the percent chance of an invasion if it is 0 or certain, else null: the dice decide. */
  function landingChances(turn, landings) {
    const sums = new Map();
    for (const { army, place, open, invasion } of landings) {
      const where = `${army.realm} ${place}`;
      const sum = sums.get(where) || { combat: 0, perhaps: false };
      if (open) sum.perhaps = true;
      else if (invasion) sum.combat += turn.world.totalCombat(army, false);
      sums.set(where, sum);
    }
    return new Map([...sums].map(([where, { combat, perhaps }]) => {
      const known = combat >= CERTAIN || (combat === 0 && !perhaps);
      return [where, known ? Math.min(combat, CERTAIN) : null];
    }));
  }

  function land(draft, { army, place }) {
    draft.put({ ...army, aboard: null, place });
    draft.mark(army, { spent: true, landed: true, cameFrom: null });
  }

  return { fleetStorageChecked, armiesUnloaded, whyNotUnload };
})();
