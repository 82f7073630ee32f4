"use strict";

/**
 * Who and what an order file names: realms, places, troops, commanders and units (O8), found in the position before the
 * turn, as the program finds them (gm/games/medieval/orders/reading.py).
 */
const GmSheetNames = (() => {
  const ID = /^([AFG])0*([0-9]{1,9})$/i;
  const FOREIGN = /^(?<realm>[^\n]+?)(?:[ \t\n\r\f\v]*\/[ \t\n\r\f\v]*(?<what>[^\n]+)|[ \t\n\r\f\v]+(?<id>[AFG][0-9]{1,9}))$/i;
  const KINDS = { A: ["army", "armies"], F: ["fleet", "fleets"], G: ["garrison", "garrisons"] };

  const { Names } = GmSheetReader;
  const { shown, didYouMean, strip } = GmText;

  /** The tables of names of a page's data, made once. */
  const tables = new WeakMap();
  function tablesOf(data) {
    if (!tables.has(data)) {
      const realms = Object.entries(data.position.realms);
      const places = Object.entries(data.places);
      const named = (keep) => places.filter(([, place]) => keep(place)).map(([name]) => name);
      tables.set(data, {
        realms: new Names("realm", realms.map(([code]) => code), realms.map(([code, realm]) => [realm.name, code])),
        provinces: new Names("province", named((place) => !place.sea)),
        places: new Names("place", named(() => true)),
        seas: new Names("sea", named((place) => place.sea)),
        troops: new Names("troop type", Object.keys(data.rules.troops)),
      });
    }
    return tables.get(data);
  }

  /** One realm's file being read against the position: finds names and notes those that there are not. */
  class Reading {
    constructor(reader, realm, data) {
      Object.assign(this, { reader, realm, data }, tablesOf(data));
      this.units = data.position.units;
      /** The ids of units that this file forms. */
      this.formed = new Set();
      /** The line of each unit formed so far. */
      this.made = new Map();
      /** Commanders that this file renames, old name to new. */
      this.renamed = new Map();
      this.garrisons = new Map();
      for (const [key, unit] of Object.entries(this.units)) {
        if (key.split("/")[1][0] === "G") this.garrisons.set(unit.place, key);
      }
      this.commanders = new Names("commander of yours", this.commandersOf((owner) => owner === realm));
    }

    commandersOf(keep) {
      const units = Object.entries(this.units).filter(([key]) => keep(key.split("/")[0]));
      return units.flatMap(([, unit]) => (unit.commanders || []).map((each) => each.name));
    }

    realmName(code) {
      return this.data.position.realms[code].name;
    }

    // -- names -----------------------------------------------------------------------------------------------------

    /** Another realm's code. */
    otherRealm(node, clause) {
      const code = this.reader.name(node, this.realms, "order/unknown-realm", clause);
      if (code !== this.realm) return code;
      this.reader.error(node, "order/own-realm", `${shown(code)} is your own realm`, { clause });
      return null;
    }

    /** A province's name; a sea is no province. */
    province(node, clause) {
      const sea = node.kind === "scalar" && this.provinces.find(node.text) === null && this.seas.find(node.text);
      if (!sea) return this.reader.name(node, this.provinces, "order/unknown-province", clause);
      this.reader.error(node, "order/not-a-province", `${sea} is a sea, no province`, { clause });
      return null;
    }

    place(node, clause) {
      return this.reader.name(node, this.places, "order/unknown-place", clause);
    }

    troop(node, clause) {
      return this.reader.name(node, this.troops, "order/unknown-troop", clause);
    }

    /** A commander's name as it is after this file's renaming; one of another realm's may be handed over. */
    commander(node, clause) {
      if (node.kind !== "scalar" || GmYaml.isNull(node)) {
        this.reader.expected(node, "a commander's name", { clause });
        return null;
      }
      const own = this.commanders.find(node.text);
      if (own !== null) return this.renamed.get(own) ?? own;
      const others = this.commandersOf((owner) => owner !== this.realm);
      const known = new Names("", [...this.renamed.values(), ...others]).find(node.text);
      if (known === null) this.reader.name(node, this.commanders, "order/unknown-commander", clause);
      return known;
    }

    // -- units: {ref, label, kind}, the label as people say it -----------------------------------------------------

    /** A unit of this realm, one that it forms in this file, or the garrison of a province (W5, O8). */
    ownUnit(node, clause) {
      const text = this.reader.scalar(node, "a unit (such as A7, F2, or a province for its garrison)", clause);
      if (text === null) return null;
      const id = ID.exec(strip(text));
      if (id) return this.ownId(node, id[1].toUpperCase(), Number(id[2]), clause);
      const province = this.provinces.find(text);
      if (province !== null) return this.ownGarrison(node, province);
      const foreign = FOREIGN.exec(strip(text));
      const realm = foreign ? this.realms.find(foreign.groups.realm) : null;
      if (foreign && realm === this.realm) {
        return this.ofRealm(node, realm, foreign.groups.what || foreign.groups.id, clause);
      }
      const sea = this.seas.find(text);
      if (realm !== null) {
        const message = `${shown(text).slice(1, -1)} is ${this.realmName(realm)}'s: you can name only your own units here`;
        this.reader.error(node, "order/foreign-unit", message, { clause });
      } else if (sea !== null) {
        this.reader.error(node, "order/not-a-province", `${sea} is a sea: it has no garrison`);
      } else {
        const suggestion = didYouMean(this.provinces.nearest(text));
        const message = `no unit or province is called ${shown(text)}`;
        this.reader.error(node, "order/unknown-unit", message, { suggestion, clause });
      }
      return null;
    }

    /** A unit of any realm: an own one as above, a foreign one as `AQU/A3` or `AQU A3`. */
    anyUnit(node, clause) {
      if (node.kind === "scalar" && !ID.test(node.text) && this.provinces.find(node.text) === null) {
        const foreign = FOREIGN.exec(strip(node.text));
        const realm = foreign ? this.realms.find(foreign.groups.realm) : null;
        if (realm !== null) return this.ofRealm(node, realm, foreign.groups.what || foreign.groups.id, clause);
        if (foreign && foreign.groups.what) {
          const suggestion = didYouMean(this.realms.nearest(foreign.groups.realm));
          const message = `no realm is called ${shown(foreign.groups.realm)}`;
          this.reader.error(node, "order/unknown-realm", message, { suggestion, clause });
          return null;
        }
      }
      return this.ownUnit(node, clause);
    }

    /** An army of any realm. */
    army(node, clause) {
      const found = this.anyUnit(node, clause);
      if (found === null || found.kind === "A") return found;
      const message = `${found.label} is a ${KINDS[found.kind][0]}; only armies can be loaded and unloaded`;
      this.reader.error(node, "order/not-an-army", message, { clause });
      return null;
    }

    /** The id of an army or fleet that is to be formed. */
    newId(node, clause) {
      const text = this.reader.scalar(node, "a new unit's id (such as A12 or F3)", clause);
      if (text === null) return null;
      const given = ID.exec(strip(text));
      if (!given || given[1].toUpperCase() === "G") {
        const message = `${shown(text)} is no id of an army or fleet, such as A12 or F3`;
        this.reader.error(node, "order/bad-unit-id", message, { clause });
        return null;
      }
      return this.numbered(node, given[1].toUpperCase(), Number(given[2]));
    }

    /** Notes the ids that the units' sections form, so that orders may name them before they are formed (F5, F6). */
    scanFormed(units) {
      for (const { value: section } of units.entries.values()) {
        const lines = section.kind === "mapping" ? [...section.entries.values()] : [];
        for (const { key, value } of lines) {
          if (GmText.wordOf(key.text) !== "form" || value.kind !== "mapping") continue;
          for (const text of value.entries.keys()) {
            const id = ID.exec(strip(text));
            if (id) this.formed.add(`${id[1].toUpperCase()}${Number(id[2])}`);
          }
        }
      }
    }

    ownId(node, kind, number, clause) {
      const id = `${kind}${number}`;
      if (Object.hasOwn(this.units, `${this.realm}/${id}`) || this.formed.has(id)) return { ref: id, label: id, kind };
      if (this.numbered(node, kind, number) === null) return null;
      const owners = Object.keys(this.data.position.realms).filter((code) => Object.hasOwn(this.units, `${code}/${id}`));
      const mine = Object.keys(this.units).filter((key) => key.startsWith(`${this.realm}/${kind}`));
      const own = mine.slice(0, 12).map((key) => key.split("/")[1]).join(", ");
      const suggestion = own ? `your ${KINDS[kind][1]}: ${own}` : `you have no ${KINDS[kind][1]}`;
      let [code, message] = ["order/unknown-unit", `there is no ${id}`];
      if (owners.length === 1) {
        [code, message] = ["order/foreign-unit", `${id} is ${this.realmName(owners[0])}'s, not yours`];
      } else if (owners.length) {
        const names = owners.map((owner) => this.realmName(owner)).join(", ");
        [code, message] = ["order/foreign-unit", `you have no ${id}; ${names} have one each`];
      }
      this.reader.error(node, code, message, { suggestion, clause });
      return null;
    }

    /** The id, if such a number may exist (W5). */
    numbered(node, kind, number) {
      const limit = this.data.rules.units.number_limit;
      if (number >= 1 && (kind === "G" || number <= limit)) return `${kind}${number}`;
      const message = `${KINDS[kind][1]} are numbered ${kind}1 to ${kind}${limit}`;
      this.reader.error(node, "order/bad-unit-id", message, { clause: "W5" });
      return null;
    }

    /** The garrison by its id where the realm has one now; else by the province, for the turn may change that. */
    ownGarrison(node, province) {
      const key = this.garrisons.get(province);
      const [owner, id] = key ? key.split("/") : [];
      if (owner === this.realm) return { ref: id, label: province, kind: "G" };
      const known = owner && Object.hasOwn(this.data.position.realms, owner);
      const suggestion = known ? `${this.realmName(owner)}'s there is ${key}` : "";
      const message = `you have no garrison at ${province} now`;
      this.reader.warn(node, "order/no-garrison-yet", message, { suggestion, clause: "W5" });
      return { ref: province, label: province, kind: "G" };
    }

    /** A unit written with its realm; the own realm may be written too. */
    ofRealm(node, realm, what, clause) {
      const given = ID.exec(strip(what));
      const province = given ? null : this.provinces.find(what);
      if (province !== null) {
        const key = this.garrisons.get(province);
        if (key && key.startsWith(`${realm}/`)) {
          return { ref: realm === this.realm ? key.split("/")[1] : key, label: key, kind: "G" };
        }
        this.reader.error(node, "order/unknown-unit", `${this.realmName(realm)} has no garrison at ${province}`, { clause });
        return null;
      }
      if (!given) {
        this.reader.error(node, "order/unknown-unit", `${shown(what)} is no unit, such as A7 or F2`, { clause });
        return null;
      }
      const [kind, number] = [given[1].toUpperCase(), Number(given[2])];
      if (realm === this.realm) return this.ownId(node, kind, number, clause);
      const id = this.numbered(node, kind, number);
      if (id === null) return null;
      const key = `${realm}/${id}`;
      if (!Object.hasOwn(this.units, key)) {
        this.reader.warn(node, "order/no-such-unit-yet", `${this.realmName(realm)} has no ${id} now`, { clause });
      }
      return { ref: key, label: key, kind };
    }
  }

  return Object.assign(Reading, { KINDS });
})();
