"use strict";

/** What is done with the whole map: its last moves are played phase by phase, and it is saved as a picture. */
const GmMapTools = (() => {
  /** So long each phase is shown, in milliseconds. */
  const STEP = 1800;
  /** The longer side of a picture in pixels, and how high its title is, as a part of it. */
  const LARGE = 4096;
  const TITLE = 0.035;
  const CALM = "(prefers-reduced-motion: reduce)";

  /** `button` shows the phases one after another, one at each press to who wants less motion; then all. */
  function play(button, [, all, ...phases], say) {
    let timer = 0;
    function stop() {
      timer = clearInterval(timer);
      button.setAttribute("aria-pressed", "false");
    }
    function next() {
      const shown = phases[phases.findIndex((each) => each.checked) + 1] || all;
      shown.checked = true;
      shown.dispatchEvent(new Event("change", { bubbles: true }));
      say(_(`Last moves: ${shown.parentElement.textContent.trim()}`));
      if (shown === all) stop();
    }
    function start() {
      button.setAttribute("aria-pressed", "true");
      timer = setInterval(next, STEP);
      next();
    }
    button.addEventListener("click", () => (timer ? stop : matchMedia(CALM).matches ? next : start)());
    // who chooses himself goes on himself
    button.parentElement.addEventListener("input", stop);
  }

  /** The drawing as a file of its own, by day, with what is switched on; the rules that it needs go with it. */
  function drawn(svg, title) {
    const { width, height } = svg.viewBox.baseVal;
    const head = height * TITLE;
    const scale = LARGE / Math.max(width, height + head);
    const { draw } = GmMapMarks;
    const holder = document.createElement("div");
    const file = draw(holder, "svg", {
      viewBox: `0 ${-head} ${width} ${height + head}`, width: Math.round(width * scale), height: Math.round((height + head) * scale),
      class: document.documentElement.className,
    });
    const sheets = [...document.styleSheets].filter(({ ownerNode }) => !svg.contains(ownerNode));
    const rules = sheets.flatMap((sheet) => [...sheet.cssRules]).filter(({ selectorText: css }) => css
      && (document.documentElement.matches(css) || document.body.matches(css) || svg.querySelector(css)));
    draw(file, "style", {}, rules.map(({ cssText }) => cssText.replace(/\bbody\b/g, "#page")).join("\n"));
    draw(file, "rect", { y: -head, width, height: head, fill: "#f4ead1" });
    const words = { x: width / 2, y: -head * 0.3, "font-size": head * 0.6, "text-anchor": "middle", fill: "#2b2117" };
    draw(file, "text", { ...words, "font-family": "Palatino, Georgia, serif" }, title);
    const copy = svg.cloneNode(true);
    draw(draw(file, "g", { id: "page", class: document.body.className }), "g", { class: "map-view" }, copy);
    for (const [name, value] of Object.entries({ width, height, style: "" })) copy.setAttribute(name, value);
    // nothing leads out of it, and names are as large as there is room for, none of them waiting for a closer look
    for (const each of copy.querySelectorAll(".places :is(a, a > *, .off)")) {
      each.removeAttribute("href");
      each.removeAttribute("style");
      each.classList.remove("off");
    }
    copy.querySelector(".names").setAttribute("class", "names");
    return file;
  }

  /** Saves the map as `kind`, svg or png. */
  async function save(kind, svg, title, name) {
    const file = drawn(svg, title);
    const text = new XMLSerializer().serializeToString(file);
    if (kind === "svg") return GmDom.save(`${name}.svg`, text, "image/svg+xml");
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = GmDom.el("canvas", { width: file.getAttribute("width"), height: file.getAttribute("height") });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toBlob((blob) => GmDom.save(`${name}.png`, blob, blob.type));
  }

  return { play, save };
})();
