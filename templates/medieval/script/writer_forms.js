"use strict";

/** The form for a word, by the shape of its value; here also the short ones, of a unit's standing choices. */
const GmWriterForms = (() => {
  const { el } = GmDom;
  const { picks, text } = GmWriterFields;

  /** One press on a list of values, [value, label, note]; the one that stands now is marked. */
  function ofValues(values) {
    return (context) => {
      const items = values(context).map(([value, label, note]) => ({ value, label, note }));
      return picks(GmWriterHeadquarterForms.tried(context, items), (each) => context.accept([[context.word, each.value]]));
    };
  }

  /** A realm whose fleet may take this army aboard. */
  const ofRealm = ofValues(({ desk }) => GmWriterHeadquarterForms.realms(desk));

  const now = (value, standing) => (value === standing ? _("as it is now") : "");

  const ofLevels = ofValues(({ desk, who, word }) => {
    const { ranks } = desk.data.shared.limits;
    return Array.from({ length: ranks }, (_, index) => {
      const level = index + 1;
      const when = level === 1 ? _("rank 1 has fallen") : _(`ranks 1 to ${level} have fallen`);
      return [level, _(`Level ${level}`), [_(`retreats when ${when}`), now(level, who[word.name] || ranks)].filter(Boolean).join(", ")];
    });
  });

  const ofAnswers = ofValues(({ who, word }) => {
    const standing = who[word.name] !== false;
    return [[true, _("Yes"), now(true, standing)], [false, _("No"), now(false, standing)]];
  });

  const ofOwnUnits = ofValues(({ desk, who }) => {
    const units = [...GmWriterForce.planned(desk).values()].filter((each) => each.kind === who.kind && each.id !== who.id);
    return [[null, _("Nobody"), now(null, who.follow || null)],
      ...units.map((each) => [each.id, GmWriterForce.label(each), [_(`in ${each.place}`), now(each.id, who.follow)].filter(Boolean).join(", ")])];
  });

  const ofLeader = ofValues(({ who }) => [[null, _("Nobody"), now(null, who.leader || null)],
    ...who.commanders.map((each) => [each.name, each.name, [tactics(each), now(each.name, who.leader)].filter(Boolean).join(", ")])]);

  const tactics = (each) => (each.infantry === undefined
    ? ""
    : _(`infantry ${each.infantry}, cavalry ${each.cavalry}, siege ${each.siege}, naval ${each.naval}`));

  function ofDismissed(context) {
    if (!context.who.commanders.length) return el("p", {}, _("There is no commander in it."));
    return ofValues(({ who }) => who.commanders.map((each) => [each.name, each.name, tactics(each)]))(context);
  }

  /** Structures as the unit's table has them, with their workers; the price comes with the verdict. */
  function ofStructures(context) {
    const { of = {}, workers = {} } = GmWriterHeadquarterForms.table(context) || {};
    if (!Object.keys(of).length) return el("p", {}, _("There is nothing that it could do here."));
    const note = (each) => [typeof of[each] === "number" && of[each] > 0 ? _(`${GmDom.gold(of[each])} gold`) : "",
      workers[each] ? GmDom.counted(workers[each], _("worker|workers")) : ""].filter(Boolean).join(", ");
    return ofValues(() => Object.keys(of).map((each) => [each, GmWriterWords.title(each), note(each)]))(context);
  }

  function ofName(context) {
    const { desk, unit, word, who } = context;
    const given = desk.rival(unit, word) ?? { value: who.name };
    const { name: limit } = desk.data.shared.limits;
    const name = text(_("Its name"), given.value, { limit, hint: _("Leave this empty to remove the name.") });
    return GmWriterEntry(context, [name], () => ({ given: [[word, name.value() || null]] }), { label: _("Rename it") });
  }

  const SHAPES = {
    ...GmWriterHeadquarterForms.forms, ...GmWriterMoveForms.forms, ...GmWriterTroopForms.forms,
    RETREAT_LEVEL: ofLevels, ANSWER: ofAnswers, OWN_UNIT: ofOwnUnits, COMMANDER: ofLeader, COMMANDERS: ofDismissed, REALM: ofRealm,
    STRUCTURES: ofStructures, NAME: ofName,
  };

  /** A form's node, or a line that tells how to write the order by hand when its shape is new to this page. */
  function build(context) {
    const form = SHAPES[context.word.shape];
    if (!form) return el("p", {}, _(`Write “${context.word.name}” into the file by hand: ${context.word.says}.`));
    return form(context);
  }

  return { build };
})();
