"use strict";

/** Troops and commanders change units where giver and receiver are in one place (F8, M1): steps/transfers.py. */
const GmTransfers = (() => {
  const { refuse, OPEN } = GmTurn;

  /** The reasons for which a transfer may wait (O6). */
  const ABSENT = new Set(["no-such-receiver", "receiver-elsewhere"]);

  /** What may stand behind a waiting transfer (O6). */
  const LASTING = new Set(["transfer", "pillage"]);

  function sameLocationTransfers(turn) {
    transfers(turn, true);
  }

  function transfersHappen(turn) {
    transfers(turn, false);
  }

  function transfers(turn, allWait) {
    const draft = new GmDraft(turn.world);
    perhapsGiven(turn, draft);
    for (const unit of turn.acting(["transfer"], true)) {
      const left = turn.left(unit);
      for (const [index, entry] of left.entries()) {
        if (entry.word !== "transfer") break;
        const waits = left.slice(index + 1).every((each) => LASTING.has(each.word));
        tryTransfer(turn, draft, unit.key, entry, allWait || waits);
      }
    }
    turn.world = draft.finish();
  }

  function tryTransfer(turn, draft, key, entry, waits) {
    const giver = draft.get(key);
    const receiver = receiverOf(draft, giver, entry.value.to);
    const refusal = whyNotTransfer(turn.world, giver, receiver, entry.value.to);
    if (refusal === null && !giver.doubt) {
      const moved = whatMoves(turn, draft, giver, receiver, entry.value);
      if (moved.short === OPEN) perhaps(turn, draft, giver, receiver, entry);
      else {
        transfer(draft, giver, receiver, moved);
        turn.settle(entry, moved.short, anything(moved));
      }
    } else if (refusal === OPEN || giver.doubt) {
      // whom one waits for, and who is surely not here yet, may be waited for
      if (receiver && waits && !giver.doubt && !GmDoubt.places(receiver).includes(giver.place)) return;
      perhaps(turn, draft, giver, receiver, entry);
    } else if (!(ABSENT.has(refusal.reason) && waits)) {
      turn.settle(entry, refusal);
    }
  }

  /** Nobody knows whether, or what, one gives to the other: both are in doubt if they can have met. */
  function perhaps(turn, draft, giver, receiver, entry) {
    turn.settle(entry, OPEN);
    const together = receiver && GmDoubt.places(giver).some((place) => GmDoubt.places(receiver).includes(place));
    if (!together) return;
    GmDoubt.cast(draft, turn, giver.key);
    GmDoubt.cast(draft, turn, receiver.key);
  }

  /** What units in doubt may hand over wherever they are, perhaps before all others. */
  function perhapsGiven(turn, draft) {
    for (const [giver, entries] of turn.doubtful("transfer")) {
      for (const entry of entries) {
        const receiver = receiverOf(draft, giver, entry.value.to);
        if (receiver && receiver.key !== giver.key && GmDoubt.places(receiver).some((place) => giver.may.includes(place))) {
          GmDoubt.cast(draft, turn, receiver.key);
        }
      }
    }
  }

  /** The unit that is meant: an own one by id, a garrison by its province, another realm's as "AQU/A3". */
  function receiverOf(draft, giver, reference) {
    const at = reference.lastIndexOf("/");
    const realm = at < 0 ? giver.realm : reference.slice(0, at);
    const name = reference.slice(at + 1);
    let found = draft.get(`${realm}/${name}`);
    if (!found && draft.start.provinces.has(name)) found = draft.garrison(name);
    return found && found.realm === realm ? found : null;
  }

  function whyNotTransfer(world, giver, receiver, reference) {
    if (!receiver) return refuse("no-such-receiver", { receiver: reference });
    if (receiver.key === giver.key) return refuse("receiver-is-giver");
    // a garrison may be no more, with the province that it guarded
    if (receiver.kind === "G" && receiver.doubt && world.provinces.get(receiver.place).versions) return OPEN;
    if (receiver.realm !== giver.realm) {
      if (world.atWar(giver.realm, receiver.realm)) return refuse("receiver-at-war", { realm: receiver.realm });
      const taken = world.acceptsGifts(receiver.realm, giver.realm);
      if (!taken) return refuse("receiver-refuses-gifts", { realm: receiver.realm });
    }
    if (receiver.doubt) return OPEN;
    if (receiver.place === giver.place) return null;
    return refuse("receiver-elsewhere", { receiver: receiver.key, place: receiver.place });
  }

  /** W5: soldiers live in armies and garrisons, ships in fleets and in garrisons with city and harbour. */
  function whyNotTake(world, receiver, troop) {
    const ship = world.isShip(troop);
    if (ship && receiver.kind === "A") return refuse("ships-not-in-armies", { troop });
    if (!ship && receiver.kind === "F") return refuse("soldiers-not-in-fleets", { troop });
    if (!ship || receiver.kind !== "G") return null;
    return GmTurn.agreed(world, [receiver.place], (each) =>
      (GmForces.holdsShips(each.provinces.get(receiver.place), each)
        ? null
        : refuse("garrison-has-no-harbour", { troop, place: receiver.place })));
  }

  /** {troops, commanders, short}: what of a transfer can be done, and why not all of it. */
  function whatMoves(turn, draft, giver, receiver, value) {
    const { world } = turn;
    const moved = { troops: {}, commanders: [], short: null };
    const shortOf = (refusal) => {
      if (moved.short === null || refusal === OPEN) moved.short = refusal;
    };
    const [troops, commanders] = [Object.entries(value.troops || {}), value.commanders || []];
    if (!troops.length && !commanders.length) shortOf(refuse("nothing-to-transfer"));
    for (const [troop, count] of troops) {
      const has = Math.min(world.count(giver, troop), count);
      let refusal = whyNotTake(world, receiver, troop);
      const allowed = refusal === null;
      if (allowed && has < count) refusal = refuse("has-fewer-troops", { troop, needs: count, has });
      if (refusal) shortOf(refusal);
      if (has && allowed) moved.troops[troop] = has;
    }
    for (const name of commanders) {
      const refusal = whyNotSend(draft, giver, receiver, name);
      if (refusal) shortOf(refusal);
      else if (!moved.commanders.includes(name)) moved.commanders.push(name);
    }
    return moved;
  }

  /** A commander has to be here, and his name free in the realm that he goes to (W6). */
  function whyNotSend(draft, giver, receiver, commander) {
    if (!giver.commanders.some((each) => each.name === commander)) return refuse("commander-elsewhere", { commander });
    if (giver.realm === receiver.realm) return null;
    const theirs = draft.start.ofRealm(receiver.realm).map((unit) => draft.get(unit.key));
    const namesake = theirs.find((unit) => unit.commanders.some((each) => each.name === commander));
    if (!namesake) return null;
    return namesake.doubt ? OPEN : refuse("receiver-has-commander", { commander, realm: receiver.realm });
  }

  const anything = (moved) => Object.keys(moved.troops).length > 0 || moved.commanders.length > 0;

  /** Moves them, ranks kept (W6), and with them the move-points that the giver has used (P6). */
  function transfer(draft, giver, receiver, moved) {
    if (!anything(moved)) return;
    let [from, to] = [giver, receiver];
    for (const [troop, count] of Object.entries(moved.troops)) {
      const [left, ranks] = GmForces.take(from, troop, count);
      [from, to] = [left, GmForces.add(to, troop, ranks)];
    }
    for (const name of moved.commanders) {
      const [left, commander] = GmForces.withoutCommander(from, name);
      [from, to] = [left, { ...to, commanders: [...to.commanders, commander] }];
    }
    draft.put(from);
    draft.put(to);
    const [gave, took] = [draft.done(giver), draft.done(receiver)];
    draft.mark(receiver, { used: Math.max(gave.used, took.used), spent: gave.spent || took.spent });
  }

  return { sameLocationTransfers, transfersHappen, receiverOf, whyNotTransfer, ABSENT };
})();
