"use strict";

/**
 * Where enemies meet, they fight (M6, M6.1, M12): gm/games/medieval/steps/battles.py up to the first roll of the dice.
 * Nobody knows how a battle ends, so all who are in it are in doubt from then on, wherever they may retreat to.
 */
const GmBattles = (() => {
  const MOVES = ["march", "sail", "hold"];

  // -- at sea (M6) -----------------------------------------------------------------------------------------------------

  function seaBattlesFought(turn) {
    const draft = new GmDraft(turn.world);
    for (const place of meetingPlaces(turn.world, afloat)) {
      if (turn.world.isSea(place)) idleMutineersLost(turn, draft, place);
      else putMutineersAshore(turn, draft, place);
    }
    turn.world = draft.finish();
    untilNothingIsNew(turn, (each) => turn.world.isSea(each.place) && seaBattle(turn, each), afloat);
  }

  function afloat(unit) {
    return unit.kind === "F" || unit.aboard !== null;
  }

  /** Whether an army is aboard a fleet, with ships, of a realm that is now its enemy (M6.1). */
  function isMutineer(world, unit) {
    if (!unit.aboard || world.isEmpty(unit)) return false;
    const host = world.units.get(unit.aboard);
    return world.hasShips(host) && world.atWar(unit.realm, host.realm);
  }

  /** M6.1: guests of an enemy's fleet who have no soldier able to fight aboard are lost without a battle. */
  function idleMutineersLost(turn, draft, sea) {
    const { troops } = turn.world.rules;
    for (const army of turn.world.at(sea)) {
      if (army.doubt || !isMutineer(turn.world, army)) continue;
      if (Object.keys(army.troops).some((name) => troops[name].marine !== null)) continue;
      turn.drop(army, GmTurn.refuse("lost-as-mutineers", { place: sea }));
      draft.put({ ...army, troops: {}, commanders: [], leader: null });
      draft.mark(army, { spent: true });
    }
  }

  /** M6.1: guests aboard an enemy's docked fleet go ashore, and the land battle decides. */
  function putMutineersAshore(turn, draft, place) {
    for (const army of turn.world.at(place)) {
      if (!isMutineer(turn.world, army)) continue;
      draft.put({ ...army, aboard: null });
      draft.mark(army, { spent: true, landed: true });
    }
  }

  // -- on land (M12) ---------------------------------------------------------------------------------------------------

  function landBattlesFought(turn) {
    const fights = (unit, world) => world.hasFighters(unit);
    untilNothingIsNew(turn, (each) => !turn.world.isSea(each.place) && landBattle(turn, each), fights);
  }

  // -- any battle ------------------------------------------------------------------------------------------------------

  /** The places where such units of two realms or more are, in map order. */
  function meetingPlaces(world, chosen) {
    const realms = new Map();
    for (const unit of world.units.values()) {
      if (!chosen(unit, world)) continue;
      for (const place of unit.doubt ? unit.may : [unit.place]) {
        if (!realms.has(place)) realms.set(place, new Set());
        realms.get(place).add(unit.realm);
      }
    }
    const meeting = [...realms].filter(([, found]) => found.size > 1).map(([place]) => place);
    return meeting.sort((a, b) => world.places.get(a).index - world.places.get(b).index);
  }

  /**
   * Lets all possible battles happen until none touches anybody new: who retreats from one may come into another.
   * `battle` gets {place, draft, world, isSea} and says whether it was news.
   */
  function untilNothingIsNew(turn, battle, chosen) {
    const before = turn.world;
    const fought = new Map();
    for (let news = true; news;) {
      const { world } = turn;
      const draft = new GmDraft(world);
      news = false;
      for (const place of meetingPlaces(world, chosen)) {
        if (battle({ place, draft, world, before, fought })) news = true;
      }
      turn.world = draft.finish();
    }
    fought.forEach((keys, place) => turn.fought.push({ place, keys }));
  }

  /**
   * Those among `units` who have not fought each other here in an earlier phase: nobody if all of them have. An earlier
   * battle has left only one side, and all its survivors are where it said that they may be.
   */
  function newlyMet(turn, fought, place, units) {
    const keys = units.map((unit) => unit.key);
    if (turn.fought.some((each) => each.place === place && keys.every((key) => each.keys.has(key)))) return [];
    fought.set(place, new Set(keys));
    return units;
  }

  /** {realms, certain}: those of two or more realms that are, or may be, at war with each other here (B1). */
  function hostileRealms(world, units, place) {
    const found = new Set();
    let certain = false;
    const worlds = GmTurn.versions(world, [place]);
    const realms = [...new Set(units.map((unit) => unit.realm))];
    const sure = new Set(units.filter((unit) => !unit.doubt).map((unit) => unit.realm));
    for (const [a, b] of realms.flatMap((one, at) => realms.slice(at + 1).map((other) => [one, other]))) {
      const fights = worlds.map((each) => each.hostile(a, b, place));
      if (!fights.some(Boolean)) continue;
      found.add(a).add(b);
      if (sure.has(a) && sure.has(b) && fights.every(Boolean)) certain = true;
    }
    return { realms: found, certain };
  }

  function landBattle(turn, { place, draft, world, before, fought }) {
    const units = GmDoubt.present(world, place).filter((unit) => world.hasFighters(unit));
    const { realms, certain } = hostileRealms(world, units, place);
    const fighting = newlyMet(turn, fought, place, units.filter((unit) => realms.has(unit.realm)));
    if (!fighting.length) return false;
    const mark = draft.provinceMark(place);
    draft.markProvince(place, { battle: mark.battle || certain });
    GmDoubt.unsure(draft, place, { battle: !(mark.battle || certain), walls: true });
    let news = false;
    for (const unit of fighting) {
      movesEnd(turn, unit, certain);
      if (GmDoubt.cast(draft, turn, unit.key, landRefuges(world, before, unit, place))) news = true;
      // who fights from aboard may win machines there, which weigh: nobody on that fleet is sure of his place
      if (unit.aboard) draft.cargo(draft.get(unit.aboard)).forEach((army) => GmDoubt.cast(draft, turn, army.key));
    }
    prizes(turn, world, fighting, false);
    return news;
  }

  function seaBattle(turn, { place, draft, world, before, fought }) {
    const units = GmDoubt.present(world, place);
    const fleets = units.filter((unit) => world.hasShips(unit));
    const mutineers = units.filter((unit) => isMutineer(world, unit));
    const { realms, certain } = hostileRealms(world, [...fleets, ...mutineers], place);
    const fighting = newlyMet(turn, fought, place, fleets.filter((unit) => realms.has(unit.realm)));
    if (!fighting.length) return false;
    let news = false;
    for (const fleet of fighting) {
      movesEnd(turn, fleet, certain);
      if (GmDoubt.cast(draft, turn, fleet.key, seaRefuges(world, before, fleet, place))) news = true;
    }
    for (const army of mutineers) if (GmDoubt.cast(draft, turn, army.key)) news = true;
    // guests of a fleet that goes down come aboard a fleet of their own, which may stand by without fighting
    const guests = new Set(fighting.flatMap((fleet) => world.cargo(fleet.key)).map((army) => army.realm));
    for (const fleet of fleets.filter((each) => guests.has(each.realm) && !realms.has(each.realm))) {
      if (GmDoubt.cast(draft, turn, fleet.key)) news = true;
    }
    // ships that are captured may form fleets of their own
    realms.forEach((realm) => turn.unsureNumbers.add(`${realm}/F`));
    for (const realm of [...guests].filter((each) => !fleets.some((fleet) => fleet.realm === each))) {
      const enemy = fighting.find((fleet) => world.atWar(realm, fleet.realm));
      if (enemy) GmDoubt.prizeFleet(draft, turn, realm, [place], enemy.troops);
    }
    prizes(turn, world, fighting, true);
    return news;
  }

  /** P7: after a battle nobody moves on; it only depends on its end why. Where none is certain, the plan may go on. */
  function movesEnd(turn, unit, certain) {
    if (certain && !unit.doubt) turn.drop(unit, GmTurn.OPEN, ...MOVES);
  }

  /** B9.1: where an army may retreat to from a place; nowhere for garrisons, independents and those aboard. */
  function landRefuges(world, before, unit, place) {
    if (unit.kind !== "A" || unit.realm === GmWorld.IND || (unit.aboard && !unit.doubt)) return [];
    const open = world.openNeighbours(place, false).filter((other) =>
      GmTurn.versions(world, [other]).some((each) => each.hasPermission(unit.realm, other))
      && GmForces.enemyTroops(world, unit.realm, other) !== "yes");
    return backWhere(world, before, unit, open, (from) => GmForces.enemyTroops(world, unit.realm, from) === "no"
      && GmTurn.agreed(world, [from], (each) => each.hasPermission(unit.realm, from)) === true);
  }

  /** B9.1: where a fleet may retreat to: any sea, or a harbour that lets it in. */
  function seaRefuges(world, before, fleet, place) {
    const open = world.openNeighbours(place).filter((other) => world.isSea(other) || GmTurn.versions(world, [other]).some(
      (each) => each.provinces.get(other).harbour && each.hasPermission(fleet.realm, other)));
    return backWhere(world, before, fleet, open, (from) => world.isSea(from) && !GmDoubt.present(world, from).some(
      (each) => world.hasShips(each) && world.atWar(each.realm, fleet.realm)));
  }

  /** A unit goes back where it came from if that is safe; one that follows another may go elsewhere. */
  function backWhere(world, before, unit, open, safe) {
    const { cameFrom, landed } = world.done(unit);
    const was = before.units.get(unit.key);
    const certain = was !== undefined && !was.doubt && !unit.follow && !landed;
    return certain && open.includes(cameFrom) && safe(cameFrom) ? [cameFrom] : open;
  }

  /** B11: what the realm may win of its enemies' machines and ships will cost upkeep. */
  function prizes(turn, world, fighting, afloat) {
    if (!fighting.some((unit) => unit.realm === turn.realm)) return;
    for (const unit of fighting.filter((each) => world.atWar(each.realm, turn.realm))) {
      for (const troop of Object.keys(unit.troops)) {
        if (world.isShip(troop) === afloat && world.rules.troops[troop].capture_chance) {
          GmForces.expectPrizes(turn, unit, troop);
        }
      }
    }
  }

  return { seaBattlesFought, landBattlesFought, isMutineer };
})();
