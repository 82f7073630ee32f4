"use strict";

/** New troops and commanders in the garrisons of cities (L4, L5): gm/games/medieval/steps/recruiting.py. */
const GmRecruiting = (() => {
  const { refuse, gold, OPEN } = GmTurn;

  /**
   * The own unit that an order is for: null without one, OPEN when chance decides whether it is there.
   *
   * A garrison stays where it is whatever it has lost, unless its province may have changed hands.
   */
  function ordered(turn, draft, reference) {
    const found = turn.own(draft, reference);
    if (found !== OPEN) return found;
    const unit = draft.own(turn.realm, reference);
    const named = draft.province(reference);
    if (named && isDisputed(named)) return OPEN;
    if (!unit) return named ? null : OPEN;
    return unit.kind === "G" && !isDisputed(draft.province(unit.place)) ? unit : OPEN;
  }

  /** Whether chance decides who owns a province. */
  function isDisputed(land) {
    return new Set((land.versions || []).map((each) => each.land.owner)).size > 1;
  }

  function cityOf(unit, world) {
    return unit.kind === "G" ? world.city(unit.place) : null;
  }

  // -- L4 --------------------------------------------------------------------------------------------------------------

  /** L4 without resource and gold: the garrison of a city held all turn, a type of its list, a harbour for ships. */
  function whyNotRecruit(world, realm, unit, order) {
    const { troop, count } = order.value;
    if (!unit) return refuse("unit-not-yours", { unit: order.unit });
    const city = cityOf(unit, world);
    if (!city) return refuse("recruit-needs-city", { unit: unit.id });
    const { place } = unit;
    const mark = world.progress.provinces.get(place);
    if (mark.ownerAtStart !== realm || mark.changedOwner) return refuse("city-not-held", { place });
    if (!city.recruits.includes(troop)) return refuse("not-recruited-here", { troop, place });
    if (world.isShip(troop) && !world.provinces.get(place).harbour) return refuse("ships-need-harbour", { troop, place });
    return count <= 0 ? refuse("amount-not-positive", { amount: count }) : null;
  }

  function troopsBuilt(turn) {
    const { world } = turn;
    const draft = new GmDraft(world);
    const built = new Map();
    for (const order of turn.unitOrders("recruit")) {
      const cost = GmWorld.cents(world.rules.troops[order.value.troop].cost);
      const unit = ordered(turn, draft, order.unit);
      const why = (each) => whyNotRecruit(each, turn.realm, unit, order);
      const refusal = unit === OPEN ? OPEN : GmTurn.agreed(world, unit ? [unit.place] : [], why);
      if (refusal) {
        turn.settle(order, refusal);
        if (refusal === OPEN) turn.waver(cost * order.value.count, 0);
        if (refusal === OPEN && unit && unit !== OPEN) draft.put({ ...draft.get(unit.key), doubt: true, may: [unit.place] });
        continue;
      }
      const earlier = built.get(unit.place) || { low: 0, high: 0 };
      const recruited = recruit(turn, order, unit, earlier, cost);
      built.set(unit.place, { low: earlier.low + recruited.low, high: earlier.high + recruited.high });
      if (recruited.high > recruited.low) draft.put({ ...draft.get(unit.key), doubt: true, may: [unit.place] });
      if (recruited.low) draft.put(GmForces.add(draft.get(unit.key), order.value.troop, [recruited.low, 0, 0, 0, 0]));
    }
    turn.world = draft.finish();
  }

  /** {low, high}: how many come, as far as the city's resource and the gold go. */
  function recruit(turn, order, unit, built, cost) {
    const { count } = order.value;
    const { resource } = turn.world.city(unit.place);
    const rooms = { low: Math.min(count, resource - built.high), high: Math.min(count, resource - built.low) };
    const has = turn.treasury;
    const [low, high] = [affordable(rooms.low, cost, has.low), affordable(rooms.high, cost, has.high)];
    const certain = built.low === built.high && (has.low === has.high || cost * rooms.high <= has.low);
    if (!certain) {
      turn.settle(order, OPEN);
      turn.waver(cost * high, 0);
      return { low: 0, high };
    }
    let refusal = null;
    const left = resource - built.low;
    if (rooms.low < count) refusal = refuse("resource-too-little", { ordered: count, left, place: unit.place });
    if (low < rooms.low) refusal = refuse("gold-too-little", { needs: gold(cost * rooms.low), has: gold(has.low) });
    turn.settle(order, refusal, low > 0);
    turn.change(-cost * low, "troops");
    return { low, high: low };
  }

  /** L3.1, L4: how many of `count` the gold pays for. */
  const affordable = (count, cost, cents) => (cost * count <= cents ? count : Math.floor(cents / cost));

  // -- L5 --------------------------------------------------------------------------------------------------------------

  /** L5, V2 without the price: the garrison of a city, and room for so many commanders in the realm. */
  function whyNotHire(turn, unit, order, serving) {
    const { world } = turn;
    const count = order.value;
    if (!unit) return refuse("unit-not-yours", { unit: order.unit });
    if (!cityOf(unit, world)) return refuse("hire-needs-city", { unit: unit.id });
    if (count <= 0) return refuse("amount-not-positive", { amount: count });
    const { status } = world.realms.get(turn.realm);
    const limit = world.rules.statuses[status].commanders;
    if (limit === 0) return refuse("commanders-need-royalty", { status });
    if (serving.high + count <= limit) return null;
    return serving.low === serving.high ? refuse("commanders-limit", { limit, has: serving.low }) : OPEN;
  }

  function commandersHired(turn) {
    const { world } = turn;
    const draft = new GmDraft(world);
    const units = world.ofRealm(turn.realm);
    const count = (counted) => counted.reduce((sum, unit) => sum + unit.commanders.length, 0);
    const serving = { low: count(units.filter((unit) => !unit.doubt)), high: count(units) };
    for (const order of turn.unitOrders("hire_commander")) {
      const unit = ordered(turn, draft, order.unit);
      const price = GmWorld.cents(world.rules.commanders.price) * order.value;
      const refusal = (unit === OPEN ? OPEN : whyNotHire(turn, unit, order, serving)) || turn.whyNotAfford(price);
      turn.settle(order, refusal);
      if (refusal && refusal !== OPEN) continue;
      serving.high += order.value;
      if (refusal === OPEN) {
        turn.waver(price, 0);
      } else {
        // who comes is chance, but that somebody comes is not
        serving.low += order.value;
        turn.change(-price, "commanders");
      }
    }
  }

  return { ordered, troopsBuilt, commandersHired };
})();
