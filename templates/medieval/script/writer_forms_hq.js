"use strict";

/** The forms of headquarters: diplomacy, permission, gold, provinces and words (O3). */
const GmWriterHeadquarterForms = (() => {
  const { el } = GmDom;
  const { picks, select, text, number } = GmWriterFields;

  const RELATIONS = { "at war": _("at war"), allied: _("allied") };

  /** The other realms that are still in the game: [code, name, relation]. */
  function realms({ data, own }) {
    return Object.entries(data.realms)
      .filter(([code]) => code !== own.realm && !data.out.includes(code))
      .map(([code, name]) => [code, name, RELATIONS[own.relations[code]] || _("neutral")])
      .sort((one, other) => one[1].localeCompare(other[1]));
  }

  /** What can be chosen of a form's word. */
  const table = ({ desk, word, unit }) => GmOrders.tableOf(desk.data, { section: word.section, word: word.name }, unit);

  /** The realms that an order of this word may be about, and the one that it is about already. */
  function realmOptions({ desk, order }, may) {
    return realms(desk).filter(([code]) => may(code) || code === order?.value.realm).map(([code, name, relation]) => [code, `${name} (${relation})`]);
  }

  const nothing = (word) => el("p", {}, _(`Nothing to do here: ${GmWriterWords.idle(word)}.`));

  /** The realm's own provinces by name: [name, province]. */
  function provinces(desk) {
    return Object.entries(desk.own.lands);
  }

  /** Targets that are each tried on their own: what would fail says why. */
  function tried({ desk, unit, word, order }, items) {
    return items.map((item) => {
      const there = desk.rival(unit, word, item.value);
      const [result] = there ? [desk.result(there)] : desk.consider(unit, [[word, item.value]], order && order.id);
      const allowed = GmWriterVerdict.kind(result) !== "failed";
      return { ...item, allowed, cost: GmWriterVerdict.cost(result), says: result.says, clause: result.clause, given: Boolean(there) };
    });
  }

  /** Gives the order, or takes it back when it is given already. */
  const toggle = (context) => (item) => {
    const there = context.desk.rival(context.unit, context.word, item.value);
    if (there && !context.order) context.desk.remove(there.id);
    else context.stay([[context.word, item.value]]);
  };

  function ofRealms(context) {
    const about = context.about.realm;
    const items = realms(context.desk).filter(([code]) => !about || code === about)
      .map(([code, name, relation]) => ({ value: code, key: code, label: name, note: `${code} · ${relation}` }));
    return picks(tried(context, items), toggle(context));
  }

  function ofProvinces(context) {
    const { desk, word, about } = context;
    const annexed = (each) => each.annexed_to === desk.own.realm;
    const { of = {}, pool } = table(context) || {};
    // what is paid for is offered where it can be had, all else wherever one owns it
    const found = provinces(desk).filter(([name]) => (!about.place || name === about.place) && !(pool && typeof of[name] === "string"));
    const note = (each) => (annexed(each) ? _("annexed") : each.annexed_to ? _(`annexed to ${each.annexed_to}`) : _("not annexed"));
    const items = found.map(([name, each]) => ({ value: name, label: name, note: note(each) }));
    if (!items.length) return provinces(desk).length ? nothing(word) : el("p", {}, _("You own no province."));
    return picks(tried(context, items), toggle(context));
  }

  /** A province and a realm. */
  function ofBoth(context) {
    const { desk, word, order, about } = context;
    if (!provinces(desk).length) return el("p", {}, _("You own no province."));
    const { of = {}, pair } = table(context) || {};
    // what was never granted cannot be taken back
    const held = Object.keys(pair || {}).filter((each) => typeof pair[each] !== "string");
    const names = provinces(desk).filter(([name]) => !pair || name === order?.value.province || held.some((each) => each.startsWith(`${name}/`)));
    const options = realmOptions(context, (code) => (pair ? held.some((each) => each.endsWith(`/${code}`)) : typeof of[code] !== "string"));
    if (!options.length || !names.length) return nothing(word);
    const province = select(_("Province"), names.map(([name]) => [name, name]), order?.value.province || about.place);
    const realm = select(_("Realm"), options, order?.value.realm || about.realm);
    const read = () => ({ given: [[word, { province: province.value(), realm: realm.value() }]] });
    return GmWriterEntry(context, [province, realm], read);
  }

  function ofGold(context) {
    const { desk, word, order, about } = context;
    const { limits } = desk.data.shared;
    const { of = {} } = table(context) || {};
    const options = realmOptions(context, (code) => typeof of[code] !== "string");
    if (!options.length) return nothing(word);
    const realm = select(_("To"), options, order?.value.realm || about.realm);
    const gold = number(_("Gold"), order?.value.amount, {
      low: 0.01, decimals: true, hint: _(`A fee of ${limits.fee}% comes on top. It travels at most ${limits.reach} places.`),
    });
    const read = () => (gold.value() > 0
      ? { given: [[word, { realm: realm.value(), amount: gold.value().toFixed(2) }]] }
      : { problem: _("How much gold? Enter an amount above 0, such as 12.50.") });
    return GmWriterEntry(context, [realm, gold], read);
  }

  function ofWords(context) {
    const { desk, unit, word } = context;
    const { proclamation: limit } = desk.data.shared.limits;
    const given = desk.rival(unit, word);
    const words = text(_("What all realms will hear"), given?.value, {
      lines: 4, limit, hint: _(`It brings gold if it is suitable. One a turn; at most ${limit} characters.`),
    });
    const read = () => (words.value() ? { given: [[word, words.value()]] } : { problem: _("Write what is to be proclaimed.") });
    return GmWriterEntry(context, [words], read, { label: given && _("Change the proclamation") });
  }

  function ofNames(context) {
    const { desk, word, order } = context;
    const commanders = [...desk.data.muster().values()].flatMap((unit) =>
      unit.commanders.map((each) => [each.name, `${each.name} (${GmWriterForce.label(unit)})`]));
    if (!commanders.length) return el("p", {}, _("You have no commanders."));
    const who = select(_("Commander"), commanders, order?.value.name);
    const name = text(_("New name"), order?.value.new_name, { limit: desk.data.shared.limits.name });
    const read = () => (name.value()
      ? { given: [[word, { name: who.value(), new_name: name.value() }]] }
      : { problem: _("Write the new name.") });
    return GmWriterEntry(context, [who, name], read);
  }

  const forms = {
    REALMS: ofRealms, PROVINCES: ofProvinces, PERMISSIONS: ofBoth, GIFTS: ofBoth, PAYMENTS: ofGold,
    PROCLAMATION: ofWords, RENAMES: ofNames,
  };
  return { forms, realms, provinces, tried, table };
})();
