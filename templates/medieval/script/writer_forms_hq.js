"use strict";

/** The forms of headquarters: diplomacy, permission, gold, provinces and words (O3). */
const GmWriterHeadquarterForms = (() => {
  const { el } = GmDom;
  const { picks, select, text, number } = GmWriterFields;

  /** The other realms that are still in the game: [code, name, relation]. */
  function realms({ data, own }) {
    return Object.entries(data.realms)
      .filter(([code]) => code !== own.realm && !data.out.includes(code))
      .map(([code, name]) => [code, name, own.relations[code] || "neutral"])
      .sort((one, other) => one[1].localeCompare(other[1]));
  }

  const realmOptions = (desk) => realms(desk).map(([code, name, relation]) => [code, `${name} (${relation})`]);

  /** What can be chosen of a form's word. */
  const table = ({ desk, word, unit }) => GmOrders.tableOf(desk.data, { section: word.section, word: word.name }, unit);

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
    const items = realms(context.desk).map(([code, name, relation]) =>
      ({ value: code, key: code, label: name, note: `${code} · ${relation}` }));
    const about = context.about.realm;
    const shown = about ? items.filter((each) => each.value === about) : items;
    return picks(tried(context, shown), toggle(context));
  }

  function ofProvinces(context) {
    const { desk, word, about } = context;
    const annexed = (each) => each.annexed_to === desk.own.realm;
    const { of = {}, pool } = table(context) || {};
    // what is paid for is offered where it can be had, all else wherever one owns it
    const found = provinces(desk).filter(([name]) => (about.place ? name === about.place : true) && !(pool && typeof of[name] === "string"));
    const note = (each) => (annexed(each) ? "annexed" : each.annexed_to ? `annexed to ${each.annexed_to}` : "not annexed");
    const items = found.map(([name, each]) => ({ value: name, label: name, note: note(each) }));
    if (!items.length) return el("p", {}, provinces(desk).length ? `Nothing to do here: ${GmWriterWords.idle(word)}.` : "You own no province.");
    return picks(tried(context, items), toggle(context));
  }

  /** A province and a realm. */
  function ofBoth(context) {
    const { desk, order, about } = context;
    const value = order ? order.value : {};
    const read = () => ({ given: [[context.word, { province: province.value(), realm: realm.value() }]] });
    const { build, changed } = GmWriterEntry(context, read);
    const names = provinces(desk).map(([name]) => [name, name]);
    if (!names.length) return el("p", {}, "You own no province.");
    const province = select("Province", names, value.province || about.place, { change: changed });
    const realm = select("Realm", realmOptions(desk), value.realm || about.realm, { change: changed });
    return build(province.node, realm.node);
  }

  function ofGold(context) {
    const { desk, order, about } = context;
    const value = order ? order.value : {};
    const { limits } = desk.data.shared;
    const read = () => {
      const amount = gold.value();
      if (!(amount > 0)) return { problem: "How much gold? Write a figure above 0, such as 12.50." };
      return { given: [[context.word, { realm: realm.value(), amount: amount.toFixed(2) }]] };
    };
    const { build, changed } = GmWriterEntry(context, read);
    const realm = select("To", realmOptions(desk), value.realm || about.realm, { change: changed });
    const gold = number("Gold", value.amount, {
      low: 0.01, decimals: true, change: changed,
      hint: `A fee of ${limits.fee}% comes on top. It travels at most ${limits.reach} places.`,
    });
    return build(realm.node, gold.node);
  }

  function ofWords(context) {
    const { desk, order } = context;
    const { limits } = desk.data.shared;
    const given = order || desk.ordersOf(null).find((each) => each.word === context.word.name);
    const read = () => (words.value()
      ? { given: [[context.word, words.value()]] }
      : { problem: "Write what is to be proclaimed." });
    const { build, changed } = GmWriterEntry(context, read, { label: given ? "Change the proclamation" : "" });
    const words = text("What all realms are to hear", given && given.value, {
      lines: 4, limit: limits.proclamation, change: () => changed(),
      hint: `It brings gold, if it is suitable. One a turn; at most ${limits.proclamation} characters.`,
    });
    return build(words.node);
  }

  function ofNames(context) {
    const { desk, order } = context;
    const value = order ? order.value : {};
    const commanders = [...GmWriterForce.present(desk).values()].flatMap((unit) =>
      unit.commanders.map((each) => [each.name, `${each.name} (${GmWriterForce.label(unit)})`]));
    if (!commanders.length) return el("p", {}, "You have no commanders.");
    const limit = desk.data.shared.limits.name;
    const read = () => (name.value()
      ? { given: [[context.word, { name: who.value(), new_name: name.value() }]] }
      : { problem: "Write his new name." });
    const { build, changed } = GmWriterEntry(context, read);
    const who = select("Commander", commanders, value.name, { change: changed });
    const name = text("His new name", value.new_name, { limit, change: changed });
    return build(who.node, name.node);
  }

  const forms = {
    REALMS: ofRealms, PROVINCES: ofProvinces, PERMISSIONS: ofBoth, GIFTS: ofBoth, PAYMENTS: ofGold,
    PROCLAMATION: ofWords, RENAMES: ofNames,
  };
  return { forms, realms, provinces, tried, table };
})();
