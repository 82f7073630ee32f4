"use strict";

/**
 * What a player should know before he orders something: what a word means, whether there is anything to order with it
 * now, and what a unit still lacks. Hints forbid nothing (O2).
 */
const GmWriterHints = (() => {
  const { el, button, counted, named } = GmDom;

  // -- strength ----------------------------------------------------------------------------------------------------

  const worded = (combat, hits) => (combat ? _(`total combat ${combat}, hit points ${Math.round(hits * 10) / 10}`) : "");

  /** A unit without its ships. */
  const soldiers = (book, unit) => ({ troops: new Map([...unit.troops].filter(([name]) => !book.shared.troops[name].ship)) });

  /** The chance that a unit gets ashore alone where it is not let in, in percent. */
  const landing = ({ data: book }, unit) => Math.min(book.shared.limits.landing, book.sum(soldiers(book, unit), "total"));

  /** "total combat 422, hit points 15" of units; nothing for who cannot fight on land. */
  function might({ data: book }, units) {
    const { commander } = book.shared;
    let [combat, hits] = [0, 0];
    for (const unit of units) {
      const fighting = soldiers(book, unit);
      combat += book.sum(fighting, "total") + unit.commanders.length * commander.total;
      hits += book.sum(fighting, "hits") + unit.commanders.length * commander.hits;
    }
    return worded(combat, hits);
  }

  /** Who stands in a foreign province and would be met there: "3 soldiers, total combat 98, walls of level 1". */
  function defence({ data: book }, place) {
    const owner = book.owner(place);
    if (!owner || owner === book.realm) return "";
    const [soldiers, combat, hits] = book.strangers(place).reduce(
      (sum, [, ...figures]) => sum.map((each, index) => each + figures[index]), [0, 0, 0]);
    const walls = book.walls[book.index.get(place)];
    return [soldiers ? counted(soldiers, _("soldier|soldiers")) : _("no soldiers"), worded(combat, hits), walls ? _(`walls of level ${walls}`) : ""]
      .filter(Boolean).join(", ");
  }

  // -- words -------------------------------------------------------------------------------------------------------

  /** Whether there is nobody or nothing in the unit, or the realm, that a word could be about. */
  const LACKING = {
    ARMIES: (desk, who, units) => !units.some((each) => each.kind === "A"),
    COMMANDER: (desk, who) => !who.commanders.length,
    COMMANDERS: (desk, who) => !who.commanders.length,
    LANDINGS: (desk, who) => ![...desk.trial.units.values()].some((each) => each.aboard === who.key) && !told(desk, who, "take"),
    OWN_UNIT: (desk, who, units) => !units.some((each) => each.kind === who.kind && each.id !== who.id),
    RANKS: (desk, who) => !who.troops.size,
    TROOPS: (desk, who, units, word) => word.does === "dismiss" && !who.troops.size,
  };

  const told = (desk, who, does) => desk.ordersOf(who.id).some((each) => desk.data.word(each).does === does);

  /** {text, idle, careful} of a word: what to say of it, whether it can do nothing now, and whether it may hurt. */
  function ofWord(desk, who, word) {
    const { data: book } = desk;
    const table = GmOrders.tableOf(book, { section: word.section, word: word.name }, who && who.id);
    if (typeof table === "string") return { text: book.reason(table, { unit: who && who.id }).says, idle: true };
    const answers = table && Object.values(table.pair || table.of || { any: 0 });
    const refused = answers && answers.every((each) => typeof each === "string");
    if (refused && who && answers.length) return { text: book.reason(answers[0]).says, idle: true };
    const lacking = who && LACKING[word.shape];
    if (refused || (lacking && lacking(desk, who, [...GmWriterForce.planned(desk).values()], word))) {
      return { text: GmWriterWords.idle(word), idle: true };
    }
    return GmWriterWords.note(word);
  }

  // -- a unit ------------------------------------------------------------------------------------------------------

  /** What a unit lacks, with a button that leads to it; `open(shape)` opens a form, `choose(unit)` goes to another unit, `lead(name)` orders it. */
  function ofUnit(desk, who, { open, choose, lead }) {
    const tip = (...parts) => el("p", { class: "writer-tip" }, parts);
    const tips = [];
    if (who.absent) return tips;
    const empty = !who.troops.size && !who.commanders.length;
    if (who.kind === "G" && !empty) {
      tips.push(tip(_("A garrison stays where it is: to send its troops anywhere, form an army or a fleet here.")));
    }
    if (who.kind !== "G" && empty) {
      const home = [...GmWriterForce.planned(desk).values()].find((each) => each.kind === "G" && each.place === who.place);
      tips.push(tip(_("It is still empty: it can do nothing, and disappears when the turn ends. "),
        home ? button([_("To the garrison of "), named(home.place)], () => choose(home.id), { key: "home" }) : null));
    }
    if (who.commanders.length && !leads(desk, who)) {
      const [first, ...more] = who.commanders;
      tips.push(more.length
        ? tip(_("Its commanders help it in battle only if one of them leads it. "), button(_("Choose who leads it"), () => open("COMMANDER"), { key: "lead" }))
        : tip(named(first.name), _(" helps it in battle only as its leader. "),
          button(_("Make this commander lead it"), () => lead(first.name), { key: "lead" })));
    }
    return tips;
  }

  /** Whether somebody who is in the unit leads it, or the player has said that nobody is to. */
  function leads(desk, who) {
    const said = desk.ordersOf(who.id).find((each) => desk.data.word(each).shape === "COMMANDER");
    return Boolean(said) || who.commanders.some((each) => each.name === who.leader);
  }

  return { ofWord, ofUnit, might, defence, landing };
})();
