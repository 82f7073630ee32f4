"use strict";

/**
 * What headquarters does in a turn, and what it will cost: the steps on diplomacy, gold, provinces, recruiting and
 * construction in the order of gm/games/medieval/pipeline.py, and the forecast H1 (gm/games/medieval/forecast.py).
 *
 * `first` and `final` are steps for GmTurn.run. Steps that touch no order are left out: damage, decay, revenue, limits.
 */
const GmHeadquarters = (() => {
  /** First Events on diplomacy (F1-F4), before anything happens to units. */
  const first = [
    GmDiplomacy.warDeclared,
    GmDiplomacy.acceptanceChanged,
    GmDiplomacy.passageRightsChanged,
    GmDiplomacy.specialPermissionChanged,
  ];

  /** Final Events (L2-L17). */
  const final = [
    GmGold.goldSent,
    GmGold.upkeepPaid,
    GmRecruiting.troopsBuilt,
    GmRecruiting.commandersHired,
    GmProvinces.provincesAnnexed,
    GmWorks.constructionHappens,
    GmWorks.structuresRazed,
    GmProvinces.provincesGifted,
    GmGold.proclamationsIncome,
    GmDiplomacy.peaceEstablished,
    GmDiplomacy.alliancesCancelled,
    GmDiplomacy.alliancesFormed,
  ];

  /** The steps that spend gold before it decays, and those that change what they spend. */
  const SPENDING = [
    GmFirstEvents.newArmiesFormed,
    GmFirstEvents.newFleetsFormed,
    GmTransfers.sameLocationTransfers,
    GmFirstEvents.troopsDisbanded,
    GmGold.goldSent,
    GmGold.upkeepPaid,
    GmRecruiting.troopsBuilt,
    GmRecruiting.commandersHired,
    GmProvinces.provincesAnnexed,
    GmWorks.constructionHappens,
  ];

  const HEADQUARTERS = ["gold sent", "annexation"];
  const GARRISONS = ["troops", "commanders", "construction"];

  /** More hundredths of gold than any plan costs: with it the steps carry out all that the rules allow. */
  const BOUNDLESS = 1e14;

  /**
   * H1 for a draft of orders in the position as it is now: {treasury, upkeep, hq_expenses, garrison_expenses, surplus,
   * decay, expected_revenue, warning, lines: [{what, amount}]}, gold as text, expenses above 0, warning "none", "low" or
   * "short". Movement, battles and other realms' orders are not foreseen, so the turn may differ.
   */
  function forecast(data, own, sheet) {
    const world = GmWorld.of(data);
    const { economy, forecast: limits } = world.rules;
    const treasury = GmWorld.cents(own.treasury);
    const amounts = planned(world, own.realm, sheet);
    const spent = (kinds) => -kinds.reduce((sum, kind) => sum + (amounts.get(kind) || 0), 0);
    const surplus = [...amounts.values()].reduce((sum, each) => sum + each, treasury);
    const books = {
      treasury,
      upkeep: spent(["upkeep"]),
      hq_expenses: spent(HEADQUARTERS),
      garrison_expenses: spent(GARRISONS),
      surplus,
      decay: GmGold.percentOf(Math.max(surplus, 0), economy.decay_percent),
      expected_revenue: expectedRevenue(world, own.realm),
    };
    const changes = [...amounts].filter(([, amount]) => amount);
    return {
      ...Object.fromEntries(Object.entries(books).map(([name, cents]) => [name, GmWorld.text(cents)])),
      warning: warning(surplus, limits),
      lines: [["treasury", treasury], ...changes].map(([what, cents]) => ({ what, amount: GmWorld.text(cents) })),
    };
  }

  /** What the steps would take from and give to a treasury without bounds, by what it is for. */
  function planned(world, realm, sheet) {
    const turn = new GmTurn(world, realm, sheet, BOUNDLESS);
    turn.void = world.realms.get(realm).defeated;
    GmMovement.turnOpens(turn);
    SPENDING.forEach((step) => turn.run(step));
    const amounts = new Map();
    for (const { what, amount } of turn.entries) amounts.set(what, (amounts.get(what) || 0) + amount);
    return amounts;
  }

  /** L11: the provinces that the realm owns and that are annexed to it. */
  function expectedRevenue(world, realm) {
    const mine = world.ownedBy(realm).filter((land) => land.annexedTo === realm);
    return mine.reduce((sum, land) => sum + GmLand.revenue(world, land.name), 0);
  }

  function warning(surplus, limits) {
    if (surplus < GmWorld.cents(limits.alarm_below)) return "short";
    return surplus < GmWorld.cents(limits.warn_below) ? "low" : "none";
  }

  return { first, final, forecast };
})();
