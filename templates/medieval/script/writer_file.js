"use strict";

/** The order file: given to the player, taken back from him, and kept on this device if the browser lets it. */
const GmWriterFile = (() => {
  /** "ENG-turn-05.orders.yaml" */
  function name(desk) {
    return `${desk.own.realm}-turn-${String(desk.data.turn).padStart(2, "0")}.orders.yaml`;
  }

  /** Hands the file to the browser, which saves it where it saves downloads. */
  function download(desk) {
    const address = URL.createObjectURL(new Blob([desk.text], { type: "application/yaml" }));
    const link = GmWriterDom.el("a", { href: address, download: name(desk) });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    desk.markSaved();
  }

  /** Copies the text; where the clipboard is closed to pages, selects it in `shown` for the player to copy. */
  async function copy(desk, shown) {
    try {
      await navigator.clipboard.writeText(desk.text);
      desk.markSaved();
      return "The orders are copied. Paste them into a mail to the game master.";
    } catch {
      shown.closest("details").open = true;
      const range = document.createRange();
      range.selectNodeContents(shown);
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      shown.focus();
      return "The text is selected: copy it with your browser's own copy command.";
    }
  }

  /** Reads a file (text or bytes) into the desk; what was not understood is listed with its line and column. */
  function open(desk, text, file) {
    const { sheet, problems, aside } = GmSheet.read(text, desk.data, desk.own);
    if (!sheet) {
      desk.take(desk.sheet, problems, `${file} cannot be read as an order file. Your orders are as they were.`);
      return;
    }
    // the head is this page's own, whatever the file's was for
    const head = { ...desk.empty().head, standing: sheet.head.standing };
    const remarks = [...aside.map((each) => ({ ...each, mended: true })), ...problems];
    const count = GmWriterDom.counted(sheet.orders.length, "order");
    const left = remarks.length ? ` ${GmWriterDom.counted(remarks.length, "remark")} above them.` : "";
    desk.take({ ...sheet, head }, remarks, `${file} is open: ${count}.${left}`);
  }

  const place = (desk) => `gm orders ${desk.data.game} ${desk.own.realm} ${desk.data.turn}`;

  /** Keeps the orders on this device; a browser that forbids it is no reason to complain. */
  function keep(desk) {
    try {
      if (desk.sheet.orders.length) localStorage.setItem(place(desk), desk.text);
      else localStorage.removeItem(place(desk));
    } catch { /* a convenience, not a need */ }
  }

  function kept(desk) {
    try {
      return localStorage.getItem(place(desk)) || "";
    } catch {
      return "";
    }
  }

  function forget(desk) {
    try {
      localStorage.removeItem(place(desk));
    } catch { /* as above */ }
  }

  return { name, download, copy, open, keep, kept, forget };
})();
