// A bot for Conquestination without a line of gm's: it reads one JSON document and writes an order file. Try it with
//
//     pbem new islands --game conquestination --play RED --bots "program:node examples/clients/bot.mjs"
//
// README.md beside it says what is in the document, and `pbem schema bot --game-name conquestination` says it exactly.
// It puts all its units where a neighbour is weakest for them, and attacks from there, country by country.
import { readFileSync } from "node:fs";

const told = JSON.parse(readFileSync(0, "utf8"));
if (told.format !== 1) {
  throw new Error(`this bot reads format 1 of the document, and not ${told.format}`);
}

const me = told.realm;
const lands = told.position.countries;
const near = neighbours(told.map);
const mine = Object.keys(lands).filter((name) => lands[name].owner === me);
const foes = (name) => near[name].filter((other) => lands[other].owner !== me);
const border = mine.filter((name) => foes(name).length > 0);

// how well an attack from here would begin, with all that there is to place
const gain = (name) => lands[name].units - Math.min(...foes(name).map((foe) => lands[foe].units));
const best = border.sort((one, other) => gain(other) - gain(one) || one.localeCompare(other))[0];

const lines = [`game: ${quoted(told.game)}`, `turn: ${told.turn}`, `player: ${quoted(me)}`, `key: ${quoted(told.key)}`];
if (best !== undefined) {
  const placing = told.position.parties[me].to_deploy > 0 ? "deploy" : "reinforce";
  lines.push(`${placing}:`, `  - ${quoted({ country: best, units: "rest" })}`);
  if (placing === "reinforce") {
    lines.push("attacks:", ...attacks(best));
  }
}
process.stdout.write(lines.join("\n") + "\n");

/** Attacks along a way through the weakest neighbours, each only when the one before it was won. */
function attacks(from) {
  const lines = [];
  const taken = new Set();
  for (let at = from, number = 1; number <= 4; number += 1) {
    const next = foes(at).filter((foe) => !taken.has(foe));
    if (next.length === 0) break;
    const to = next.sort((one, other) => lands[one].units - lands[other].units || one.localeCompare(other))[0];
    const attack = { id: `w${number}`, from: at, to, with: "max", until: { keep: 2 } };
    if (number > 1) attack.if = { won: `w${number - 1}` };
    lines.push(`  - ${quoted(attack)}`);
    taken.add(to);
    at = to;
  }
  return lines;
}

/** Who is next to whom on a map of cells: what touches, and what a link joins. */
function neighbours(map) {
  const rows = map.cells.map((row) => row.split(" "));
  const found = {};
  const join = (one, other) => {
    if (one === ".." || other === ".." || one === other) return;
    for (const [here, there] of [[one, other], [other, one]]) {
      found[here] = found[here] ?? [];
      if (!found[here].includes(there)) found[here].push(there);
    }
  };
  rows.forEach((row, y) => row.forEach((name, x) => {
    if (x > 0) join(name, row[x - 1]);
    if (y > 0) join(name, rows[y - 1][x]);
  }));
  for (const link of map.links) join(...link.split("-"));
  return found;
}

/** JSON is YAML, too: quoting a value like this is always right. */
function quoted(value) {
  return JSON.stringify(value);
}
