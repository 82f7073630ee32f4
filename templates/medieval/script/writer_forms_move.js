"use strict";

/** The forms of the plan: where a unit goes, whom it takes along and to whom it hands troops (O5). */
const GmWriterMoveForms = (() => {
  const { el, fill, button, clauses } = GmDom;
  const { picks, troops, commanders, chosen, select, boxes } = GmWriterFields;

  /** What can be chosen of a word after the unit's plan so far. */
  const offered = ({ desk, unit, word }) => desk.choices(unit, word);

  const points = (cost) => (typeof cost === "number" ? GmDom.counted(cost, _("move-point|move-points")) : "");

  /** March and sail: the next place, by name or on the map; the form stays for the place after that. */
  function ofPlaces(context) {
    const { desk, unit, word, who } = context;
    const last = () => GmWriterForce.last(desk, who);
    const from = last();
    const ways = () => offered(context).map((each) => {
      const { value, cost, open, attack } = each;
      // whatever is decided before, it gives no move-points back
      const short = open && !context.order && cost > last().moves;
      const { clause, says } = short ? desk.data.said("points", { needs: cost, has: last().moves }) : each;
      const note = [whose(desk, value), GmWriterHints.defence(desk, value), open && !short ? _("see the receipt") : ""];
      return {
        value, label: value, cost: points(cost), note: note.filter(Boolean).join(" · "), attack, allowed: each.allowed && !short,
        clause, says,
      };
    });
    const items = ways();
    if (!items.length) return el("p", {}, _(`It cannot leave ${from.place}.`));
    const pick = (place) => context.stay([[word, place]]);
    // on the map a route is drawn place by place, for as long as the unit can go on
    const onMap = () => {
      const open = ways().filter((each) => each.allowed !== false).map((each) => each.value);
      if (!open.length || !context.stands()) return context.host.backFromMap();
      const left = points(last().moves);
      const question = _(`${GmWriterForce.label(who)}: ${word.name} where?`);
      context.host.pickOnMap(open, left ? _(`${question} ${left} left.`) : question, (place) => {
        if (place !== null) pick(place);
        if (place === null || context.order) context.host.backFromMap();
        else onMap();
      });
    };
    return el("div", {},
      el("p", { class: "note" }, from.moves === null ? _(`From ${from.place}.`) : _(`From ${from.place}, with ${points(from.moves)} left.`)),
      context.host.hasMap && items.some((each) => each.allowed !== false) ? button(_("Pick on the map"), onMap, { key: "map" }) : null,
      items.some((each) => each.attack) ? el("p", { class: "note" }, _("Battle odds assume that nobody else moves or joins.")) : null,
      picks(items, (each) => pick(each.value)));
  }

  /** "France · at war": who owns a place. */
  function whose(desk, name) {
    const owner = desk.data.owner(name);
    if (!owner) return _("sea");
    return owner === desk.own.realm ? _("yours") : desk.data.realms[owner] || _("independent");
  }

  /** Armies to take aboard. */
  function ofArmies(context) {
    const { desk, word, order } = context;
    const own = GmWriterForce.planned(desk);
    const found = offered(context).filter((each) => each.allowed !== false || order?.value.includes(each.value));
    const name = (id) => (own.has(id) ? GmWriterForce.label(own.get(id)) : id);
    const note = (each) => (each.allowed === false ? each.says : own.has(each.value) ? GmWriterForce.roll(own.get(each.value)) : "");
    // armies that come later can be named as well: the trial says whether they are there in time
    const elsewhere = [...own.values()].filter((each) => each.kind === "A" && !found.some(({ value }) => value === each.id));
    const options = [...found.map((each) => [each.value, name(each.value), note(each)]),
      ...elsewhere.map((each) => [each.id, name(each.id), _(`in ${GmWriterForce.last(desk, each).place}`)])];
    if (!options.length) return el("p", {}, _("There is no army to take aboard."));
    const ticked = boxes(_("Armies that come aboard"), options, order ? order.value : []);
    const read = () => (ticked.value().length
      ? { given: [[word, ticked.value()]] }
      : { problem: _("Tick the armies that are to come aboard.") });
    return GmWriterEntry(context, [ticked], read);
  }

  /** Each army aboard and where it goes ashore. */
  function ofLandings(context) {
    const { desk, word, order, who } = context;
    const own = GmWriterForce.planned(desk);
    const found = offered(context);
    const value = order ? order.value : {};
    const armies = [...new Set([...found.map((each) => each.value), ...Object.keys(value)])];
    if (!armies.length) return el("p", {}, _("No army will be aboard then. Load one first."));
    const shoreOf = (army, field) => found.find((each) => each.value === army && each.place === field.value());
    const fields = armies.map((army) => {
      const shores = found.filter((each) => each.value === army);
      const name = (each) => (each.allowed === false ? `${each.place} – ${each.says}` : `${each.place} (${whose(desk, each.place)})`);
      const options = [["", _("stays aboard")], ...shores.map((each) => [each.place, name(each)])];
      if (value[army] && !shores.some((each) => each.place === value[army])) options.push([value[army], value[army]]);
      const only = shores.filter((each) => each.allowed !== false);
      const first = value[army] || (only.length === 1 ? only[0].place : "");
      const title = own.has(army) ? GmWriterForce.label(own.get(army)) : army;
      return [army, select(_(`${title} goes ashore in`), options, first), el("p", { class: "note" })];
    });
    const read = () => {
      const landings = Object.fromEntries(fields.map(([army, field]) => [army, field.value()]).filter(([, place]) => place));
      return Object.keys(landings).length ? { given: [[word, landings]] } : { problem: _("Choose where an army goes ashore.") };
    };
    const react = () => {
      for (const [army, field, met] of fields) fill(met, meeting(desk, word, own.get(army), shoreOf(army, field)));
    };
    const there = el("p", { class: "note" }, _(`${GmWriterForce.label(who)} will be in ${GmWriterForce.last(desk, who).place}.`));
    return GmWriterEntry(context, [there, ...fields.flatMap(([, field, met]) => [field, met])], read, { react });
  }

  /** Whom an army meets where it goes ashore, and its chance to get there; nothing of its own land. */
  function meeting(desk, word, army, shore) {
    const defence = shore && GmWriterHints.defence(desk, shore.place);
    if (!defence) return "";
    const chance = army
      ? [_(` If it is not let in, it gets ashore with a chance of ${GmWriterHints.landing(desk, army)}%, alone. `), clauses(word.clause)]
      : "";
    const met = [defence, shore.attack].filter(Boolean).join("; ");
    return [_(`In ${shore.place}: ${met}.`), chance];
  }

  /** Troops and commanders for another unit; one that does not exist yet is formed with the "form" order. */
  function ofTransfer(context) {
    const { desk, who, word, order } = context;
    const own = GmWriterForce.planned(desk);
    const value = { to: "", troops: {}, commanders: [], ...(order && order.value) };
    if (order) restore(desk, own, who.id, value);
    const giver = own.get(who.id);
    const here = GmWriterForce.last(desk, who).place;
    const others = [...own.values()].filter((each) => each.id !== who.id);
    const label = (each) => (each.kind === "G" ? GmWriterForce.label(each) : _(`${GmWriterForce.label(each)} in ${each.place}`));
    const option = (each) => [each.id, label(each)];
    const near = others.filter((each) => [each.place, GmWriterForce.last(desk, each).place].includes(here) || each.place === who.place);
    const foreign = Object.entries(desk.data.others)
      .filter(([key, [place]]) => !key.startsWith(`${desk.own.realm}/`) && desk.data.places[place] === here)
      .map(([key, [, name]]) => [key, GmBook.called({ id: key, name })]);
    const groups = [
      { title: _("Here"), options: near.map(option) },
      { title: _("Other realms' units here"), options: foreign },
      { title: _("Elsewhere"), options: others.filter((each) => !near.includes(each)).map(option) },
    ].filter((each) => each.options.length);
    if (!giver.troops.size && !giver.commanders.length) return el("p", {}, _("There is nobody in it to hand over."));
    const alone = near.length || foreign.length ? null : el("p", {}, _(`Nobody else is in ${here}. `),
      button(_("Form an army or fleet here"), () => context.open("FORMED"), { key: "form" }));
    if (!groups.length) return alone;
    const to = select(_("To"), groups, value.to);
    const table = troops(_("Troops"), giver.troops, value.troops);
    const leaders = commanders(_("Commanders"), giver, value.commanders);
    const read = () => {
      const going = chosen(table, leaders);
      return going ? { given: [[word, { to: to.value(), ...going }]] } : { problem: _("Say how many go, or tick a commander.") };
    };
    return GmWriterEntry(context, [alone, to, table, leaders], read);
  }

  /** Puts back what the order that is being changed has taken away. */
  function restore(desk, own, id, value) {
    const giver = own.get(id);
    const receiver = own.get(value.to);
    for (const [troop, count] of Object.entries(value.troops)) {
      const ranks = giver.troops.get(troop) || Array(desk.data.shared.limits.ranks).fill(0);
      ranks[0] += count;
      giver.troops.set(troop, ranks);
    }
    for (const name of value.commanders) {
      const found = receiver && receiver.commanders.find((each) => each.name === name);
      giver.commanders.push(found || { name });
    }
  }

  const forms = {
    PLACE: ofPlaces, PROVINCE: ofPlaces, ARMIES: ofArmies, LANDINGS: ofLandings,
    TRANSFER: ofTransfer,
  };
  return { forms };
})();
