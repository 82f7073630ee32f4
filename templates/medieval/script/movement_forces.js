"use strict";

/**
 * Troops within units, new units out of parts of others, garrisons, and provinces that change hands: state/unit.py,
 * garrisons.py, forming.py and ownership.py under gm/games/medieval.
 */
const GmForces = (() => {
  const RANKS = 5;
  const noRanks = () => Array(RANKS).fill(0);

  // -- troops (state/unit.py) ------------------------------------------------------------------------------------------

  /** A unit with exactly these troops; types with no troop left are dropped. */
  function withTroops(unit, troops) {
    return { ...unit, troops: Object.fromEntries(Object.entries(troops).filter(([, ranks]) => ranks.some(Boolean))) };
  }

  function add(unit, troop, ranks) {
    const have = unit.troops[troop] || noRanks();
    return withTroops(unit, { ...unit.troops, [troop]: have.map((each, rank) => each + ranks[rank]) });
  }

  /** [unit, ranks]: without `count` troops of a type, the rearmost ranks first, and the ranks that they stood in. */
  function take(unit, troop, count) {
    const have = [...(unit.troops[troop] || noRanks())];
    const taken = noRanks();
    for (let rank = RANKS - 1; rank >= 0; rank -= 1) {
      taken[rank] = Math.min(have[rank], count);
      have[rank] -= taken[rank];
      count -= taken[rank];
    }
    return [withTroops(unit, { ...unit.troops, [troop]: have }), taken];
  }

  /** [unit, commander]: without one commander, who leads it no longer. */
  function withoutCommander(unit, name) {
    const found = unit.commanders.find((each) => each.name === name);
    const commanders = unit.commanders.filter((each) => each !== found);
    return [{ ...unit, commanders, leader: unit.leader === name ? null : unit.leader }, found];
  }

  // -- new units (forming.py) ------------------------------------------------------------------------------------------

  function unit(realm, kind, number, place, more = {}) {
    return { ...GmWorld.unit(`${realm}/${kind}${number}`, { place }), ...more };
  }

  /** A new empty unit, not yet put in; without a free number the realm's lowest-numbered one there, if any (L8.2). */
  function newUnit(draft, turn, realm, kind, place, aboard = null) {
    const number = draft.freeNumber(realm, kind, turn.world.rules.units.number_limit);
    if (number === null) {
      return draft.at(place).find((each) => each.realm === realm && each.kind === kind && each.aboard === aboard) || null;
    }
    const doubt = turn.unsureNumbers.has(`${realm}/${kind}`);
    return unit(realm, kind, number, place, { aboard, doubt, may: doubt ? [place] : null });
  }

  /** Moves a part of `source` into a new unit of its realm where it is; gives the new unit, null when it is lost. */
  function setApart(draft, turn, source, kind, troops, commanders = [], aboard = null) {
    const less = (ranks, taken) => ranks.map((each, rank) => each - (taken ? taken[rank] : 0));
    const remaining = Object.entries(source.troops).map(([name, ranks]) => [name, less(ranks, troops[name])]);
    const moved = new Set(commanders.map((each) => each.name));
    draft.put({
      ...withTroops(source, Object.fromEntries(remaining)),
      commanders: source.commanders.filter((each) => !moved.has(each.name)),
      leader: moved.has(source.leader) ? null : source.leader,
    });
    let found = newUnit(draft, turn, source.realm, kind, source.place, aboard);
    if (!found) return null;
    for (const [name, ranks] of Object.entries(troops)) found = add(found, name, ranks);
    const leader = found.leader === null && moved.has(source.leader) ? source.leader : found.leader;
    const [before, here] = [draft.done(source), draft.done(found)];
    draft.put({ ...found, commanders: [...found.commanders, ...commanders], leader });
    draft.mark(found, { used: Math.max(before.used, here.used), spent: before.spent || here.spent });
    return draft.get(found.key);
  }

  // -- garrisons (garrisons.py) ----------------------------------------------------------------------------------------

  /** W5: a city or a fortification, ruined or not, has a garrison. */
  function needsGarrison(land, world) {
    return world.city(land.name) !== null || land.fortification > 0;
  }

  /** W5: whether the province's garrison may have ships: city and harbour. */
  function holdsShips(land, world) {
    return world.city(land.name) !== null && land.harbour;
  }

  /** Makes or takes away the garrison that a province should have or not; gives it as it is then. */
  function settleGarrison(draft, turn, province) {
    const land = draft.province(province);
    const needed = needsGarrison(land, turn.world);
    let garrison = draft.garrison(province);
    if (garrison && (!needed || garrison.realm !== land.owner)) {
      draft.remove(garrison.key);
      garrison = null;
    }
    if (needed && !garrison) {
      const doubt = turn.unsureNumbers.has(`${land.owner}/G`);
      const number = draft.freeNumber(land.owner, "G");
      garrison = unit(land.owner, "G", number, province, { doubt, may: doubt ? [province] : null });
      draft.put(garrison);
      draft.mark(garrison);
    }
    return garrison;
  }

  /** What is in a garrison forms a new army and a new fleet; the garrison itself stays, without them (L8.2, L12). */
  function turnOutOf(draft, turn, garrison, { soldiers = true, ships = true } = {}) {
    const part = (afloat) => Object.fromEntries(
      Object.entries(garrison.troops).filter(([name]) => turn.world.isShip(name) === afloat),
    );
    const [ashore, afloat] = [part(false), part(true)];
    if (soldiers && (Object.keys(ashore).length || garrison.commanders.length)) {
      setApart(draft, turn, garrison, "A", ashore, garrison.commanders);
    }
    if (ships && Object.keys(afloat).length) setApart(draft, turn, draft.get(garrison.key), "F", afloat);
  }

  // -- owners (ownership.py) -------------------------------------------------------------------------------------------

  /** L12: a province goes to `owner` in peace; what was in the old garrison leaves it. */
  function handOver(draft, turn, province, owner) {
    const garrison = draft.garrison(province);
    if (garrison) turnOutOf(draft, turn, garrison);
    newOwner(draft, province, owner);
    settleGarrison(draft, turn, province);
  }

  function newOwner(draft, province, owner) {
    const land = draft.province(province);
    const turnsAway = land.annexedTo === owner ? 0 : land.turnsAway;
    draft.putProvince({ ...land, owner, permissions: new Set(), turnsAway }, { changedOwner: true });
  }

  /** What chance may change of a province: one of its versions, as it is now. */
  function version({ owner, permissions, harbour, turnsAway }, { changedOwner, conquered }) {
    return { land: { owner, permissions, harbour, turnsAway }, mark: { changedOwner, conquered } };
  }

  /** M13.1: a province goes to its conqueror. Chance decides about its harbour and the ships in its garrison. */
  function conquer(draft, turn, province, conqueror) {
    newOwner(draft, province, conqueror);
    draft.markProvince(province, { conquered: true });
    const lost = draft.garrison(province);
    const ships = lost ? Object.keys(lost.troops).filter((name) => turn.world.isShip(name)) : [];
    const prizes = ships.some((name) => turn.world.rules.troops[name].capture_chance > 0);
    if (lost) {
      turnOutOf(draft, turn, lost, { ships: false });
      draft.put(withTroops(draft.get(lost.key), {}));
    }
    const garrison = settleGarrison(draft, turn, province);
    const land = draft.province(province);
    const destroyed = turn.world.rules.movement.harbour_destroyed_percent;
    if (land.harbour && destroyed > 0) {
      const found = version(land, draft.provinceMark(province));
      draft.putProvince({ ...land, versions: [found, { ...found, land: { ...found.land, harbour: false } }] });
    }
    if (!prizes) return;
    // captured ships are in the garrison, or in a new fleet where the harbour is gone
    turn.unsureNumbers.add(`${conqueror}/F`);
    GmDoubt.prizeFleet(draft, turn, conqueror, [province, ...turn.world.openNeighbours(province, true)], lost.troops);
    if (garrison) draft.put({ ...draft.get(garrison.key), doubt: true, may: [province] });
    if (conqueror === turn.realm) ships.forEach((name) => expectPrizes(turn, lost, name));
  }

  // -- upkeep (upkeep.py) ----------------------------------------------------------------------------------------------

  function upkeep(world, each) {
    const of = (name) => GmWorld.cents(world.rules.troops[name].upkeep);
    return world.sum(each, of) + GmWorld.cents(world.rules.commanders.upkeep) * each.commanders.length;
  }

  /** Ours might become some troops of this type of an enemy's unit, and have to be paid. */
  function expectPrizes(turn, loser, troop) {
    const { rules } = turn.world;
    const gold = GmWorld.cents(rules.troops[troop].upkeep) * turn.world.count(loser, troop);
    turn.captured.set(`${loser.key} ${troop}`, gold);
  }

  /** {low, high}: what the realm's units may cost, whatever chance has done to those in doubt. */
  function upkeepRange(turn) {
    let [low, high] = [0, 0];
    for (const each of turn.world.ofRealm(turn.realm)) {
      const cost = upkeep(turn.world, each);
      high += cost;
      if (!each.doubt) low += cost;
    }
    turn.captured.forEach((gold) => { high += gold; });
    return { low, high };
  }

  // -- enemies (strength.py) -------------------------------------------------------------------------------------------

  /** W13: whether enemy troops of a realm are at a place: "yes", "no", or "maybe" where chance decides. */
  function enemyTroops(world, realm, place) {
    const answers = GmTurn.versions(world, [place]).map((each) => {
      const enemies = GmDoubt.present(each, place).filter((unit) =>
        unit.realm !== realm && each.hasFighters(unit) && each.hostile(realm, unit.realm, place));
      if (!enemies.length) return "no";
      return enemies.some((unit) => !unit.doubt) ? "yes" : "maybe";
    });
    return answers.every((each) => each === answers[0]) ? answers[0] : "maybe";
  }

  return {
    withTroops, add, take, withoutCommander, unit, newUnit, setApart, needsGarrison, holdsShips, settleGarrison, turnOutOf,
    handOver, newOwner, version, conquer, upkeep, upkeepRange, expectPrizes, enemyTroops,
  };
})();
