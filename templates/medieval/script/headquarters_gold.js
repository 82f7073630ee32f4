"use strict";

/** Gold that is sent, paid as upkeep and earned by words (L2, L3, L13): steps/economy.py and upkeep.py. */
const GmGold = (() => {
  const { refuse, gold, OPEN } = GmTurn;

  /** A percentage of a sum, rounded half up to a hundredth (W10). */
  const percentOf = (cents, percent) => Math.floor((cents * percent + 50) / 100);

  // -- L2 --------------------------------------------------------------------------------------------------------------

  /** The places of a realm's garrisons (W5): those that it has for certain, or all that it may have. */
  function garrisonPlaces(world, realm, certainly) {
    const found = [];
    for (const land of world.provinces.values()) {
      if (!GmForces.needsGarrison(land, world)) continue;
      const owners = land.versions ? land.versions.map((each) => each.land.owner) : [land.owner];
      if (certainly ? owners.every((owner) => owner === realm) : owners.includes(realm)) found.push(land.name);
    }
    return found;
  }

  /** The places that gold of the realm's garrisons can reach, for certain or perhaps: one search from all of them. */
  function withinGoldReach(world, realm, certainly) {
    let front = garrisonPlaces(world, realm, certainly);
    const reached = new Set(front);
    for (let step = 0; step < world.rules.economy.gold_reach; step += 1) {
      const after = [];
      for (const other of front.flatMap((place) => world.openNeighbours(place))) {
        if (reached.has(other)) continue;
        reached.add(other);
        // a place where no way leads through may still be a way's end
        const leads = wayLeadsThrough(world, realm, other);
        if (certainly ? leads === true : leads !== false) after.push(other);
      }
      front = after;
    }
    return reached;
  }

  /** Whether a way leads through permitted provinces and seas without enemy fleets; OPEN where chance decides. */
  function wayLeadsThrough(world, realm, place) {
    if (!world.isSea(place)) return GmTurn.agreed(world, [place], (each) => each.hasPermission(realm, place));
    const enemies = GmDoubt.present(world, place).filter((unit) => world.hasShips(unit) && world.atWar(realm, unit.realm));
    if (!enemies.length) return true;
    return enemies.some((unit) => !unit.doubt) ? false : OPEN;
  }

  /** L2 without the price: the receiver exists, takes gifts, and has a garrison within reach. */
  function whyNotSendGold(turn, other, amount, reach) {
    const { world, realm } = turn;
    const receiver = world.realms.get(other);
    if (!receiver) return refuse("other-unknown", { other });
    if (receiver.defeated) return refuse("other-is-out", { other });
    if (amount <= 0) return refuse("amount-not-positive", { amount: gold(amount) });
    if (other !== realm && !world.acceptsGifts(other, realm)) return refuse("gifts-refused", { other });
    const hasGarrison = (certainly, reached) => garrisonPlaces(world, other, certainly).some((place) => reached.has(place));
    if (hasGarrison(true, reach.certain)) return null;
    return hasGarrison(false, reach.possible) ? OPEN : refuse("gold-no-way", { other });
  }

  function goldSent(turn) {
    const orders = turn.headquartersOrders("send_gold");
    if (!orders.length) return;
    const { world, realm } = turn;
    const reach = { certain: withinGoldReach(world, realm, true), possible: withinGoldReach(world, realm, false) };
    let back = 0;
    for (const order of orders) {
      const amount = GmWorld.cents(order.value.amount);
      const price = amount + percentOf(amount, world.rules.economy.gold_fee_percent);
      const refusal = whyNotSendGold(turn, order.value.realm, amount, reach) || turn.whyNotAfford(price);
      turn.settle(order, refusal);
      if (refusal === OPEN) turn.waver(price, 0);
      else if (!refusal) turn.change(-price, "gold sent");
      if (!refusal && order.value.realm === realm) back += amount;
    }
    // what one sends to oneself comes back when all is sent, without the fee
    turn.change(back, "gold received", null);
  }

  // -- L3 --------------------------------------------------------------------------------------------------------------

  /** The realm pays what it can. Who is not paid in full may be lost: chance decides how many of them. */
  function upkeepPaid(turn) {
    if (turn.world.realms.get(turn.realm).defeated) return;
    const needed = GmForces.upkeepRange(turn);
    const has = { ...turn.treasury };
    const paid = { low: Math.min(needed.low, has.high), high: Math.min(needed.high, has.low) };
    if (needed.low === needed.high && has.low === has.high) {
      turn.change(-Math.min(needed.low, has.low), "upkeep", null);
    } else {
      turn.treasury = { low: Math.max(0, has.low - paid.high), high: Math.max(0, has.high - paid.low) };
    }
    if (has.low < needed.high) unpaidMayLeave(turn, needed.low === needed.high && has.low === has.high ? has.low : 0);
  }

  /** Everybody whose upkeep comes when the gold is spent is in doubt. */
  function unpaidMayLeave(turn, cents) {
    const draft = new GmDraft(turn.world);
    let left = cents;
    for (const { key, price } of upkeepLines(turn.world, turn.realm)) {
      left -= price;
      if (left >= 0) continue;
      const unit = draft.get(key);
      draft.put({ ...unit, doubt: true, may: unit.may || [unit.place] });
    }
    turn.world = draft.finish();
  }

  /** {key, price}: the realm's upkeep in the order of payment: commanders, then troops; the dearest to build first. */
  function upkeepLines(world, realm) {
    const { commanders, troops } = world.rules;
    const kinds = "GAF";
    const units = [...world.ofRealm(realm)].sort((one, other) =>
      kinds.indexOf(one.kind) - kinds.indexOf(other.kind) || one.number - other.number);
    const types = Object.keys(troops);
    const rank = (one, other) =>
      GmWorld.cents(troops[other].cost) - GmWorld.cents(troops[one].cost) || types.indexOf(one) - types.indexOf(other);
    return [
      ...units.flatMap((unit) => unit.commanders.map(() => ({ key: unit.key, price: GmWorld.cents(commanders.upkeep) }))),
      ...units.flatMap((unit) => Object.keys(unit.troops).sort(rank).map((troop) => (
        { key: unit.key, price: GmWorld.cents(troops[troop].upkeep) * world.count(unit, troop) }))),
    ];
  }

  // -- L13 -------------------------------------------------------------------------------------------------------------

  /** One a turn, not empty and not too long. What the game master rejects is not known yet. */
  function whyNotProclaim(text, earlier, { proclamation_length: limit }) {
    if (earlier) return refuse("proclaimed-already");
    if (!GmText.strip(text)) return refuse("proclamation-empty");
    const has = GmText.length(text);
    return has > limit ? refuse("proclamation-too-long", { limit, has }) : null;
  }

  function proclamationsIncome(turn) {
    const { economy } = turn.world.rules;
    let heard = false;
    for (const order of turn.headquartersOrders("proclamation")) {
      const refusal = whyNotProclaim(order.value, heard, economy);
      turn.settle(order, refusal);
      if (refusal) continue;
      heard = true;
      turn.change(GmWorld.cents(economy.proclamation), "proclamation");
    }
  }

  return { percentOf, goldSent, upkeepPaid, proclamationsIncome };
})();
