"use strict";

/**
 * The plans of a sheet added up phase by phase: who hands what to whom, who takes whom aboard, who goes where and what
 * it costs, each looked up in the tables of the book. Whatever they cannot tell, because others decide it or a battle,
 * is open: the receipt tells it. `run` does it all.
 */
class GmPlan extends GmPlanState {
  run() {
    this.form();
    this.step(["hand"], null, true);
    for (const unit of this.units.values()) unit.crew = unit.commanders.map(({ name }) => name);
    this.dismiss();
    this.watch();
    const { phases: limit } = this.book.shared.limits;
    do {
      this.phase += 1;
      for (const { words, kind } of this.book.shared.phases) {
        this.step(words, kind);
        if (kind) this.meet(kind);
      }
      this.watch();
    } while (this.phase < limit && [...this.units.values()].some((unit) => this.unfinished(unit)));
    this.close();
    return this;
  }

  // -- a step of a phase ---------------------------------------------------------------------------------------------

  /** Every unit whose plan comes to one of these does it: entries by what they do, or by their words. */
  step(words, kind, early = false) {
    const order = [...this.units.values()].sort((a, b) => (a.kind === b.kind ? a.id.slice(1) - b.id.slice(1) : a.kind < b.kind ? -1 : 1));
    const due = (each) => words.includes(early ? this.does(each) : each.word);
    for (const unit of order.filter((each) => !kind || each.kind === kind)) {
      for (const entry of this.left(unit)) {
        if (this.results.has(entry.id)) continue;
        if (!due(entry)) break;
        const does = this.does(entry);
        if (unit.doubt) this.leave(entry);
        else if (!this.book.word(entry).kinds.includes(unit.kind)) this.leave(entry);
        else if (unit.aboard && does !== "hand") break;
        else if (!this[does](entry, unit, early)) break;
      }
    }
    this.handOver();
  }

  // -- handing over --------------------------------------------------------------------------------------------------

  hand(entry, unit, early) {
    const { to } = entry.value;
    if (this.foreign(entry)) return this.giveAway(entry, unit);
    if (entry.value.commanders.some((name) => this.unsure.has(name))) {
      unit.doubt = true;
      return this.leave(entry);
    }
    const receiver = this.book.find(this.units, to.split("/").pop());
    if (!receiver && this.book.index.has(to)) return this.leave(entry);
    if (!receiver || receiver.place !== unit.place) {
      const left = this.left(unit);
      const waits = early || left.slice(left.indexOf(entry) + 1).every((each) => ["hand", "once"].includes(this.does(each)));
      return waits || this.absent(entry, receiver);
    }
    if (receiver.doubt || receiver === unit) return this.leave(entry);
    const { troops, commanders } = entry.value;
    this.handovers.push({ entry, unit, receiver, troops: { ...troops }, commanders: [...new Set(commanders)], moved: false });
    return true;
  }

  /** Everybody hands over what he has, then what has come to him by that, until nobody moves any more. */
  handOver() {
    const { handovers } = this;
    this.handovers = [];
    while (handovers.map((each) => this.move(each)).some(Boolean));
    for (const handover of handovers) {
      const { why, open } = this.short(handover);
      this.settle(handover.entry, why ? (handover.moved ? "reduced" : "failed") : "done", { open, ...why });
    }
  }

  foreign({ value: { to } }) {
    return to.includes("/") && !to.startsWith(`${this.book.realm}/`);
  }

  absent(entry, receiver) {
    if (!receiver) return this.fail(entry, "receiver", { to: entry.value.to });
    if (receiver.doubt) return this.leave(entry);
    return this.fail(entry, "elsewhere", { unit: this.book.named(receiver), to: receiver.place });
  }

