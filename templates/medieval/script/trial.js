"use strict";

/**
 * What a sheet of orders would come to if nobody else gave any: the turn of gm/games/medieval/pipeline.py tried on the
 * page's data, as `gm check` tries it (gm/games/medieval/trial.py).
 *
 * Where a battle, a landing or another roll of the dice decides, nothing is promised: the order is `open`.
 */
const GmTrial = (() => {
  /**
   * {orders, phases, forecast}:
   *   orders: {id: {fate, open, reason, figures, clause, says, cost: {gold, moves}}}; gold is text, below 0 it is won
   *   phases: [{phase, units: {key: {place, aboard, moves, open}}}]: the own armies and fleets at the end of each phase,
   *     0 before the first; with `open` they are shown as if they held their ground
   *   forecast: as in the results file (H1)
   */
  function run(data, own, sheet) {
    const [turn, phases] = played(data, own, sheet);
    const words = new GmWords(data, GmWorld.of(data));
    return {
      orders: Object.fromEntries([...turn.results].map(([id, result]) => [id, told(result, words)])),
      phases,
      forecast: GmHeadquarters.forecast(data, own, sheet),
    };
  }

  /** [turn, phases]: the whole turn. */
  function played(data, own, sheet) {
    const turn = moved(data, own, sheet);
    GmHeadquarters.final.forEach((step) => turn.turn.run(step));
    return [turn.turn, turn.phases];
  }

  /** {turn, phases}: the turn up to the end of Movement Events. */
  function moved(data, own, sheet) {
    const turn = new GmTurn(GmWorld.of(data), own.realm, sheet, GmWorld.cents(own.treasury));
    const phases = [];
    const watch = () => phases.push({ phase: turn.phase, units: whereabouts(turn) });
    GmMovement.turnOpens(turn);
    [palaceCoup, ...GmHeadquarters.first, ...GmMovement.FIRST].forEach((step) => turn.run(step));
    watch();
    GmMovement.run(turn, watch);
    return { turn, phases };
  }

  function whereabouts({ world, realm }) {
    const mine = world.ofRealm(realm).filter((unit) => unit.kind !== "G" && !unit.prize);
    return Object.fromEntries(mine.map((unit) => [unit.key, {
      place: unit.place, aboard: unit.aboard, moves: world.movesLeft(unit), ...(unit.doubt ? { open: true } : {}),
    }]));
  }

  function told({ fate, open, reason, figures, gold, moves }, words) {
    const plain = Object.entries(figures).map(([name, value]) =>
      [name, value !== null && typeof value === "object" ? GmWorld.text(value.cents) : value]);
    return {
      fate, open, reason, figures: Object.fromEntries(plain), ...words.reason(reason, figures),
      cost: { gold: GmWorld.text(gold), moves },
    };
  }

  // -- F0 (steps/realms.py) --------------------------------------------------------------------------------------------

  /** A file that would end its realm is void, and that of a realm which is out is read by nobody. */
  function palaceCoup(turn) {
    const out = turn.world.realms.get(turn.realm).defeated;
    if (!out && !isPalaceCoup(turn)) return;
    turn.orders.forEach((order) => turn.settle(order, GmTurn.refuse(out ? "realm-is-out" : "palace-coup")));
    turn.void = true;
  }

  /** F0: the file lets go every province of its realm and gets rid of every troop. */
  function isPalaceCoup(turn) {
    const { world, realm } = turn;
    const given = turn.headquartersOrders("give_province").map((each) => each.value.province);
    const gone = new Set([...given, ...turn.headquartersOrders("cede_province").map((each) => each.value)]);
    const lands = world.ownedBy(realm);
    if (!lands.length || !lands.every((land) => gone.has(land.name))) return false;
    const troops = new Map();
    for (const unit of world.ofRealm(realm)) {
      for (const name of Object.keys(unit.troops)) troops.set(name, (troops.get(name) || 0) + world.count(unit, name));
    }
    const dismissed = new Map();
    for (const [name, count] of gotRidOf(turn)) dismissed.set(name, (dismissed.get(name) || 0) + count);
    return troops.size > 0 && [...troops].every(([name, count]) => (dismissed.get(name) || 0) >= count);
  }

  /** [troop, count] of all that the file disbands or hands to other realms. */
  function gotRidOf(turn) {
    const disbanded = turn.unitOrders("disband").map(({ value }) => [value.troop, value.count]);
    const foreign = (to) => to.split("/")[0] !== turn.realm && turn.world.realms.has(to.split("/")[0]);
    const given = turn.orders.filter((each) => each.word === "transfer" && foreign(each.value.to));
    return [...disbanded, ...given.flatMap(({ value }) => Object.entries(value.troops || {}))];
  }

  return { run, moved, told, choices: (...given) => GmChoices.of(...given) };
})();
