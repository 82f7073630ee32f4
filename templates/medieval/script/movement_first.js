"use strict";

/** First Events on units (F5-F10): gm/games/medieval/steps/units.py, administration.py and the transfers of F8. */
const GmFirstEvents = (() => {
  const { refuse } = GmTurn;

  // -- F5, F6 ----------------------------------------------------------------------------------------------------------

  function whyNotForm(turn, maker, order, taken) {
    const { world } = turn;
    const { id } = order.value;
    const limit = world.rules.units.number_limit;
    if (!maker) return refuse("unit-not-yours", { unit: order.unit });
    const number = /^[AF][0-9]+$/.test(id) ? Number(id.slice(1)) : 0;
    if (number < 1 || number > limit) return refuse("number-out-of-range", { unit: id, limit });
    if (taken) return refuse("number-taken", { unit: id });
    if (id[0] === "A") return maker.kind === "F" ? refuse("fleet-forms-army", { unit: maker.id }) : null;
    if (maker.kind === "A") return refuse("army-forms-fleet", { unit: maker.id });
    if (maker.kind === "G" && !(world.city(maker.place) && world.provinces.get(maker.place).harbour)) {
      return refuse("fleet-needs-city-harbour", { place: maker.place });
    }
    return null;
  }

  function newArmiesFormed(turn) {
    formed(turn, "A");
  }

  function newFleetsFormed(turn) {
    formed(turn, "F");
  }

  function formed(turn, kind) {
    const { world } = turn;
    const draft = new GmDraft(world);
    for (const order of turn.unitOrders("form")) {
      const { id } = order.value;
      // ids of neither kind are refused with the armies, so that each order is settled once
      if ((id[0] === "F") !== (kind === "F")) continue;
      const maker = draft.own(turn.realm, order.unit);
      const key = `${turn.realm}/${id}`;
      const taken = draft.get(key) !== null || world.progress.units.has(key);
      const refusal = whyNotForm(turn, maker, order, taken);
      if (refusal) {
        turn.settle(order, refusal);
        continue;
      }
      const name = fittingName(order.value.name, world.rules);
      const aboard = kind === "A" ? maker.aboard : null;
      const unit = GmForces.unit(turn.realm, kind, Number(id.slice(1)), maker.place, { aboard, name });
      draft.put(unit);
      draft.mark(unit);
      turn.settle(order, whyCut(name, order.value.name, world.rules), true);
    }
    turn.world = draft.finish();
  }

  /** A name cut to the length that units may have; characters as Python counts them. */
  function fittingName(name, rules) {
    return name ? [...name].slice(0, rules.units.name_length).join("") : null;
  }

  function whyCut(name, wanted, rules) {
    return name !== (wanted || null) ? refuse("name-cut", { limit: rules.units.name_length }) : null;
  }

  // -- F7 --------------------------------------------------------------------------------------------------------------

  function administrativeActions(turn) {
    const draft = new GmDraft(turn.world);
    for (const order of turn.headquartersOrders("send_ambassador")) turn.settle(order, turn.whyNotDealWith(order.value));
    const commanders = turn.world.ofRealm(turn.realm).flatMap((unit) => unit.commanders.map((each) => each.name));
    const names = new Set(commanders);
    const renamed = new Map();
    for (const order of turn.headquartersOrders("rename_commander")) {
      const refusal = whyNotRenameCommander(names, order.value, turn.world.rules);
      turn.settle(order, refusal);
      if (refusal) continue;
      renameCommander(draft, names, turn.realm, order.value);
      renamed.set(order.value.name, order.value.new_name);
    }
    for (const order of turn.unitOrders("name", "retreat_level", "follow", "marines", "leader")) {
      const unit = draft.own(turn.realm, order.unit);
      if (!unit) {
        turn.settle(order, refuse("unit-not-yours", { unit: order.unit }));
        continue;
      }
      const [changed, refusal] = acted(turn, draft, unit, order, names, renamed);
      draft.put(changed);
      if (!refusal && order.word === "leader" && order.value !== null && !leads(changed)) turn.awaited.push(order);
      else turn.settle(order, refusal, order.word === "name");
    }
    turn.world = draft.finish();
  }

  const leads = (unit) => unit.commanders.some((each) => each.name === unit.leader);

  /** Settles the choice of leaders who were elsewhere: when they have come, or at the last (F7). */
  function leadersCome(turn, last = false) {
    const { world } = turn;
    turn.awaited = turn.awaited.filter((order) => {
      const unit = world.unitOf(turn.realm, order.unit);
      const here = Boolean(unit) && leads(unit);
      if (!here && !last) return true;
      const doubt = world.ofRealm(turn.realm).some((each) => each.doubt && (each === unit || each.commanders.length));
      turn.settle(order, here ? null : doubt ? GmTurn.OPEN : refuse("leader-never-came", {
        commander: unit && unit.leader ? unit.leader : order.value, unit: order.unit,
      }));
      return false;
    });
  }

  function whyNotRenameCommander(names, { name, new_name: wanted }, rules) {
    if (!names.has(name)) return refuse("commander-unknown", { commander: name });
    const limit = rules.units.name_length;
    if (!wanted || [...wanted].length > limit) return refuse("name-too-long", { limit });
    return names.has(wanted) ? refuse("commander-name-taken", { commander: wanted }) : null;
  }

  function renameCommander(draft, names, realm, { name, new_name: wanted }) {
    names.delete(name);
    names.add(wanted);
    for (const { key } of draft.start.ofRealm(realm)) {
      const unit = draft.get(key);
      const commanders = unit.commanders.map((each) => (each.name === name ? { ...each, name: wanted } : each));
      draft.put({ ...unit, commanders, leader: unit.leader === name ? wanted : unit.leader });
    }
  }

  /** [unit, refusal]: the unit after one action, or as it was with the reason. */
  function acted(turn, draft, unit, { word, value }, names, renamed) {
    const { rules } = turn.world;
    if (word === "name") {
      const name = fittingName(value, rules);
      return [{ ...unit, name }, whyCut(name, value, rules)];
    }
    if (word === "retreat_level") {
      const limit = rules.units.ranks;
      if (value < 1 || value > limit) return [unit, refuse("retreat-level-out-of-range", { level: value, limit })];
      return [unit, unit.kind === "G" ? refuse("garrison-stays", { unit: unit.id }) : null];
    }
    if (word === "follow") {
      const leader = value === null ? null : draft.own(unit.realm, value);
      const refusal = whyNotFollow(unit, leader, value, draft);
      return refusal ? [unit, refusal] : [{ ...unit, follow: leader ? leader.id : null }, null];
    }
    if (word === "marines") {
      if (unit.kind !== "A") return [unit, refuse("marines-are-armies", { unit: unit.id })];
      return [{ ...unit, marines: value }, null];
    }
    if (value === null) return [{ ...unit, leader: null }, null];
    // a leader may be chosen under the name that he had when the orders were written
    const name = renamed.get(value) || value;
    return names.has(name) ? [{ ...unit, leader: name }, null] : [unit, refuse("commander-unknown", { commander: value })];
  }

  function whyNotFollow(unit, leader, wanted, draft) {
    if (unit.kind === "G") return refuse("garrison-stays", { unit: unit.id });
    if (wanted === null) return null;
    if (!leader) return refuse("unit-not-yours", { unit: wanted });
    const seen = new Set();
    const next = (each) => (each.follow ? draft.own(unit.realm, each.follow) : null);
    for (let ahead = leader; ahead && !seen.has(ahead.key); ahead = next(ahead)) {
      if (ahead.key === unit.key) return refuse("follow-in-circle", { unit: unit.id, leader: leader.id });
      seen.add(ahead.key);
    }
    return null;
  }

  // -- F9 --------------------------------------------------------------------------------------------------------------

  /** [ranks, too many]: the ranks after an order, and how many troops it named too many. */
  function reassigned(have, wanted) {
    const counts = have.map((_, index) => wanted[index + 1] || 0);
    const tooMany = Math.max(0, GmWorld.total(counts) - GmWorld.total(have));
    for (let index = counts.length - 1, excess = tooMany; index >= 0; index -= 1) {
      const cut = Math.min(counts[index], excess);
      counts[index] -= cut;
      excess -= cut;
    }
    const staying = have.map((here, index) => Math.max(0, here - counts[index]));
    let toMove = GmWorld.total(have.map((here, index) => Math.max(0, counts[index] - here)));
    staying.forEach((here, index) => {
      const moved = Math.min(here, toMove);
      staying[index] -= moved;
      toMove -= moved;
    });
    return [counts.map((count, index) => count + staying[index]), tooMany];
  }

  function whyNotRank(world, unit, order) {
    const { troop, counts } = order.value;
    const limit = world.rules.units.ranks;
    if (!unit) return refuse("unit-not-yours", { unit: order.unit });
    if (Object.entries(counts).some(([rank, count]) => rank < 1 || rank > limit || count < 0)) {
      return refuse("rank-out-of-range", { limit });
    }
    return world.count(unit, troop) ? null : refuse("ranks-no-troops", { troop, unit: unit.id });
  }

  function troopsReassignedToRanks(turn) {
    const draft = new GmDraft(turn.world);
    for (const order of turn.unitOrders("ranks")) {
      const { troop, counts } = order.value;
      const unit = draft.own(turn.realm, order.unit);
      const refusal = whyNotRank(turn.world, unit, order);
      if (refusal) {
        turn.settle(order, refusal);
        continue;
      }
      const [ranks, tooMany] = reassigned(unit.troops[troop], counts);
      draft.put(GmForces.withTroops(unit, { ...unit.troops, [troop]: ranks }));
      const named = GmWorld.total(Object.values(counts));
      turn.settle(order, tooMany ? refuse("ranks-cut", { named, has: named - tooMany, troop }) : null, true);
    }
    turn.world = draft.finish();
  }

  // -- F10 -------------------------------------------------------------------------------------------------------------

  /** What disbanding one troop brings: ships (not at sea) and siege machines a share of their build cost. */
  function salvage(world, troop, place) {
    const { kind, cost } = world.rules.troops[troop];
    if (kind !== "siege" && (!world.isShip(troop) || world.isSea(place))) return 0;
    return Math.floor(GmWorld.cents(cost) / world.rules.economy.salvage_divisor);
  }

  function troopsDisbanded(turn) {
    const draft = new GmDraft(turn.world);
    for (const order of turn.unitOrders("disband", "disband_commanders")) {
      const unit = draft.own(turn.realm, order.unit);
      if (!unit) turn.settle(order, refuse("unit-not-yours", { unit: order.unit }));
      else if (order.word === "disband") disband(turn, draft, unit, order);
      else dismiss(turn, draft, unit, order);
    }
    turn.world = draft.finish();
  }

  function disband(turn, draft, unit, order) {
    const { troop, count: ordered } = order.value;
    const has = turn.world.count(unit, troop);
    const count = Math.min(ordered, has);
    if (count <= 0) {
      turn.settle(order, refuse("disband-no-troops", { troop, unit: unit.id }));
      return;
    }
    draft.put(GmForces.take(unit, troop, count)[0]);
    turn.settle(order, has < ordered ? refuse("troops-fewer", { ordered, has, troop }) : null, true);
    turn.change(salvage(turn.world, troop, unit.place) * count, "salvage");
  }

  function dismiss(turn, draft, unit, order) {
    const here = unit.commanders.some((each) => each.name === order.value);
    if (here) draft.put(GmForces.withoutCommander(unit, order.value)[0]);
    turn.settle(order, here ? null : refuse("commander-not-here", { commander: order.value, unit: unit.id }));
  }

  return {
    newArmiesFormed, newFleetsFormed, administrativeActions, leadersCome, troopsReassignedToRanks, troopsDisbanded,
  };
})();