  /** To another realm's unit, which may be elsewhere by then. */
  giveAway(entry, unit) {
    const answer = this.book.choices.receivers[entry.value.to.split("/")[0]];
    if (typeof answer === "string") return this.settle(entry, "failed", this.book.reason(answer));
    const pace = this.book.pace(unit);
    for (const [troop, count] of Object.entries(entry.value.troops)) GmPlanState.take(unit, troop, count);
    unit.commanders = unit.commanders.filter((each) => !entry.value.commanders.includes(each.name));
    // who keeps them goes as fast as before
    Object.assign(unit, { changed: true, doubt: this.book.pace(unit) !== pace });
    return this.leave(entry);
  }

  /** Moves what there is of what has still to go; whether that was anybody. */
  move(handover) {
    const { unit, receiver, troops, commanders } = handover;
    let moved = false;
    for (const [troop, count] of Object.entries(troops)) {
      const going = Math.min(count, GmBook.total(unit.troops.get(troop) || []));
      if (!going || this.unfit(troop, receiver)) continue;
      const taken = GmPlanState.take(unit, troop, going);
      receiver.troops.set(troop, taken.map((each, rank) => each + ((receiver.troops.get(troop) || [])[rank] || 0)));
      troops[troop] = count - going;
      moved = true;
    }
    for (const who of unit.commanders.filter(({ name }) => commanders.includes(name))) {
      unit.commanders = unit.commanders.filter((each) => each !== who);
      receiver.commanders = [...receiver.commanders, who];
      commanders.splice(commanders.indexOf(who.name), 1);
      moved = true;
    }
    if (moved) Object.assign(receiver, { used: Math.max(unit.used, receiver.used), spent: unit.spent || receiver.spent });
    unit.changed = receiver.changed = true;
    handover.moved = handover.moved || moved;
    return moved;
  }

  /** Why not all of them went: {why, open}. */
  short({ entry, receiver, troops, commanders }) {
    const result = { why: null, open: commanders.length > 0 };
    for (const [troop, needs] of Object.entries(entry.value.troops)) {
      const unfit = this.unfit(troop, receiver);
      const has = needs - troops[troop];
      if (unfit === "open") result.open = true;
      else if (unfit) result.why = result.why || this.book.said(unfit, { to: troop });
      else if (has < needs) result.why = result.why || this.book.said("fewer", { to: troop, needs, has });
    }
    return result;
  }

  /** The name of the reason why a unit cannot have such troops, if it cannot. */
  unfit(troop, receiver) {
    const { ship } = this.book.shared.troops[troop];
    if (receiver.kind === "A") return ship ? "ship" : "";
    if (receiver.kind === "F") return ship ? "" : "soldier";
    return ship && !(this.book.choices.units[receiver.id] || {}).ships ? "open" : "";
  }

  // -- going ---------------------------------------------------------------------------------------------------------

  board(entry, unit) {
    const answer = this.book.choices.board[entry.value];
    if (typeof answer === "string") return this.settle(entry, "failed", this.book.reason(answer));
    const had = this.points(unit);
    Object.assign(unit, { spent: true, doubt: answer === undefined || this.declared.has(entry.value) });
    if (answer === undefined) return this.leave(entry);
    return this.settle(entry, "done", { open: unit.doubt }, had);
  }

  stay(entry, unit) {
    if (unit.acted === this.phase) return false;
    const { holds, hold } = this.book.shared.limits;
    const needs = unit.holds < holds ? 0 : hold;
    const has = this.points(unit);
    if (needs > has) return this.fail(entry, "hold", { needs, has });
    Object.assign(unit, { used: unit.used + needs, holds: unit.holds + 1, acted: this.phase });
    return this.settle(entry, "done", {}, needs);
  }

