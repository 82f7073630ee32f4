"use strict";

/** Provinces that are annexed, given away or let go (L6, L12): gm/games/medieval/steps/provinces.py. */
const GmProvinces = (() => {
  const { refuse, OPEN } = GmTurn;

  // -- L6 --------------------------------------------------------------------------------------------------------------

  /** L6, V2 without the price: owned now and when the turn began, not annexed yet, and within the realm's limit. */
  function whyNotAnnex(world, realm, province, annexed) {
    const land = world.provinces.get(province);
    if (!land || land.owner !== realm) return refuse("annex-not-owner", { province });
    if (world.progress.provinces.get(province).ownerAtStart !== realm) return refuse("annex-too-soon", { province });
    if (land.annexedTo === realm) return refuse("annexed-already", { province });
    const limit = world.rules.statuses[world.realms.get(realm).status].annexed_provinces;
    return annexed >= limit ? refuse("annexation-limit", { limit, has: annexed }) : null;
  }

  function provincesAnnexed(turn) {
    const { realm } = turn;
    const draft = new GmDraft(turn.world);
    const before = [...turn.world.provinces.values()].filter((land) => land.annexedTo === realm).length;
    const annexed = { low: before, high: before };
    for (const order of turn.headquartersOrders("annex")) {
      const province = order.value;
      const price = turn.world.places.get(province).revenue;
      const why = (count) => GmTurn.agreed(turn.world, [province], (world) => whyNotAnnex(world, realm, province, count));
      const [few, many] = [why(annexed.low), why(annexed.high)];
      let refusal = JSON.stringify(few) === JSON.stringify(many) ? few : OPEN;
      if (!refusal && draft.province(province).annexedTo === realm) refusal = refuse("annexed-already", { province });
      refusal = refusal || turn.whyNotAfford(price);
      turn.settle(order, refusal);
      if (refusal === OPEN) {
        annexed.high += 1;
        turn.waver(price, 0);
      } else if (!refusal) {
        annexed.low += 1;
        annexed.high += 1;
        draft.putProvince({ ...draft.province(province), annexedTo: realm, turnsAway: 0 }, { annexed: true });
        turn.change(-price, "annexation");
      }
    }
    turn.world = draft.finish();
  }

  // -- L12 -------------------------------------------------------------------------------------------------------------

  /** L12: the realm owned it when the step began. */
  function whyNotLetGo(turn, province) {
    return GmTurn.agreed(turn.world, [province], (world) => {
      const land = world.provinces.get(province);
      return land && land.owner === turn.realm ? null : refuse("give-not-owner", { province });
    });
  }

  /** Nothing that is ordered comes after it and asks whose a province is, so none changes hands here. */
  function provincesGifted(turn) {
    /** Provinces let go already: OPEN where that is not certain. */
    const gone = new Map();
    for (const order of turn.headquartersOrders("give_province", "cede_province")) {
      const given = order.word === "give_province";
      const province = given ? order.value.province : order.value;
      const refusal = whyNotLetGo(turn, province)
        || (gone.has(province) ? gone.get(province) || refuse("province-gone", { province }) : null)
        || (given ? turn.whyNotDealWith(order.value.realm) || whyNotAccepted(turn, order.value.realm) : null);
      turn.settle(order, refusal);
      if (!refusal || refusal === OPEN) gone.set(province, refusal);
    }
  }

  function whyNotAccepted(turn, other) {
    return turn.world.acceptsGifts(other, turn.realm) ? null : refuse("gifts-refused", { other });
  }

  return { provincesAnnexed, provincesGifted };
})();
