"use strict";

/**
 * The words of the grammar as the writer shows them: in groups, with a title and a shape.
 *
 * Which words there are, their clauses and explanations come from the page's data, so a word that this file has never
 * heard of still appears, under "Other orders".
 */
const GmWriterWords = (() => {
  const HEADQUARTERS = [
    ["War, peace and alliance", ["declare_war", "offer_peace", "offer_alliance", "cancel_alliance"]],
    ["Passage and permission", ["grant_passage", "revoke_passage", "grant_permission", "revoke_permission"]],
    ["Gold and provinces", ["annex", "send_gold", "give_province", "cede_province", "accept_gifts", "refuse_gifts"]],
    ["Words", ["proclamation", "send_ambassador", "rename_commander"]],
  ];
  const UNITS = [
    ["Where it goes", ["march", "sail", "load", "unload", "board", "hold"]],
    ["Troops", ["form", "transfer", "recruit", "hire_commander"]],
    ["Works and plunder", ["build", "repair", "pillage", "raze"]],
    [
      "Standing choices",
      ["leader", "ranks", "retreat_level", "follow", "defend_fortifications", "marines", "name"],
    ],
    ["Sending home", ["disband", "disband_commanders"]],
  ];
  const TITLES = {
    annex: "Annex a province",
    board: "Board a foreign fleet",
    build: "Build",
    cede_province: "Cede a province",
    defend_fortifications: "Defend fortifications",
    disband: "Disband troops",
    disband_commanders: "Dismiss commanders",
    form: "Form an army or fleet",
    give_province: "Give a province",
    grant_permission: "Open one province",
    hire_commander: "Hire commanders",
    leader: "Choose the leader",
    load: "Load armies",
    name: "Rename it",
    raze: "Tear down",
    recruit: "Recruit",
    repair: "Repair the walls",
    retreat_level: "Retreat level",
    revoke_permission: "Close one province",
    transfer: "Transfer troops",
    unload: "Unload armies",
    revoke_passage: "Revoke passage",
  };
  /** Words that can be said only once: to a unit, or by headquarters. Saying them again replaces what was said. */
  const ONCE = new Set([
    "PROCLAMATION", "COUNT", "WISH", "NAME", "RETREAT_LEVEL", "OWN_UNIT", "COMMANDER", "ANSWER",
  ]);

  /** The values of orders that there is nothing to fill in for, by shape. */
  const WORDLESS = { NOTHING: null, WISH: true };

  /** What a word is called on a button. */
  function title(name) {
    const text = name.replaceAll("_", " ");
    return Object.hasOwn(TITLES, name) ? TITLES[name] : text[0].toUpperCase() + text.slice(1);
  }

  /** All words that a unit of this kind ("A", "F", "G") may be given, or headquarters' with none: `section` added. */
  function words(grammar, kind) {
    if (!kind) return grammar.headquarters.map((each) => ({ ...each, section: "headquarters" }));
    const own = grammar.unit.filter((each) => shape(each) !== "PLAN").map((each) => ({ ...each, section: "unit" }));
    const plan = grammar.plan.map((each) => ({ ...each, section: "plan" }));
    return [...plan, ...own].filter((each) => (each.kinds || "AFG").includes(kind));
  }

  /** The same in groups: [title, words] with no empty group, every word exactly once. */
  function groups(grammar, kind) {
    const left = new Map(words(grammar, kind).map((each) => [each.name, each]));
    const found = [];
    for (const [name, members] of kind ? UNITS : HEADQUARTERS) {
      const here = members.filter((each) => left.has(each)).map((each) => left.get(each));
      here.forEach((each) => left.delete(each.name));
      if (here.length) found.push([name, here]);
    }
    if (left.size) found.push(["Other orders", [...left.values()]]);
    return found;
  }

  /** The shape of a word's value in capitals, however the data writes it. */
  function shape(word) {
    return String(word.shape).toUpperCase();
  }

  /** The word of an order. */
  function of(grammar, order) {
    const section = order.section === "headquarters" ? "headquarters" : order.section;
    const found = (grammar[section] || []).find((each) => each.name === order.word);
    return found && { ...found, section };
  }

  const wordless = (word) => WORDLESS[shape(word)];
  const once = (word) => ONCE.has(shape(word));

  return { title, words, groups, shape, of, once, wordless };
})();
