"use strict";

/**
 * The turn up to the end of Movement Events, in the order and words of gm/games/medieval/pipeline.py: what each step does
 * stands in the other movement files, what headquarters does before it in GmHeadquarters.first.
 */
const GmMovement = (() => {
  const { refuse, OPEN } = GmTurn;

  /** First Events on units (F5-F10). */
  const FIRST = [
    GmFirstEvents.newArmiesFormed,
    GmFirstEvents.newFleetsFormed,
    GmFirstEvents.administrativeActions,
    GmTransfers.sameLocationTransfers,
    (turn) => GmFirstEvents.leadersCome(turn),
    GmFirstEvents.troopsReassignedToRanks,
    GmFirstEvents.troopsDisbanded,
  ];

  /** Movement Events, once a phase. Battles at borders (M11) need two realms with orders. */
  const MOVEMENT = [
    GmTransfers.transfersHappen,
    (turn) => GmFirstEvents.leadersCome(turn),
    GmSea.armiesPrepareToBoard,
    GmSea.fleetsLoadArmies,
    GmSea.fleetsSetSail,
    GmSea.homelessFleetsDepart,
    GmBattles.seaBattlesFought,
    GmShore.fleetStorageChecked,
    GmShore.armiesUnloaded,
    GmLand.armiesMarch,
    GmLand.defendFortificationsChanged,
    GmBattles.landBattlesFought,
    GmLand.provinceOwnershipChanges,
    GmLand.provincesPillaged,
  ];

  /** Starts the turn's progress: owners and relations as they are now. */
  function turnOpens(turn) {
    const { world } = turn;
    const provinces = [...world.provinces].map(([name, { owner }]) => [name, {
      ownerAtStart: owner, ownerLastPhase: owner, changedOwner: false, conquered: false, battle: false, pillaged: false,
      annexed: false, fortificationWork: false, unsure: null,
    }]);
    const units = new Map([...world.units.keys()].map((key) => [key, GmWorld.UNDONE]));
    turn.world = world.withProgress({
      units, provinces: new Map(provinces), wars: world.wars, alliances: world.alliances, workers: new Map(),
    });
  }

  /** Runs all phases; `watch(turn)` is called after each. */
  function run(turn, watch) {
    const limit = turn.world.rules.movement.phase_limit;
    for (let extra = 1; turn.phase < limit;) {
      turn.phase += 1;
      turn.run(phaseOpens);
      MOVEMENT.forEach((step) => turn.run(step));
      watch(turn);
      if (somethingLeftToDo(turn)) continue;
      if (!extra) break;
      extra -= 1;
    }
    turn.phase = 0;
    turn.run(movementEnds);
    turn.run((each) => GmFirstEvents.leadersCome(each, true));
  }

  /** Plans of units that are gone end. Before phase 1 also notes the fleets that are homeless (M5). */
  function phaseOpens(turn) {
    const { world } = turn;
    for (const reference of turn.plans.keys()) {
      if (world.unitOf(turn.realm, reference) || world.provinces.has(reference)) continue;
      const known = world.progress.units.has(`${turn.realm}/${reference}`);
      turn.drop(reference, refuse(known ? "unit-gone" : "no-such-unit", { unit: reference }));
    }
    if (turn.phase === 1) GmSea.findHomeless(turn, 0);
  }

  /** M0: whether any unit has something left to do in another phase; of those in doubt nothing is promised anyway. */
  function somethingLeftToDo(turn) {
    const { world } = turn;
    return [...world.units.values()].some((unit) => {
      const done = world.done(unit);
      if (unit.doubt) return false;
      if (done.homelessPhase !== null) return true;
      if (done.retreated || unit.aboard) return false;
      return turn.left(unit).some((each) => each.word !== "transfer");
    });
  }

  /** Settles what is left of every plan as failed, with what stood in its way. */
  function movementEnds(turn) {
    for (const reference of turn.plans.keys()) {
      const unit = turn.world.unitOf(turn.realm, reference);
      for (const entry of turn.left(reference)) turn.settle(entry, whyLeft(turn, unit, reference, entry));
    }
  }

  function whyLeft(turn, unit, reference, entry) {
    if (!unit && turn.world.provinces.has(reference)) return refuse("no-garrison", { place: reference });
    if (!unit) return refuse("unit-gone", { unit: reference });
    if (unit.doubt) return OPEN;
    if (entry.word === "transfer") {
      const receiver = GmTransfers.receiverOf(new GmDraft(turn.world), unit, entry.value.to);
      return GmTransfers.whyNotTransfer(turn.world, unit, receiver, entry.value.to) || refuse("never-reached");
    }
    return unit.aboard ? refuse("aboard-fleet", { fleet: unit.aboard }) : refuse("never-reached");
  }

  return { FIRST, turnOpens, run };
})();
