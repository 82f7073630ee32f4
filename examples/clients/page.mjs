// A client of the page that `pbem play` serves: it does by itself what a browser and a hand do there. Try it with
//
//     pbem play board --game conquest-fields --play RED --bots greedy --no-browser       prints an address
//     node examples/clients/page.mjs ADDRESS 10                                          plays ten turns there
//
// Of the page it reads the tables of the order writer (`writer-data`), which say what may be ordered now, and of the bar
// below whose turn it is. Any game whose moves go from a place to a place could be played like this.
const [address, turns] = [process.argv[2], Number(process.argv[3] ?? 1)];
if (!address || !(turns > 0)) {
  console.error("usage: node page.mjs ADDRESS [TURNS]");
  process.exit(2);
}

for (let played = 0; played < turns; played += 1) {
  const page = await opened();
  const move = page.moves[0];
  if (move === undefined) {
    console.log("There is nothing to be moved.");
    break;
  }
  const orders = `${page.head}move: {from: ${move.from}, to: ${move.to}}\n`;
  const forecast = await ask("check", page, orders);
  if (forecast.orders[0]?.fate !== "done") throw new Error(`the server does not understand: ${forecast.says}`);
  await ask("play", page, orders);
  console.log(`turn ${page.turn}: ${page.seat} ${move.from}-${move.to}`);
}

/** The page as it is now: seat and turn, the head of an order file, and the moves, those that win most first. */
async function opened() {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  const text = await answer.text();
  const marks = between(text, '<aside id="play"', ">").matchAll(/data-(\w+)="([^"]*)"/g);
  const bar = Object.fromEntries([...marks].map((found) => [found[1], found[2]]));
  const writer = text.includes('id="writer-data"') ? JSON.parse(between(text, 'id="writer-data">', "</script>")) : {};
  const moves = Object.entries(writer.ways?.move ?? {}).flatMap(([from, ends]) =>
    Object.entries(ends).filter(([, way]) => !way.why).map(([to, way]) => ({ from, to, worth: worth(way) })));
  moves.sort((one, other) => other.worth - one.worth || `${one.from}${one.to}`.localeCompare(`${other.from}${other.to}`));
  return { ...bar, head: writer.head, moves };
}

/** What a move wins: fields that it conquers, and its own if the unit grows. */
function worth(way) {
  return (way.won?.length ?? 0) + (way.kind === "grow" ? 1 : 0);
}

/** Send orders for one of the server's acts: check, hint, play, undo. */
async function ask(act, { seat, turn }, orders) {
  const answer = await fetch(`${address}${act}?${new URLSearchParams({ seat, turn })}`, { method: "POST", body: orders });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.says);
  return told;
}

function between(text, start, end) {
  const from = text.indexOf(start);
  if (from < 0) throw new Error(`the page has no ${start}`);
  const found = text.slice(from + start.length);
  return found.slice(0, found.indexOf(end));
}
