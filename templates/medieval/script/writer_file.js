"use strict";

/** The order file: given to the player, taken back from him, and kept on this device if the browser lets it. */
const GmWriterFile = (() => {
  /** "ENG-turn-05.orders.yaml" */
  function name(desk) {
    return `${desk.own.realm}-turn-${String(desk.data.turn).padStart(2, "0")}.orders.yaml`;
  }

  function download(desk) {
    GmDom.save(name(desk), desk.file, "application/yaml");
    desk.markSaved();
  }

  const copy = (desk, shown) => GmDom.copy(desk.text, shown, () => desk.markSaved());

  /**
   * Opens what the page wrote into a file. Another file is for `pbem check`: the page reads no orders that it did not write.
   * A file that was changed by hand since opens only when `anyhow`; until then the desk tells what would be lost.
   */
  function open(desk, text, file, anyhow = false) {
    const found = GmSheetStamp.read(text, desk.data);
    const { realm, game, turn } = desk.sheet.head;
    if (!found || found.head.realm !== realm || found.head.game !== game) {
      return desk.note({ file, says: found
        ? _(`${file} is of another realm or game.`)
        : _(`${file} was not written by this page, so it cannot be opened here. It is still valid: check it with “pbem check”, then mail it.`) });
    }
    const sheet = { ...desk.empty(), orders: found.orders, talk: found.talk ?? (anyhow ? desk.sheet.talk : null) };
    GmSheet.remember(sheet, desk.data);
    if (found.changed && !anyhow) {
      const lost = GmStamp.lost(found.body, GmSheet.write({ ...sheet, head: { ...sheet.head, turn: found.head.turn } }, desk.data));
      return desk.note({ file, lost, open: () => open(desk, text, file, true), says: _(`${file} was changed after this page wrote it. `)
        + _("The page knows only what it wrote, not what was changed since: check the file with “pbem check” and mail it as it is, or go on here without the changes.") });
    }
    const nouns = _("order|orders");
    const count = GmDom.counted(sheet.orders.length, nouns);
    const older = found.head.turn === turn ? "" : _(` It was for turn ${found.head.turn}; now it is for turn ${turn}.`);
    const left = found.dropped ? _(` ${GmDom.counted(found.dropped, nouns)} of it could not be read.`) : "";
    desk.take(sheet, _(`${file} is open: ${count}.${older}${left}`));
  }

  const place = (desk) => `gm orders ${desk.data.game} ${desk.own.realm} ${desk.data.turn}`;

  const keep = (desk) => GmDrafts.keep(place(desk), desk.blank ? null : desk.file);
  const kept = (desk) => GmDrafts.kept(place(desk)) || "";

  /** Another window on the same orders has changed them: they are the same here. */
  function share(desk) {
    addEventListener("storage", ({ key, newValue }) => {
      if (key === place(desk) && newValue && newValue !== desk.file) open(desk, newValue, _("Your draft"));
    });
  }

  return { name, download, copy, open, keep, kept, share };
})();
