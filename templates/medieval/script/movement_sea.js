"use strict";

/** Going aboard and sailing (M2-M5): gm/games/medieval/steps/loading.py, sailing.py and acting.py. */
const GmSea = (() => {
  const { refuse, OPEN } = GmTurn;

  // -- what march, sail and hold have in common (steps/acting.py) --------------------------------------------------------

  /** P3-P5: whether the unit has the move-points for something; what costs nothing needs none. */
  function whyNotPay(world, unit, done, cost) {
    const has = world.movesLeft(unit, done);
    return cost > has ? refuse("needs-move-points", { needs: cost, has }) : null;
  }

  function whyNotHold(world, unit, done) {
    if (unit.kind === "G") return refuse("garrison-never-moves");
    const [has, needs] = [world.movesLeft(unit, done), holdCost(world, done)];
    return needs > has ? refuse("hold-needs-move-points", { needs, has }) : null;
  }

  /** P5: the first holds of a turn are free. */
  function holdCost(world, done) {
    const { free_holds: free, hold } = world.rules.movement;
    return done.holds < free ? 0 : hold;
  }

  /** Tries to hold; gives the refusal. */
  function tryHold(turn, draft, unit, entry) {
    const done = draft.done(unit);
    const refusal = whyNotHold(turn.world, unit, done);
    turn.settle(entry, refusal);
    if (!refusal) {
      const used = done.used + holdCost(turn.world, done);
      draft.mark(unit, { used, holds: done.holds + 1, actedPhase: turn.phase });
    }
  }

  /** O6: after a failed march or sail the unit's other march, sail and hold entries are dropped. */
  function giveUpMoves(turn, unit) {
    turn.drop(unit, refuse("earlier-move-failed"), "march", "sail", "hold");
  }

  // -- M2 --------------------------------------------------------------------------------------------------------------

  function armiesPrepareToBoard(turn) {
    const draft = new GmDraft(turn.world);
    for (const unit of turn.acting(["board"])) {
      for (const entry of atHead(turn, unit, "board")) {
        const refusal = whyNotBoard(turn.world, unit, entry.value);
        turn.settle(entry, refusal);
        if (!refusal) draft.mark(unit, { boards: entry.value, spent: true });
      }
    }
    turn.world = draft.finish();
  }

  function whyNotBoard(world, unit, host) {
    if (unit.kind !== "A") return refuse("only-armies-board");
    if (host === unit.realm || !world.realms.has(host)) return refuse("board-foreign-realm", { realm: host });
    return world.atWar(unit.realm, host) ? refuse("board-enemy-fleet", { realm: host }) : null;
  }

  /** The entries with these words at the head of a unit's plan, one after the other (O5). */
  function atHead(turn, unit, ...words) {
    const left = turn.left(unit);
    const end = left.findIndex((each) => !words.includes(each.word));
    return end < 0 ? left : left.slice(0, end);
  }

  // -- M3 --------------------------------------------------------------------------------------------------------------

  function fleetsLoadArmies(turn) {
    const draft = new GmDraft(turn.world);
    perhapsAboard(turn, draft);
    for (const { key } of turn.acting(["load"])) {
      const before = turn.world.done(key);
      const fleet = draft.get(key);
      let [loaded, perhaps] = [false, false];
      for (const entry of atHead(turn, fleet, "load")) {
        const refusals = [];
        for (const reference of entry.value) {
          const army = draft.get(GmDoubt.keyOf(turn, reference));
          const refusal = army
            ? whyNotLoad(turn.world, fleet, before, army, draft.done(army))
            : refuse("no-such-army", { army: reference });
          if (refusal) refusals.push(refusal);
          if (refusal === OPEN) perhaps = perhapsLoaded(turn, draft, fleet.key, army);
          if (!refusal) {
            draft.put({ ...army, aboard: key, place: fleet.place });
            draft.mark(army, { spent: true });
            loaded = true;
          }
        }
        const short = refusals.find((each) => each === OPEN) || refusals[0] || null;
        turn.settle(entry, short, refusals.length < entry.value.length);
      }
      if (loaded && before.unloads) draft.mark(key, { loadsAfterUnload: before.loadsAfterUnload + 1 });
      else if (perhaps && before.unloads) GmDoubt.cast(draft, turn, key);
    }
    turn.world = draft.finish();
  }

  function whyNotLoad(world, fleet, fleetDone, army, armyDone) {
    if (fleet.kind !== "F") return refuse("only-fleets-load");
    if (army.kind !== "A") return refuse("no-such-army", { army: army.key });
    if (fleetDone.loadsAfterUnload) return refuse("loaded-after-unloading", { army: army.key });
    if (!world.ships(fleet)) return refuse("fleet-without-ships", { fleet: fleet.key });
    if (army.doubt) return OPEN;
    return whyNotAboard(world, fleet, army, armyDone) || whyNoWayAboard(world, fleet, army);
  }

  function whyNotAboard(world, fleet, army, done) {
    if (army.aboard) return refuse("army-already-aboard", { army: army.key, fleet: army.aboard });
    if (done.retreated) return refuse("army-retreated", { army: army.key });
    if (world.isEmpty(army)) return refuse("army-empty", { army: army.key });
    if (world.atWar(fleet.realm, army.realm)) return refuse("army-of-enemy", { army: army.key, realm: army.realm });
    const prepared = army.realm === fleet.realm || done.boards === fleet.realm;
    return prepared ? null : refuse("army-not-prepared", { army: army.key });
  }

  function whyNoWayAboard(world, fleet, army) {
    if (army.place !== fleet.place) {
      if (!world.borders(fleet.place, army.place) || !world.isSea(fleet.place)) {
        return refuse("army-out-of-reach", { army: army.key, place: army.place });
      }
      if (!world.isOpen(fleet.place, army.place)) return refuse("reefs", { place: army.place, other: fleet.place });
    }
    const [needs, has] = [world.weight(army), world.storage(fleet)];
    const percent = world.rules.movement.load_weight_percent;
    return needs * 100 > has * percent ? refuse("army-too-heavy", { army: army.key, needs, has, percent }) : null;
  }

  /** An army that is perhaps aboard weighs on the fleet, and M7 has to reckon with it. */
  function perhapsLoaded(turn, draft, key, army) {
    const fleet = draft.get(key);
    draft.put({ ...fleet, ballast: (fleet.ballast || 0) + turn.world.weight(army) });
    GmDoubt.cast(draft, turn, army.key, [fleet.place]);
    return true;
  }

  /** What fleets in doubt may take aboard wherever they are, perhaps before all others. */
  function perhapsAboard(turn, draft) {
    for (const [fleet, entries] of turn.doubtful("load")) {
      for (const reference of entries.flatMap((each) => each.value)) {
        const army = draft.get(GmDoubt.keyOf(turn, reference));
        const near = (place) =>
          [place, ...turn.world.openNeighbours(place, true)].some((each) => fleet.may.includes(each));
        if (!army || army.kind !== "A" || !GmDoubt.places(army).some(near)) continue;
        GmDoubt.cast(draft, turn, army.key, fleet.may);
      }
    }
  }

  // -- M4 --------------------------------------------------------------------------------------------------------------

  function fleetsSetSail(turn) {
    const draft = new GmDraft(turn.world);
    for (const unit of turn.acting(["sail", "hold"])) {
      for (const entry of atHead(turn, unit, "sail", "hold")) {
        const done = draft.done(unit);
        if (done.actedPhase === turn.phase || (entry.word === "hold" && unit.kind !== "F")) break;
        if (entry.word === "hold") {
          tryHold(turn, draft, unit, entry);
          continue;
        }
        const answer = tried(turn.world, unit, done, entry.value);
        turn.settle(entry, answer.refusal);
        if (answer.refusal === OPEN) GmDoubt.cast(draft, turn, unit.key, [entry.value]);
        else if (answer.refusal) giveUpMoves(turn, unit);
        if (answer.refusal) break;
        draft.move(unit, entry.value);
        draft.mark(unit, {
          used: done.used + answer.cost, actedPhase: turn.phase, cameFrom: unit.place, homelessPhase: null,
        });
      }
    }
    turn.world = draft.finish();
  }

  /** {refusal, cost} of a sail, as far as all that chance may have done to the place agrees. */
  function tried(world, fleet, done, place) {
    const answer = GmTurn.agreed(world, [place], (each) => ({
      refusal: whyNotSail(each, fleet, done, place), cost: world.places.has(place) ? sailCost(each, place) : 0,
    }));
    return answer === OPEN ? { refusal: OPEN, cost: 0 } : answer;
  }

  /** P4. */
  function sailCost(world, place) {
    const mark = world.progress.provinces.get(place);
    return mark && mark.changedOwner ? world.rules.movement.dock_changed_owner : world.rules.movement.sail;
  }

  function whyNotSail(world, fleet, done, place) {
    const [here, sea] = [fleet.place, (each) => world.isSea(each)];
    if (fleet.kind !== "F") return refuse("only-fleets-sail");
    if (!world.ships(fleet)) return refuse("fleet-without-ships", { fleet: fleet.key });
    if (!world.borders(here, place)) return refuse("no-border", { place: here, other: place });
    if (!sea(here) && !sea(place)) return refuse("fleet-cannot-cross-land", { place: here, other: place });
    if (!world.isOpen(here, place)) return refuse("reefs", { place: here, other: place });
    if (!sea(place)) {
      const land = world.provinces.get(place);
      if (!land.harbour) return refuse("no-harbour", { place });
      if (!world.hasPermission(fleet.realm, place)) return refuse("no-permission-to-dock", { place, realm: land.owner });
    }
    return whyNotPay(world, fleet, done, sailCost(world, place));
  }

  // -- M5 --------------------------------------------------------------------------------------------------------------

  function homelessFleetsDepart(turn) {
    const { world } = turn;
    const draft = new GmDraft(world);
    for (const fleet of world.units.values()) {
      const since = fleet.kind === "F" && !fleet.doubt ? world.done(fleet).homelessPhase : null;
      if (since === null || since >= turn.phase) continue;
      const still = homeless(world, fleet);
      const seas = world.openNeighbours(fleet.place, true);
      if (still === OPEN) {
        GmDoubt.cast(draft, turn, fleet.key, seas);
      } else if (!still) {
        draft.mark(fleet, { homelessPhase: null });
      } else {
        turn.drop(fleet, refuse("fleet-homeless", { place: fleet.place }), "sail");
        if (seas.length && world.ships(fleet)) flee(turn, draft, fleet, seas);
        else scuttle(turn, draft, fleet);
      }
    }
    turn.world = draft.finish();
  }

  /** M5: docked where there is no harbour, or in a province of an enemy; GmTurn.OPEN where chance decides. */
  function homeless(world, fleet) {
    if (world.isSea(fleet.place)) return false;
    return GmTurn.agreed(world, [fleet.place], (each) =>
      !each.provinces.get(fleet.place).harbour || each.isEnemyLand(fleet.realm, fleet.place));
  }

  /** Notes the docked fleets that have no anchorage now; phase 0: before the phases began (M5). */
  function findHomeless(turn, phase) {
    const { world } = turn;
    const draft = new GmDraft(world);
    for (const fleet of world.units.values()) {
      if (fleet.kind !== "F" || fleet.doubt || world.isEmpty(fleet) || world.done(fleet).homelessPhase !== null) continue;
      const found = homeless(world, fleet);
      if (found === OPEN) {
        GmDoubt.cast(draft, turn, fleet.key, world.openNeighbours(fleet.place, true));
      } else if (found) {
        draft.mark(fleet, { homelessPhase: phase });
        if (phase) turn.drop(fleet, refuse("fleet-homeless", { place: fleet.place }), "sail");
      }
    }
    turn.world = draft.finish();
  }

  /** To a random sea: where there is a choice, nobody knows to which. */
  function flee(turn, draft, fleet, seas) {
    draft.move(fleet, seas[0]);
    draft.mark(fleet, { spent: true, homelessPhase: null, cameFrom: null });
    if (seas.length > 1) GmDoubt.cast(draft, turn, fleet.key, seas);
  }

  /** No sea to flee to, or no ships to do it in: the ships go down, armies aboard and commanders stand ashore. */
  function scuttle(turn, draft, fleet) {
    for (const army of draft.cargo(fleet)) {
      draft.put({ ...army, aboard: null });
      draft.mark(army, { spent: true });
    }
    const empty = GmForces.withTroops(fleet, {});
    draft.put(empty);
    draft.mark(empty, { spent: true, homelessPhase: null });
    if (empty.commanders.length) GmForces.setApart(draft, turn, empty, "A", {}, empty.commanders);
  }

  return {
    whyNotPay, tryHold, holdCost, giveUpMoves, atHead, armiesPrepareToBoard, fleetsLoadArmies, fleetsSetSail, tried,
    homelessFleetsDepart, findHomeless,
  };
})();
