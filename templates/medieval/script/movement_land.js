"use strict";

/** Marches, conquests and pillage (M9, M10, M13, M14): gm/games/medieval/steps/marching.py and conquest.py. */
const GmLand = (() => {
  const { refuse, OPEN } = GmTurn;

  // -- M9 --------------------------------------------------------------------------------------------------------------

  /** All at once: no march changes what may be entered. With one realm's orders alone nobody meets at a border. */
  function armiesMarch(turn) {
    const draft = new GmDraft(turn.world);
    for (const unit of turn.acting(["march", "hold"])) {
      for (const entry of GmSea.atHead(turn, unit, "march", "hold")) {
        const done = draft.done(unit);
        if (done.actedPhase === turn.phase || (entry.word === "hold" && unit.kind === "F")) break;
        if (entry.word === "hold") GmSea.tryHold(turn, draft, unit, entry);
        else march(turn, draft, unit, done, entry);
        break;
      }
    }
    turn.world = draft.finish();
  }

  function march(turn, draft, unit, done, entry) {
    const { refusal, cost } = tried(turn.world, unit, done, entry.value);
    turn.settle(entry, refusal);
    if (refusal === OPEN) GmDoubt.cast(draft, turn, unit.key, [entry.value]);
    else if (refusal) GmSea.giveUpMoves(turn, unit);
    if (refusal) return;
    draft.move(unit, entry.value);
    draft.mark(unit, { used: done.used + cost, actedPhase: turn.phase, cameFrom: unit.place });
  }

  /** {refusal, cost} of a march, as far as all that chance may have done to the province agrees. */
  function tried(world, unit, done, province) {
    const answer = GmTurn.agreed(world, [province], (each) => ({
      refusal: whyNotMarch(each, unit, done, province),
      cost: world.provinces.has(province) ? marchCost(each, unit.realm, province) : 0,
    }));
    return answer === OPEN ? { refusal: OPEN, cost: 0 } : answer;
  }

  /** P4: what it takes to enter a province, as its owner and this turn's history make it. */
  function marchCost(world, realm, province) {
    const costs = world.rules.movement;
    const cost = world.isEnemyLand(realm, province) ? costs.march_enemy : costs.march_permitted;
    return world.progress.provinces.get(province).changedOwner ? Math.max(cost, costs.march_changed_owner) : cost;
  }

  function whyNotMarch(world, unit, done, province) {
    if (unit.kind === "G") return refuse("garrison-never-moves");
    if (unit.kind !== "A") return refuse("only-armies-march");
    if (unit.aboard) return refuse("aboard-fleet", { fleet: unit.aboard });
    if (world.isEmpty(unit)) return refuse("unit-empty", { unit: unit.key });
    if (done.boards !== null) return refuse("boarding-army-stays", { realm: done.boards });
    if (!world.borders(unit.place, province) || world.isSea(province)) {
      return refuse("no-border", { place: unit.place, other: province });
    }
    if (!world.isOpen(unit.place, province)) return refuse("mountains", { place: unit.place, other: province });
    if (!(world.hasPermission(unit.realm, province) || world.isEnemyLand(unit.realm, province))) {
      return refuse("no-permission-to-enter", { place: province, realm: world.provinces.get(province).owner });
    }
    return GmSea.whyNotPay(world, unit, done, marchCost(world, unit.realm, province));
  }

  // -- M10 -------------------------------------------------------------------------------------------------------------

  function defendFortificationsChanged(turn) {
    if (turn.phase !== 1) return;
    for (const order of turn.unitOrders("defend_fortifications")) {
      const unit = turn.world.unitOf(turn.realm, order.unit);
      if (!unit) turn.settle(order, refuse("unit-gone", { unit: order.unit }));
      else turn.settle(order, unit.kind === "A" ? null : refuse("only-armies-choose-walls", { unit: unit.key }));
    }
  }

  // -- M13 -------------------------------------------------------------------------------------------------------------

  function provinceOwnershipChanges(turn) {
    const { world } = turn;
    const draft = new GmDraft(world);
    for (const place of provincesWithArmies(world)) {
      const fighters = GmDoubt.present(world, place).filter((unit) => world.hasFighters(unit));
      const doubt = world.provinces.get(place).versions || fighters.some((unit) => unit.doubt);
      if (doubt) perhapsConquered(turn, draft, place, fighters);
      else conquest(turn, draft, place, fighters);
    }
    turn.world = draft.finish();
    GmSea.findHomeless(turn, turn.phase);
  }

  /** In map order: only an army can take a province. */
  function provincesWithArmies(world) {
    const found = new Set();
    for (const unit of world.units.values()) {
      if (unit.kind === "A" && unit.realm !== GmWorld.IND) GmDoubt.places(unit).forEach((place) => found.add(place));
    }
    return [...world.provinces.keys()].filter((name) => found.has(name));
  }

  function conquest(turn, draft, place, fighters) {
    const strength = invaders(turn.world, place, fighters);
    if (!strength.size) return;
    const first = [...strength.values()].reduce((best, each) =>
      (each.heads - best.heads || each.combat - best.combat) > 0 ? each : best);
    if (first.combat < turn.world.rules.movement.conquest_combat) return;
    const equal = [...strength.values()].filter((each) => each.heads === first.heads && each.combat === first.combat);
    if (equal.length > 1) {
      perhapsConquered(turn, draft, place, fighters, equal.map((each) => each.realm), true);
      return;
    }
    const lost = turn.world.garrison(place);
    if (lost) turn.drop(lost, refuse("province-lost", { place }));
    GmForces.conquer(draft, turn, place, first.realm);
  }

  /** The realms that could take the province, with heads and total combat; none while an enemy of one of them is there. */
  function invaders(world, place, fighters) {
    const found = new Map();
    for (const unit of fighters) {
      if (!isInvader(world, unit, place)) continue;
      const each = found.get(unit.realm) || { realm: unit.realm, heads: 0, combat: 0 };
      each.heads += world.soldiers(unit) + unit.commanders.length;
      each.combat += world.totalCombat(unit);
      found.set(unit.realm, each);
    }
    const resisted = [...found.keys()].some((realm) => fighters.some((unit) => world.hostile(realm, unit.realm, place)));
    return resisted ? new Map() : found;
  }

  function isInvader(world, unit, place) {
    const ashore = unit.kind === "A" && (!unit.aboard || unit.doubt);
    return ashore && unit.realm !== GmWorld.IND && world.isEnemyLand(unit.realm, place);
  }

  /** Chance decides whether, or by whom, the province is taken: from now on there are several versions of it. */
  function perhapsConquered(turn, draft, place, fighters, among = null, certain = false) {
    const { world } = turn;
    const worlds = GmTurn.versions(world, [place]);
    const versions = worlds.flatMap((each) => {
      const realms = new Set(fighters.filter((unit) => isInvader(each, unit, place)).map((unit) => unit.realm));
      const conquerors = among || [...realms].filter((realm) => !surelyResisted(each, fighters, realm, place));
      return [...(certain ? [] : [version(each, place)]), ...conquerors.flatMap((realm) => taken(each, place, realm))];
    });
    const distinct = [...new Map(versions.map((each) => [nameOf(each), each])).values()];
    if (distinct.length === worlds.length) return;
    draft.putProvince({ ...draft.province(place), versions: distinct });
    const garrison = draft.garrison(place);
    if (garrison) GmDoubt.cast(draft, turn, garrison.key);
    for (const { land } of distinct) ["A", "G", "F"].forEach((kind) => turn.unsureNumbers.add(`${land.owner}/${kind}`));
    if (!garrison) return;
    const refuges = [place, ...world.openNeighbours(place, true)];
    const owners = new Set(distinct.map((each) => each.land.owner));
    owners.forEach((realm) => GmDoubt.prizeFleet(draft, turn, realm, refuges, garrison.troops));
    const ships = garrison.realm === turn.realm ? [] : Object.keys(garrison.troops).filter((name) => world.isShip(name));
    ships.forEach((name) => GmForces.expectPrizes(turn, garrison, name));
  }

  /** The same text for equal versions only. */
  function nameOf({ land, mark }) {
    return JSON.stringify([land, [...land.permissions], mark]);
  }

  /** Whether somebody who is certainly there keeps a realm from taking the province. */
  function surelyResisted(world, fighters, realm, place) {
    return fighters.some((unit) => !unit.doubt && world.hostile(realm, unit.realm, place));
  }

  /** The province as it is in a world. */
  function version(world, place) {
    return GmForces.version(world.provinces.get(place), world.progress.provinces.get(place));
  }

  /** The province in the hands of a conqueror, with its harbour and without (M13.1). */
  function taken(world, place, realm) {
    const { land, mark } = version(world, place);
    const turnsAway = world.provinces.get(place).annexedTo === realm ? 0 : land.turnsAway;
    const mine = (harbour) => ({
      land: { ...land, owner: realm, permissions: new Set(), turnsAway, harbour },
      mark: { ...mark, changedOwner: true, conquered: true },
    });
    const destroyed = land.harbour && world.rules.movement.harbour_destroyed_percent > 0;
    return destroyed ? [mine(true), mine(false)] : [mine(land.harbour)];
  }

  // -- M14 -------------------------------------------------------------------------------------------------------------

  function provincesPillaged(turn) {
    const draft = new GmDraft(turn.world);
    perhapsPillaged(turn, draft);
    for (const unit of turn.acting(["pillage", "transfer"])) {
      for (const entry of pillageEntries(turn, draft, unit)) {
        const refusal = entry.open ? OPEN : whyNotPillage(turn, draft, unit);
        turn.settle(entry.order, refusal);
        if (refusal === OPEN) {
          if (turn.world.provinces.has(unit.place)) turn.waver(0, revenue(turn.world, unit.place));
          if (turn.world.provinces.has(unit.place)) GmDoubt.unsure(draft, unit.place, { pillaged: true });
          GmDoubt.cast(draft, turn, unit.key);
        } else if (!refusal) {
          turn.change(revenue(turn.world, unit.place), "pillage", entry.order);
          draft.mark(unit, { spent: true });
          draft.markProvince(unit.place, { pillaged: true });
        }
      }
    }
    turn.world = draft.finish();
  }

  /** The pillage entries whose turn it is: a transfer before them lets them pass while it has to wait (O6). */
  function pillageEntries(turn, draft, unit) {
    const found = [];
    let open = false;
    for (const order of turn.left(unit)) {
      if (order.word === "pillage") {
        found.push({ order, open });
      } else if (order.word === "transfer") {
        const { to } = order.value;
        const refusal = GmTransfers.whyNotTransfer(turn.world, unit, GmTransfers.receiverOf(draft, unit, to), to);
        if (refusal === OPEN) open = true;
        else if (!refusal || !GmTransfers.ABSENT.has(refusal.reason)) break;
      } else break;
    }
    return found;
  }

  function whyNotPillage(turn, draft, unit) {
    const { world } = turn;
    const mark = draft.provinceMark(unit.place);
    if (unit.kind === "F") return refuse("fleets-never-pillage");
    if (unit.aboard) return refuse("aboard-fleet", { fleet: unit.aboard });
    if (mark.pillaged) return refuse("already-pillaged", { place: unit.place });
    if (mark.unsure && mark.unsure.pillaged) return OPEN;
    const [needs, has] = [world.rules.movement.pillage_combat, world.totalCombat(unit)];
    if (has < needs) return refuse("too-weak-to-pillage", { needs, has });
    const enemies = GmForces.enemyTroops(world, unit.realm, unit.place);
    if (enemies === "no") return null;
    return enemies === "yes" ? refuse("enemy-troops-prevent-pillage", { place: unit.place }) : OPEN;
  }

  /** L11, M14: the province's gold at its present damage. */
  function revenue(world, place) {
    const land = world.provinces.get(place);
    const { economy } = world.rules;
    const whole = world.places.get(place).revenue + GmWorld.cents(economy.production_area_revenue) * land.productionAreas;
    return Math.floor((whole * economy.revenue_percent[land.damage] + 50) / 100);
  }

  /** What units in doubt may pillage wherever they are: perhaps before all others, who then find nothing. */
  function perhapsPillaged(turn, draft) {
    for (const [unit, entries] of turn.doubtful("pillage")) {
      const lands = unit.may.filter((place) => turn.world.provinces.has(place) && !draft.provinceMark(place).pillaged);
      if (unit.kind === "F" || !lands.length) continue;
      for (const place of lands) GmDoubt.unsure(draft, place, { pillaged: true });
      const fresh = entries.filter((each) => !turn.expected.has(each.id));
      fresh.forEach((each) => turn.expected.add(each.id));
      turn.waver(0, fresh.length * Math.max(...lands.map((place) => revenue(turn.world, place))));
    }
  }

  return {
    armiesMarch, tried, defendFortificationsChanged, provinceOwnershipChanges, provincesPillaged, whyNotPillage, revenue,
  };
})();