  go(entry, unit) {
    if (unit.acted === this.phase) return false;
    const why = this.blocked(entry.word, unit, entry.value);
    if (why && why.closed && this.entered.get(entry.value) < this.phase) {
      // it may be open by then: an own army went in before
      unit.doubt = true;
      return this.leave(entry);
    }
    if (why) {
      this.settle(entry, "failed", why);
      for (const each of this.left(unit)) if (["go", "stay"].includes(this.does(each))) this.fail(each, "given up");
      return true;
    }
    const cost = this.fee(entry.word, entry.value);
    const known = !(this.entered.get(entry.value) < this.phase);
    const from = unit.place;
    for (const each of [unit, ...this.cargo(unit)]) each.place = entry.value;
    Object.assign(unit, { used: unit.used + cost, acted: this.phase });
    this.arrive(unit);
    this.settle(entry, "done", { open: !known, from, attack: this.book.attack(unit, entry.value, this.declared) }, cost);
    return true;
  }

  /** What a table of ways says of a place, after the wars that are declared. */
  fee(word, place) {
    const index = this.book.index.get(place);
    const war = this.declared.has(this.book.owner(place)) && (this.book.choices.war[word] || {})[index];
    return war !== undefined && war !== false ? war : this.book.choices.enter[word][index];
  }

  /** Why a unit cannot go there next, if it cannot: {clause, says}. */
  blocked(word, unit, place) {
    const { book } = this;
    const [from, figures] = [unit.place, { from: unit.place, to: place, unit: book.named(unit) }];
    if (unit.kind === "F" ? !unit.troops.size : !unit.troops.size && !unit.commanders.length) return book.said(unit.kind === "F" ? "no ships" : "nobody", figures);
    if (!book.neighbours(from).includes(place) || (unit.kind === "A" && book.sea.has(place))) return book.said("far", figures);
    if (unit.kind === "F" && !book.sea.has(from) && !book.sea.has(place)) return book.said("inland", figures);
    const closed = book.closed(word, from, place);
    if (closed !== undefined) return book.barrier(closed, figures);
    const needs = this.fee(word, place);
    if (typeof needs === "string") return { ...book.reason(needs, figures), closed: true };
    const has = this.points(unit);
    return needs > has ? book.said("points", { needs, has }) : null;
  }

  cargo(fleet) {
    return fleet.kind === "F" ? [...this.units.values()].filter((each) => each.aboard === fleet.key) : [];
  }

  /** What it went into of an enemy's may be its own from then on. */
  arrive(unit) {
    const owner = this.book.owner(unit.place);
    if (!owner || !this.foe(owner)) return;
    this.met.add(unit.place);
    if (!this.entered.has(unit.place)) this.entered.set(unit.place, this.phase);
  }

  /**
   * Who stands where an enemy does may have to fight, at sea once fleets have sailed, on land once armies have marched; a
   * fleet that carries more than it has room for may leave somebody behind.
   */
  meet(kind) {
    for (const unit of [...this.units.values()].filter((each) => (each.kind === "F") === (kind === "F") && !each.aboard)) {
      const cargo = this.cargo(unit);
      const laden = cargo.length && cargo.reduce((sum, each) => sum + this.book.sum(each, "weight"), 0) > this.book.sum(unit, "room");
      // in the first phase enemies' fleets without anchorage flee: dice say where to
      const fleeing = this.phase === 1 && (this.book.choices.fleeing[this.book.index.get(unit.place)] || []).some(this.foe);
      const meets = fleeing || this.book.attack(unit, unit.place, this.declared);
      if (meets) this.met.add(unit.place);
      if (!laden && !meets) continue;
      for (const each of [unit, ...cargo]) each.doubt = true;
    }
  }

  // -- aboard and ashore ---------------------------------------------------------------------------------------------

  take(entry, fleet) {
    const whys = [];
    let open = false;
    for (const id of entry.value) {
      const army = this.units.get(id.replace(`${this.book.realm}/`, ""));
      if (!army || army.doubt || fleet.landed) {
        open = true;
        if (army) army.doubt = true;
        continue;
      }
      const why = this.ashore(entry.word, fleet, army);
      if (why) whys.push(why);
      else Object.assign(army, { aboard: fleet.key, place: fleet.place, spent: true });
    }
    const fate = !whys.length ? "done" : whys.length < entry.value.length ? "reduced" : "failed";
    return this.settle(entry, fate, { open, ...whys[0] });
  }

