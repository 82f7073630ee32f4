"use strict";

/**
 * The words of the grammar as the writer shows them: in groups, with a title.
 *
 * Which words there are, their clauses and explanations come from the page's data, so a word that this file has never
 * heard of still appears, under "Other orders".
 */
const GmWriterWords = (() => {
  const HEADQUARTERS = [
    [_("War, peace and alliance"), ["declare_war", "offer_peace", "offer_alliance", "cancel_alliance"]],
    [_("Passage and permission"), ["grant_passage", "revoke_passage", "grant_permission", "revoke_permission"]],
    [_("Gold and provinces"), ["annex", "send_gold", "give_province", "cede_province", "accept_gifts", "refuse_gifts"]],
    [_("Words"), ["proclamation", "send_ambassador", "rename_commander"]],
  ];
  const UNITS = [
    [_("Where it goes"), ["march", "sail", "load", "unload", "board", "hold"]],
    [_("Troops"), ["form", "transfer", "recruit", "hire_commander"]],
    [_("Works and plunder"), ["build", "repair", "pillage", "raze"]],
    [
      _("Standing choices"),
      ["leader", "ranks", "retreat_level", "follow", "defend_fortifications", "marines", "name"],
    ],
    [_("Sending home"), ["disband", "disband_commanders"]],
  ];
  /** What a word means for somebody who has never ordered it. */
  const NOTES = {
    annex: _("a province pays you only once it is annexed"),
    build: _("walls, a harbour or a production area"),
    declare_war: _("this turn, your armies may enter their lands, and theirs yours"),
    form: _("out of its troops, to go elsewhere"),
    hire_commander: _("they can lead units from the next turn on"),
    name: _("a name that everybody will read"),
    send_ambassador: _("shows them your address, so that they can write to you"),
    transfer: _("hand troops over to another unit"),
  };
  /** Of what may hurt. */
  const CARE = {
    cede_province: _("gives it up for nothing: it becomes independent"),
    disband: _("send troops home for good; ships and siege machines bring gold"),
    disband_commanders: _("send commanders away for good"),
    pillage: _("takes the revenue of its province at once and damages it; your own province then pays nothing at the end"),
    raze: _("tear down a structure here, for part of its price"),
  };
  /** Why there is nobody and nothing to say it about. */
  const IDLE = {
    annex: _("all your provinces are annexed"),
    cancel_alliance: _("you have no allies"),
    offer_peace: _("you are at war with no realm"),
    revoke_passage: _("you let nobody through your lands"),
    revoke_permission: _("none of your provinces is open to anybody"),
  };
  const IDLE_SHAPES = {
    ARMIES: _("you have no army: form one first"), COMMANDER: _("no commander is in it"), COMMANDERS: _("no commander is in it"),
    LANDINGS: _("nobody will be aboard: load an army first"), OWN_UNIT: _("you have no other unit of its kind"), RANKS: _("no troops are in it"),
    RENAMES: _("you have no commanders"), TROOPS: _("nobody is in it"),
  };

  /** {text, careful}: what to say of a word on its button. */
  const note = ({ name, says }) => ({ text: CARE[name] ?? NOTES[name] ?? says, careful: Object.hasOwn(CARE, name) });
  const idle = (word) => IDLE[word.name] || IDLE_SHAPES[word.shape] || _("there is nothing that it can be ordered to do now");

  /** The value of an order that there is nothing to fill in for. */
  const wordless = ({ shape }) => ({ NOTHING: null, WISH: true })[shape];

  /** What a word, or a structure, is called on a button. */
  const title = (name) => GmBook.titles[name] ?? GmText.capitalised(name).replaceAll("_", " ");

  /** All words that a unit of this kind ("A", "F", "G") may be given, or headquarters' with none. */
  function words({ table: { headquarters, plan, unit } }, kind) {
    if (!kind) return [...headquarters.values()];
    return [...plan.values(), ...unit.values()].filter((each) => each.shape !== "PLAN" && each.kinds.includes(kind));
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
    if (left.size) found.push([_("Other orders"), [...left.values()]]);
    return found;
  }

  return { title, note, idle, words, groups, wordless };
})();
