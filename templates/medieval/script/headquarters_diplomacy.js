"use strict";

/** What realms say to each other (F1-F4, L15-L17): gm/games/medieval/steps/diplomacy.py with one realm's words alone. */
const GmDiplomacy = (() => {
  const { refuse } = GmTurn;

  // -- F1 --------------------------------------------------------------------------------------------------------------

  /** Only neutral, as it was when the turn began, becomes war; an alliance must be cancelled first. */
  function whyNotDeclareWar(turn, other) {
    const pair = GmWorld.pair(turn.realm, other);
    const { wars, alliances } = turn.world.progress;
    const refusal = turn.whyNotDealWith(other);
    if (refusal) return refusal;
    if (wars.has(pair)) return refuse("war-already", { other });
    return alliances.has(pair) ? refuse("war-on-ally", { other }) : null;
  }

  function warDeclared(turn) {
    const enemies = new Set();
    for (const order of turn.headquartersOrders("declare_war")) {
      const refusal = whyNotDeclareWar(turn, order.value);
      turn.settle(order, refusal);
      if (!refusal) enemies.add(order.value);
    }
    if (!enemies.size) return;
    const { world } = turn;
    const wars = new Set([...world.wars, ...[...enemies].map((other) => GmWorld.pair(turn.realm, other))]);
    turn.world = withoutRights(world, turn.realm, enemies).evolve({ wars });
  }

  /** F1: no passage rights and special permissions between a realm and its new enemies, in either direction. */
  function withoutRights(world, realm, enemies) {
    const without = (names, gone) => new Set([...names].filter((name) => !gone.has(name)));
    const of = (owner) => (owner === realm ? enemies : new Set(enemies.has(owner) ? [realm] : []));
    const realms = [...world.realms].map(([code, each]) => [code, { ...each, passage: without(each.passage, of(code)) }]);
    const lands = [...world.provinces].map(([name, land]) => {
      const permissions = without(land.permissions, of(land.owner));
      return [name, permissions.size === land.permissions.size ? land : { ...land, permissions }];
    });
    return world.evolve({ realms: new Map(realms), provinces: new Map(lands) });
  }

  // -- F2 --------------------------------------------------------------------------------------------------------------

  function acceptanceChanged(turn) {
    for (const order of turn.headquartersOrders("accept_gifts", "refuse_gifts")) {
      const refusal = turn.whyNotDealWith(order.value);
      turn.settle(order, refusal);
      if (!refusal) changeRealm(turn, "refuses", order.value, order.word === "refuse_gifts");
    }
  }

  /** Puts another realm among those that the own realm refuses, or grants passage to; or takes it out. */
  function changeRealm(turn, name, other, put) {
    const own = turn.world.realms.get(turn.realm);
    turn.world = turn.world.withRealm({ ...own, [name]: changed(own[name], other, put) });
  }

  function changed(names, name, put) {
    const found = new Set(names);
    if (put) found.add(name);
    else found.delete(name);
    return found;
  }

  // -- F3, F4 ----------------------------------------------------------------------------------------------------------

  /** F1, F3, F4: rights are never granted to an enemy. */
  function whyNotGrant(turn, other) {
    const refusal = turn.whyNotDealWith(other);
    if (refusal) return refusal;
    return turn.world.atWar(turn.realm, other) ? refuse("grant-to-enemy", { other }) : null;
  }

  function whyNotRevokePassage(turn, passage, other) {
    const refusal = turn.whyNotDealWith(other);
    if (refusal) return refusal;
    return passage.has(other) ? null : refuse("passage-not-granted", { other });
  }

  function passageRightsChanged(turn) {
    // what was granted when the step began can be revoked
    const { passage } = turn.world.realms.get(turn.realm);
    for (const order of turn.headquartersOrders("revoke_passage")) {
      const refusal = whyNotRevokePassage(turn, passage, order.value);
      turn.settle(order, refusal);
      if (!refusal) changeRealm(turn, "passage", order.value, false);
    }
    for (const order of turn.headquartersOrders("grant_passage")) {
      const refusal = whyNotGrant(turn, order.value);
      turn.settle(order, refusal);
      if (!refusal) changeRealm(turn, "passage", order.value, true);
    }
  }

  function whyNotOwn(turn, province) {
    const land = turn.world.provinces.get(province);
    return land && land.owner === turn.realm ? null : refuse("permission-not-owner", { province });
  }

  function whyNotRevokePermission(turn, lands, { province, realm: other }) {
    const refusal = whyNotOwn(turn, province) || turn.whyNotDealWith(other);
    if (refusal) return refusal;
    return lands.get(province).permissions.has(other) ? null : refuse("permission-not-granted", { other, province });
  }

  function specialPermissionChanged(turn) {
    const lands = turn.world.provinces;
    for (const order of turn.headquartersOrders("revoke_permission")) {
      const refusal = whyNotRevokePermission(turn, lands, order.value);
      turn.settle(order, refusal);
      if (!refusal) changePermission(turn, order.value, false);
    }
    for (const order of turn.headquartersOrders("grant_permission")) {
      const refusal = whyNotOwn(turn, order.value.province) || whyNotGrant(turn, order.value.realm);
      turn.settle(order, refusal);
      if (!refusal) changePermission(turn, order.value, true);
    }
  }

  function changePermission(turn, { province, realm }, put) {
    const { provinces } = turn.world;
    const land = provinces.get(province);
    const permissions = changed(land.permissions, realm, put);
    turn.world = turn.world.evolve({ provinces: new Map(provinces).set(province, { ...land, permissions }) });
  }

  // -- L15-L17: with nobody else's orders no offer is returned -----------------------------------------------------------

  function offers(turn, word, whyNot) {
    for (const order of turn.headquartersOrders(word)) {
      const other = order.value;
      turn.settle(order, turn.whyNotDealWith(other) || whyNot(other) || refuse("offer-not-returned", { other }));
    }
  }

  function peaceEstablished(turn) {
    const { wars } = turn.world.progress;
    const atWar = (other) => wars.has(GmWorld.pair(turn.realm, other));
    offers(turn, "offer_peace", (other) => (atWar(other) ? null : refuse("peace-without-war", { other })));
  }

  function alliancesCancelled(turn) {
    const { alliances } = turn.world.progress;
    for (const order of turn.headquartersOrders("cancel_alliance")) {
      const other = order.value;
      const allied = alliances.has(GmWorld.pair(turn.realm, other));
      turn.settle(order, turn.whyNotDealWith(other) || (allied ? null : refuse("alliance-not-there", { other })));
    }
  }

  function alliancesFormed(turn) {
    const { wars, alliances } = turn.world.progress;
    offers(turn, "offer_alliance", (other) => {
      const pair = GmWorld.pair(turn.realm, other);
      if (wars.has(pair) || turn.world.wars.has(pair)) return refuse("alliance-with-enemy", { other });
      return alliances.has(pair) ? refuse("alliance-already", { other }) : null;
    });
  }

  return {
    warDeclared, acceptanceChanged, passageRightsChanged, specialPermissionChanged, peaceEstablished, alliancesCancelled,
    alliancesFormed,
  };
})();
