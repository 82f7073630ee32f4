"use strict";

/** Building, repairing and razing (L8, L10): gm/games/medieval/steps/construction.py and structures.py. */
const GmWorks = (() => {
  const { refuse, OPEN } = GmTurn;

  /** All that the steps of construction know of each other, by turn: who has worked, and what may have been built. */
  const sites = new WeakMap();

  function siteOf(turn) {
    if (!sites.has(turn)) sites.set(turn, { workers: new Map(), unsure: new Set() });
    return sites.get(turn);
  }

  // -- T4 --------------------------------------------------------------------------------------------------------------

  /** {gold, workers} that building takes; `level`: the fortification level to be reached, else it does not matter. */
  function workOn(structure, level, { construction: data }) {
    const cents = (name) => GmWorld.cents(data[name]);
    if (structure === "harbour") return { gold: cents("harbour_cost"), workers: data.harbour_workers };
    if (structure === "production area") {
      return { gold: cents("production_area_cost"), workers: data.production_area_workers };
    }
    const gold = cents("fortification_cost_base") + cents("fortification_cost_level") * level;
    return { gold, workers: data.fortification_workers_level * level };
  }

  /** L8.1: what it takes to make a level work again: its workers, and a part of its gold. */
  function repairWork(level, rules) {
    const { gold, workers } = workOn("fortification", level, rules);
    const divisor = rules.construction.paid_repair_divisor;
    return { gold: Math.floor((2 * gold + divisor) / (2 * divisor)), workers };
  }

  // -- who works -------------------------------------------------------------------------------------------------------

  /** L8, L10: armies and garrisons work, on land, unless they retreated this turn (B9.2). */
  function whyNotWork(draft, unit, order) {
    if (unit === OPEN) return OPEN;
    if (!unit) return refuse("unit-not-yours", { unit: order.unit });
    if (unit.kind === "F") return refuse("fleets-do-not-work", { unit: unit.id });
    if (unit.aboard) return refuse("aboard-no-work", { unit: unit.id });
    return draft.done(unit).retreated ? refuse("retreated-no-work", { unit: unit.id }) : null;
  }

  /** L8: the unit has soldiers enough that have not worked yet this turn. */
  function whyNotEnoughWorkers(turn, unit, work) {
    const { low, high } = siteOf(turn).workers.get(unit.key) || { low: 0, high: 0 };
    const soldiers = turn.world.soldiers(unit);
    const free = (worked) => Math.max(0, soldiers - worked);
    if (unit.doubt) return OPEN;
    if (free(high) >= work.workers) return null;
    return low === high ? refuse("workers-too-few", { needs: work.workers, has: free(low), unit: unit.id }) : OPEN;
  }

  /** L8: each soldier works once per turn. P8: work takes all move-points. `certain`: it is done, not only perhaps. */
  function worked(turn, draft, unit, work, certain) {
    const { workers } = siteOf(turn);
    const { low, high } = workers.get(unit.key) || { low: 0, high: 0 };
    workers.set(unit.key, { low: low + (certain ? work.workers : 0), high: high + work.workers });
    if (certain) draft.mark(unit, { spent: true });
  }

  // -- L8 --------------------------------------------------------------------------------------------------------------

  /** L8: only in a province of one's own that was not conquered this turn. */
  function whyNotBuildAt(turn, place) {
    return GmTurn.agreed(turn.world, [place], (world) => {
      if (world.provinces.get(place).owner !== turn.realm) return refuse("build-not-owner", { province: place });
      return world.progress.provinces.get(place).conquered ? refuse("build-after-conquest", { province: place }) : null;
    });
  }

  /** L8, W4: whether there is room for one more of the structure. */
  function whyNotStructure(turn, land, structure) {
    const { world } = turn;
    if (siteOf(turn).unsure.has(`${land.name} ${structure}`)) return OPEN;
    if (structure === "fortification") {
      const limit = world.rules.construction.fortification_limit;
      return land.fortification >= limit ? refuse("fortification-limit", { limit }) : null;
    }
    if (structure === "harbour") {
      if (hasHarbour(land) === OPEN) return OPEN;
      if (land.harbour) return refuse("harbour-already", { province: land.name });
      const suits = world.city(land.name) && world.openNeighbours(land.name, true).length;
      return suits ? null : refuse("harbour-needs-city-coast", { province: land.name });
    }
    const limit = world.places.get(land.name).productionLimit;
    return land.productionAreas >= limit ? refuse("production-limit", { limit }) : null;
  }

  /** Whether a province has its harbour; OPEN when it may have lost it. */
  function hasHarbour(land) {
    const all = (land.versions || []).map((each) => each.land.harbour);
    return all.every((each) => each === land.harbour) ? land.harbour : OPEN;
  }

  function constructionHappens(turn) {
    const draft = new GmDraft(turn.world);
    const walls = repairedInPeace(turn, draft);
    /** Provinces where a fortification work was paid: OPEN where it may have been. */
    const paid = new Map();
    for (const order of turn.unitOrders("build", "repair")) {
      const unit = GmRecruiting.ordered(turn, draft, order.unit);
      const idle = whyNotWork(draft, unit, order);
      if (idle) {
        turn.settle(order, idle);
        if (idle === OPEN) perhapsBuilt(turn, draft, order, paid);
        continue;
      }
      const land = draft.province(unit.place);
      const fortifies = order.word === "repair" || order.value === "fortification";
      const work = workOf(turn, order, land);
      const refusal = whyNotBuildAt(turn, land.name)
        || whyNotOrdered(turn, order, land, walls)
        || (fortifies && paid.has(land.name) ? paid.get(land.name) || refuse("fortified-already", { province: land.name }) : null)
        || whyNotEnoughWorkers(turn, unit, work)
        || turn.whyNotAfford(work.gold);
      turn.settle(order, refusal);
      if (refusal === OPEN) {
        worked(turn, draft, unit, work, false);
        perhapsBuilt(turn, draft, order, paid, [land.name]);
      } else if (!refusal) {
        worked(turn, draft, unit, work, true);
        if (fortifies) paid.set(land.name, null);
        if (order.word === "repair") repair(draft, land, walls);
        else build(turn, draft, land, order.value);
        turn.change(-work.gold, "construction");
      }
    }
    turn.world = draft.finish();
  }

  /**
   * L8: one fortification damage less, free, where no battle and no pillage happened this turn.
   *
   * Gives {low, high} of the damage that each province has then: a battle may have done more.
   */
  function repairedInPeace(turn, draft) {
    const walls = new Map();
    for (const [name, land] of turn.world.provinces) {
      const mark = turn.world.progress.provinces.get(name);
      const unsure = mark.unsure || {};
      const before = { low: land.fortificationDamage, high: unsure.walls ? land.fortification : land.fortificationDamage };
      const repaired = (damage) => (damage && !mark.battle && !mark.pillaged ? damage - 1 : damage);
      const disturbed = unsure.battle || unsure.pillaged;
      const after = { low: repaired(before.low), high: disturbed ? before.high : repaired(before.high) };
      walls.set(name, after);
      if (after.low !== land.fortificationDamage) draft.putProvince({ ...land, fortificationDamage: after.low });
    }
    return walls;
  }

  function workOf(turn, order, land) {
    const { rules } = turn.world;
    if (order.word === "build") return workOn(order.value, land.fortification + 1, rules);
    // the level that the repair brings back, as far as there is one
    return repairWork(Math.min(land.fortification - land.fortificationDamage + 1, land.fortification), rules);
  }

  function whyNotOrdered(turn, order, land, walls) {
    if (order.word === "build") return whyNotStructure(turn, land, order.value);
    const { low, high } = walls.get(land.name);
    if (low !== high || siteOf(turn).unsure.has(`${land.name} fortification`)) return OPEN;
    return low ? null : refuse("nothing-to-repair", { province: land.name });
  }

  function build(turn, draft, land, structure) {
    if (structure === "harbour") draft.putProvince({ ...land, harbour: true });
    else if (structure === "production area") draft.putProvince({ ...land, productionAreas: land.productionAreas + 1 });
    else draft.putProvince({ ...land, fortification: land.fortification + 1 });
    GmForces.settleGarrison(draft, turn, land.name);
  }

  function repair(draft, land, walls) {
    const damage = land.fortificationDamage - 1;
    walls.set(land.name, { low: damage, high: damage });
    draft.putProvince({ ...land, fortificationDamage: damage });
  }

  /** What a work that may be done leaves unsure, here or wherever the unit may be: gold, walls, structures. */
  function perhapsBuilt(turn, draft, order, paid, places = perhapsAt(turn, draft, order)) {
    const structure = order.word === "repair" ? "fortification" : order.value;
    const lands = places.filter((place) => turn.world.provinces.has(place)).map((place) => draft.province(place));
    turn.waver(Math.max(0, ...lands.map((land) => workOn(structure, land.fortification + 1, turn.world.rules).gold)), 0);
    for (const land of lands) {
      siteOf(turn).unsure.add(`${land.name} ${structure}`);
      if (structure === "fortification" && !paid.has(land.name)) paid.set(land.name, OPEN);
    }
  }

  /** Where a unit that chance has touched may be. */
  function perhapsAt(turn, draft, order) {
    const unit = draft.own(turn.realm, order.unit);
    return unit ? GmDoubt.places(unit) : [order.unit];
  }

  // -- L10 -------------------------------------------------------------------------------------------------------------

  /** L10: an own, enemy or independent province without enemy troops, where the structure stands. */
  function whyNotRazeAt(turn, land, structure) {
    const { world, realm } = turn;
    const province = land.name;
    const refusal = GmTurn.agreed(world, [province], (each) => {
      const { owner } = each.provinces.get(province);
      const may = owner === realm || owner === GmWorld.IND || each.isEnemyLand(realm, province);
      return may ? null : refuse("raze-not-allowed", { province });
    });
    if (refusal) return refusal;
    // whoever is turned out of a garrison in this step was there before it
    const enemies = GmForces.enemyTroops(world, realm, province);
    if (enemies !== "no") return enemies === "yes" ? refuse("enemy-troops-here", { province }) : OPEN;
    if (siteOf(turn).unsure.has(`${province} ${structure}`)) return OPEN;
    const stands = {
      fortification: land.fortification > 0, harbour: hasHarbour(land), "production area": land.productionAreas > 0,
    }[structure];
    if (stands === OPEN) return OPEN;
    return stands ? null : refuse("nothing-to-raze", { structure, province });
  }

  function structuresRazed(turn) {
    const draft = new GmDraft(turn.world);
    for (const order of turn.unitOrders("raze")) {
      const unit = GmRecruiting.ordered(turn, draft, order.unit);
      const idle = whyNotWork(draft, unit, order);
      const land = idle ? null : draft.province(unit.place);
      const work = land && workOn(order.value, land.fortification, turn.world.rules);
      const refusal = idle || whyNotRazeAt(turn, land, order.value) || whyNotEnoughWorkers(turn, unit, work);
      turn.settle(order, refusal);
      if (refusal === OPEN) {
        if (land) worked(turn, draft, unit, work, false);
        (land ? [land.name] : perhapsAt(turn, draft, order)).forEach((place) => perhapsRazed(turn, draft, place, order.value));
      } else if (!refusal) {
        worked(turn, draft, unit, work, true);
        raze(turn, draft, land, order.value);
        turn.change(Math.floor(work.gold / turn.world.rules.economy.salvage_divisor), "razed");
      }
    }
    turn.world = draft.finish();
  }

  function raze(turn, draft, land, structure) {
    const level = land.fortification - 1;
    const walls = { fortification: level, fortificationDamage: Math.min(land.fortificationDamage, level) };
    const changes = {
      fortification: walls, harbour: { harbour: false }, "production area": { productionAreas: land.productionAreas - 1 },
    };
    const after = { ...land, ...changes[structure] };
    draft.putProvince(after);
    const garrison = draft.garrison(land.name);
    if (!garrison) return;
    const stays = GmForces.needsGarrison(after, turn.world);
    if (!stays || structure === "harbour") GmForces.turnOutOf(draft, turn, garrison, { soldiers: !stays });
    if (!stays) GmForces.settleGarrison(draft, turn, land.name);
  }

  /** What may be razed may not stand any more, and a garrison may have been turned out of it. */
  function perhapsRazed(turn, draft, place, structure) {
    if (!turn.world.provinces.has(place)) return;
    siteOf(turn).unsure.add(`${place} ${structure}`);
    const garrison = draft.garrison(place);
    if (garrison && structure !== "production area") draft.put({ ...garrison, doubt: true, may: garrison.may || [place] });
  }

  return { constructionHappens, structuresRazed };
})();