  /** Why a fleet cannot take an army aboard, if it cannot. */
  ashore(word, fleet, army) {
    const { book } = this;
    const unit = book.named(army);
    if (!fleet.troops.size) return book.said("no ships", { unit: book.named(fleet) });
    if (army.aboard) return book.said("loaded", { unit, to: book.named(this.units.get(army.aboard.split("/").pop())) });
    if (!army.troops.size && !army.commanders.length) return book.said("nobody to load", { unit });
    if (army.place !== fleet.place) {
      const near = book.sea.has(fleet.place) && book.neighbours(fleet.place).includes(army.place);
      if (!near) return book.said("apart", { unit, to: army.place });
      const closed = book.closed(word, fleet.place, army.place);
      if (closed !== undefined) return book.barrier(closed, { from: fleet.place, to: army.place });
    }
    const [needs, has] = [book.sum(army, "weight"), book.sum(fleet, "room")];
    return needs * 100 > has * book.shared.limits.loaded ? book.said("heavy", { unit, needs, has }) : null;
  }

  land(entry, fleet) {
    const whys = [];
    const had = this.points(fleet);
    let open = fleet.landed > 1;
    let landed = false;
    for (const [id, place] of Object.entries(entry.value)) {
      const army = this.units.get(id.replace(`${this.book.realm}/`, ""));
      if (!army || army.doubt) {
        open = fleet.doubt = true;
        continue;
      }
      const why = this.shut(entry.word, fleet, army, place);
      if (why) {
        whys.push(why);
        continue;
      }
      const dice = this.fee(entry.word, place) < 0;
      landed = true;
      open = open || dice;
      Object.assign(army, { aboard: null, place, spent: true, doubt: dice });
      this.arrive(army);
    }
    if (landed) Object.assign(fleet, { spent: true, landed: (fleet.landed || 0) + 1 });
    const fate = !whys.length ? "done" : landed || open ? "reduced" : "failed";
    return this.settle(entry, fate, { open, ...whys[0] }, landed ? had : 0);
  }

  /** Why an army cannot go ashore there, if it cannot. */
  shut(word, fleet, army, place) {
    const { book } = this;
    const figures = { from: fleet.place, to: place };
    if (army.aboard !== fleet.key) return book.said("ashore", { unit: book.named(army), to: book.named(fleet) });
    if (place !== fleet.place) {
      if (!book.sea.has(fleet.place)) return book.said("docked", figures);
      if (!book.neighbours(fleet.place).includes(place)) return book.said("far", figures);
      const closed = book.closed(word, fleet.place, place);
      if (closed !== undefined) return book.barrier(closed, figures);
    }
    const answer = this.fee(word, place);
    return typeof answer === "string" ? book.reason(answer, figures) : null;
  }

  /** What a unit does once where it stands, such as plunder: known of those who stand as they began; else he may have his move-points left. */
  once(entry, unit) {
    const answer = (this.book.choices.units[unit.id] || {})[entry.word];
    const had = this.points(unit);
    const first = !this.entered.has(`once ${unit.place}`);
    const own = this.book.owner(unit.place) === this.book.realm;
    const same = unit.place === unit.began && !unit.changed && this.phase === 1 && first && (own || typeof answer === "string");
    this.entered.set(`once ${unit.place}`, this.phase);
    if (answer === undefined || !same) {
      Object.assign(unit, { spent: true, doubt: this.left(unit).length > 1 });
      return this.leave(entry);
    }
    if (typeof answer === "string") return this.settle(entry, "failed", this.book.reason(answer));
    unit.spent = true;
    this.plundered.set(unit.place, "sure");
    return this.settle(entry, "done", {}, had, answer);
  }
}
