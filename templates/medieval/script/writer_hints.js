"use strict";

/**
 * What a player should know before he orders something: what a word means for this realm or unit as it stands, whether
 * there is anything to order with it now, and what a unit still lacks. Hints forbid nothing (O2).
 */
const GmWriterHints = (() => {
  const { el, button, counted, named } = GmWriterDom;
  const { total } = GmWriterForce;

  /** At most this many names are told; the rest is counted. */
  const TOLD = 3;

  function names(all) {
    return all.length > TOLD ? `${all.slice(0, TOLD).join(", ")} and ${all.length - TOLD} more` : all.join(", ");
  }

  const idle = (text) => ({ text, idle: true });
  const careful = (text) => ({ text, careful: true });
  const plain = (text) => ({ text });

  // -- strength ----------------------------------------------------------------------------------------------------

  /** {soldiers, combat, hitPoints} of units with troops as the position writes them (X1, B8); ships do not count. */
  function strength(desk, units) {
    const { troops, commanders } = desk.data.rules;
    const sum = { soldiers: 0, combat: 0, hitPoints: 0 };
    const add = (count, kind) => {
      sum.combat += count * kind.attacks * kind.combat;
      sum.hitPoints += count * Number(kind.hit_points);
    };
    for (const unit of units) {
      const held = unit.troops instanceof Map ? [...unit.troops] : Object.entries(unit.troops || {});
      for (const [name, ranks] of held.filter(([each]) => !["transport", "warship"].includes(troops[each].kind))) {
        sum.soldiers += total(ranks);
        add(total(ranks), troops[name]);
      }
      add((unit.commanders || []).length, commanders);
    }
    return sum;
  }

  /** "total combat 422, hit points 15"; nothing for who cannot fight on land. */
  function might(desk, units) {
    const { combat, hitPoints } = strength(desk, units);
    return combat ? `total combat ${combat}, hit points ${Math.round(hitPoints * 10) / 10}` : "";
  }

  /** Who stands in a foreign province now and would be met there: "3 soldiers, total combat 98, hit points 7.1, walls of level 1". */
  function defence(desk, place) {
    const { provinces, units } = desk.data.position;
    const land = provinces[place];
    if (!land || land.owner === desk.own.realm) return "";
    const there = Object.entries(units)
      .filter(([key, each]) => each.place === place && !key.startsWith(`${desk.own.realm}/`)).map(([, each]) => each);
    const { soldiers } = strength(desk, there);
    const walls = (land.fortification || 0) - (land.fortification_damage || 0);
    return [soldiers ? counted(soldiers, "soldier") : "no soldiers", might(desk, there), walls > 0 ? `walls of level ${walls}` : ""]
      .filter(Boolean).join(", ");
  }

  /** M8: the chance that a landing on land that is not open to the realm succeeds, in percent. */
  function landing(desk, unit) {
    return Math.min(100, strength(desk, [{ ...unit, commanders: [] }]).combat);
  }

  // -- words -------------------------------------------------------------------------------------------------------

  const mine = (desk) => Object.entries(desk.data.position.provinces).filter(([, each]) => each.owner === desk.own.realm);
  const realm = (desk) => desk.data.position.realms[desk.own.realm];
  const has = (pairs, desk) => pairs.some((pair) => pair.includes(desk.own.realm));

  const HEADQUARTERS = {
    declare_war: () => plain("in this very turn your armies may enter their lands, and theirs yours"),
    offer_peace: (desk) => (has(desk.data.position.wars, desk) ? null : idle("you are at war with no realm")),
    cancel_alliance: (desk) => (has(desk.data.position.alliances, desk) ? null : idle("you have no allies")),
    revoke_passage: (desk) => ((realm(desk).passage || []).length ? null : idle("you let nobody through your lands")),
    revoke_permission: (desk) => (mine(desk).some(([, each]) => (each.permissions || []).length)
      ? null
      : idle("no single province of yours is open to anybody")),
    accept_gifts: (desk) => ((realm(desk).refuses || []).length ? null : idle("you accept everybody's gifts")),
    annex: (desk) => {
      const open = mine(desk).filter(([, each]) => each.annexed_to !== desk.own.realm).map(([name]) => name);
      return open.length ? plain(`what you own pays you only when annexed: ${names(open)}`) : idle("all that you own is annexed");
    },
    send_ambassador: () => plain("shows them your address, so that they can write to you"),
    rename_commander: (desk) => ([...GmWriterForce.present(desk).values()].some((each) => each.commanders.length)
      ? null
      : idle("you have no commanders")),
    cede_province: () => careful("gives it up for nothing: it becomes independent"),
  };

  const city = (desk, who) => (desk.data.places[who.place] || {}).city;

  const UNITS = {
    form: (desk, who) => {
      const docks = who.kind === "G" && city(desk, who) && (desk.data.position.provinces[who.place] || {}).harbour;
      if (who.kind === "G") return plain(docks ? "out of its troops and ships, to go elsewhere" : "an army out of its troops, to go elsewhere");
      return plain(who.kind === "A" ? "split a new army off" : "split a new fleet off");
    },
    transfer: (desk, who) => ([...GmWriterForce.planned(desk).values()].some((each) => each.id !== who.id && each.place === who.place)
      ? null
      : plain("hand troops over; no other unit of yours is here now")),
    recruit: (desk, who) => {
      const found = city(desk, who);
      return found ? plain(`${found.name} raises up to ${found.resource} a turn`) : idle(`there is no city in ${who.place}`);
    },
    hire_commander: (desk, who) => (city(desk, who) ? plain(`${GmWriterValues.gold(desk.data.rules.commanders.price)} gold each; they can lead units from the next turn on`) : idle(`there is no city in ${who.place}`)),
    build: () => plain("walls, a harbour or a production area"),
    name: () => plain("a name that everybody will read"),
    repair: (desk, who) => ((desk.data.position.provinces[who.place] || {}).fortification_damage
      ? null
      : idle(`the walls of ${who.place} are whole`)),
    pillage: (desk, who) => {
      const land = desk.data.position.provinces[GmWriterForce.last(desk, who).place];
      return land && land.owner === desk.own.realm
        ? careful("your own land: its revenue now instead of at the end, and damage")
        : plain("the revenue of where it stands then, at once, and damage");
    },
    raze: () => careful("tear down what stands here, for a part of its price"),
    disband: (desk, who) => (who.troops.size ? careful("send troops home for good; ships and siege machines bring gold") : idle("nobody is in it")),
    disband_commanders: (desk, who) => (who.commanders.length ? careful("send commanders away for good") : idle("no commander is in it")),
    leader: (desk, who) => (who.commanders.length ? null : idle("no commander is in it")),
    ranks: (desk, who) => (who.troops.size ? null : idle("no troops are in it")),
    follow: (desk, who) => ([...GmWriterForce.planned(desk).values()].some((each) => each.kind === who.kind && each.id !== who.id)
      ? null
      : idle(`you have no other ${who.kind === "A" ? "army" : "fleet"}`)),
    load: (desk) => ([...GmWriterForce.planned(desk).values()].some((each) => each.kind === "A") ? null : idle("you have no army: form one first")),
    unload: (desk, who) => (carries(desk, who) ? null : idle("nobody will be aboard: load an army first")),
  };

  /** Whether an army is aboard after any phase, or is to be loaded. */
  function carries(desk, who) {
    const aboard = desk.trial.phases.some((phase) => Object.values(phase.units).some((each) => each.aboard === who.key));
    return aboard || desk.ordersOf(who.id).some((each) => each.word === "load");
  }

  /** {text, idle, careful} of a word: what to say of it, whether it can do nothing now, and whether it may hurt. */
  function ofWord(desk, who, word) {
    const known = (who ? UNITS : HEADQUARTERS)[word.name];
    return (known && known(desk, who)) || plain(word.says);
  }

  // -- a unit ------------------------------------------------------------------------------------------------------

  /** What a unit lacks, with a button that leads to it; `open(word)` opens a form, `choose(unit)` goes to another unit, `lead(name)` orders it. */
  function ofUnit(desk, who, { open, choose, lead }) {
    const tip = (...parts) => el("p", { class: "writer-tip" }, parts);
    const tips = [];
    if (who.absent) return tips;
    const empty = !who.troops.size && !who.commanders.length;
    if (who.kind === "G" && !empty) {
      tips.push(tip("A garrison stays where it is: to send its troops anywhere, form an army or a fleet here."));
    }
    if (who.kind !== "G" && empty) {
      const home = [...GmWriterForce.planned(desk).values()].find((each) => each.kind === "G" && each.place === who.place);
      tips.push(tip("Nobody is in it yet: it can do nothing, and is gone when the turn ends. ",
        home ? button(["To the garrison of ", named(home.place)], () => choose(home.id), { key: "home" }) : null));
    }
    if (who.commanders.length && !leads(desk, who)) {
      const [first, ...more] = who.commanders;
      tips.push(more.length
        ? tip("Its commanders help it in battle only if one of them leads it. ", button("Say who leads it", () => open("leader"), { key: "lead" }))
        : tip(named(first.name), " helps it in battle only as its leader. ",
          button("Let him lead it", () => lead(first.name), { key: "lead" })));
    }
    return tips;
  }

  /** Whether somebody who is in the unit leads it, or the player has said that nobody is to. */
  function leads(desk, who) {
    const said = desk.ordersOf(who.id).find((each) => each.word === "leader");
    return Boolean(said) || who.commanders.some((each) => each.name === who.leader);
  }

  return { ofWord, ofUnit, might, defence, landing };
})();
