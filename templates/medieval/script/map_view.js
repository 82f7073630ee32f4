"use strict";

/**
 * The window on the map: a box that scrolls, with the drawing in it as large as the zoom asks for.
 *
 * Moving is the browser's own scrolling, so that fingers, wheels, focus and "find in page" all work as everywhere; this
 * adds zooming (wheel, two fingers, keys), dragging with a mouse, and bringing a part of the map into sight. While a
 * wheel turns or fingers pinch, the picture is only stretched, which is quick; it is drawn afresh when they rest.
 */
const GmMapView = (() => {
  /** How large a line of names may become, in pixels: nobody needs the land larger than this. */
  const LARGEST_TEXT = 56;
  const BUTTON_STEP = 1.5;
  /** A window of fewer pixels than this is too low for a whole map. */
  const LOW = 320;
  const ARROW_STEP = 90;
  const REST = 140;
  /** A wheel that scrolls the page goes on doing so over the map: at most so many milliseconds lie between its turns. */
  const PASSING = 350;

  class View {
    /** `unit`: the font size of names in map units. */
    constructor(box, svg, unit) {
      const { width, height } = svg.viewBox.baseVal;
      Object.assign(this, { box, svg, unit, width, height, scale: 0, zoomed: () => {}, stretch: null });
      // until its size is known nothing on it is laid out at another
      svg.style.display = "none";
      this.wheel();
      this.pinch();
      this.drag();
      this.keys();
      new ResizeObserver(() => this.resized()).observe(box);
    }

    /** Calls `listener` whenever the zoom has changed and the picture rests. */
    onZoom(listener) {
      this.zoomed = listener;
    }

    /** Pixels to a map unit at which the whole map is in sight; in a low window, as on an enlarged page, it is as wide as that. */
    least() {
      const [wide, high] = [this.box.clientWidth / this.width, this.box.clientHeight / this.height];
      return (this.box.clientHeight < LOW ? wide : Math.min(wide, high)) || 0.1;
    }

    most() {
      return Math.max(LARGEST_TEXT / this.unit, this.least());
    }

    get whole() {
      return this.scale <= this.least() * 1.001;
    }

    set(scale) {
      this.scale = Math.min(this.most(), Math.max(this.least(), scale));
      this.svg.style.width = `${this.width * this.scale}px`;
      this.svg.style.height = `${this.height * this.scale}px`;
      this.svg.style.display = "";
      this.zoomed(this.scale);
    }

    /** The box has another size: what was in its middle stays there. */
    resized() {
      const size = [this.box.clientWidth, this.box.clientHeight];
      if (!size[0] || String(size) === this.seenSize) return;
      this.seenSize = String(size);
      const middle = this.middle;
      this.set(this.scale);
      if (middle) this.centre(middle.x, middle.y);
    }

    /** Where a point of the window is on the map. */
    at(clientX, clientY) {
      const frame = this.svg.getBoundingClientRect();
      return { x: (clientX - frame.left) / this.scale, y: (clientY - frame.top) / this.scale };
    }

    /** Where a point of the map is in the window. */
    seen(x, y) {
      const frame = this.svg.getBoundingClientRect();
      return { x: frame.left + x * this.scale, y: frame.top + y * this.scale };
    }

    inner() {
      const frame = this.box.getBoundingClientRect();
      return new DOMRect(frame.left + this.box.clientLeft, frame.top + this.box.clientTop, this.box.clientWidth, this.box.clientHeight);
    }

    /** Scrolls so that a point of the map is at a point of the window. */
    place(x, y, clientX, clientY) {
      const now = this.seen(x, y);
      this.box.scrollBy({ left: now.x - clientX, top: now.y - clientY, behavior: "instant" });
      this.remember();
    }

    /** Scrolls so that a point of the map is in the middle, or in the middle of what `free` leaves of the box. */
    centre(x, y, free = this.inner()) {
      this.place(x, y, free.x + free.width / 2, free.y + free.height / 2);
    }

    remember() {
      const frame = this.inner();
      this.middle = this.at(frame.x + frame.width / 2, frame.y + frame.height / 2);
    }

    /** Scrolls only if a point of the map is not well in sight; `free` is the part of the window that is not covered. */
    reveal(x, y, free = this.inner()) {
      const now = this.seen(x, y);
      const edge = Math.min(48, free.width / 4, free.height / 4);
      const inside = now.x > free.left + edge && now.x < free.right - edge && now.y > free.top + edge && now.y < free.bottom - edge;
      if (!inside) this.centre(x, y, free);
    }

    /** Zooms by a factor around the middle. */
    zoom(factor) {
      this.remember();
      const { x, y } = this.middle;
      this.set(this.scale * factor);
      this.centre(x, y);
    }

    /** Shows a rectangle of the map as large as it fits, up to `most` pixels to a map unit. */
    fit(x, y, width, height, most = Infinity) {
      this.set(Math.min(this.box.clientWidth / width, this.box.clientHeight / height, most));
      this.centre(x + width / 2, y + height / 2);
    }

    fitAll() {
      this.fit(0, 0, this.width, this.height);
    }

    // -- stretching while a gesture lasts ------------------------------------------------------------------------------

    /** Shows the picture stretched by `factor` around a point of it, which is at a point of the window by now. */
    preview(factor, origin, clientX, clientY) {
      const least = this.least() / this.scale;
      const bounded = Math.min(this.most() / this.scale, Math.max(least, factor));
      const frame = this.stretch ? this.stretch.frame : this.svg.getBoundingClientRect();
      this.stretch = { frame, factor: bounded, origin, clientX, clientY };
      const x = clientX - frame.left - origin.x * this.scale * bounded;
      const y = clientY - frame.top - origin.y * this.scale * bounded;
      this.svg.style.willChange = "transform";
      this.svg.style.transformOrigin = "0 0";
      this.svg.style.transform = `translate(${x}px, ${y}px) scale(${bounded})`;
    }

    settle() {
      if (!this.stretch) return;
      const { factor, origin, clientX, clientY } = this.stretch;
      this.stretch = null;
      this.svg.style.transform = this.svg.style.willChange = "";
      this.set(this.scale * factor);
      this.place(origin.x, origin.y, clientX, clientY);
    }

    // -- wheel, fingers, mouse, keys -----------------------------------------------------------------------------------

    wheel() {
      let elsewhere = -Infinity;
      let timer = 0;
      addEventListener("wheel", ({ target, timeStamp }) => { if (!this.box.contains(target)) elsewhere = timeStamp; });
      this.box.addEventListener("wheel", (event) => {
        const out = event.deltaY > 0;
        const passing = event.timeStamp - elsewhere < PASSING;
        if (passing) elsewhere = event.timeStamp;
        // at its smallest the map lets the page scroll on; sideways wheels move it
        if (event.deltaY === 0 || event.shiftKey || passing || (out && this.whole)) return;
        event.preventDefault();
        const pixels = event.deltaY * [1, 16, 400][event.deltaMode];
        const factor = Math.exp(-Math.max(-240, Math.min(240, pixels)) * (event.ctrlKey ? 0.01 : 0.002));
        const { clientX, clientY } = this.stretch || event;
        const { origin, factor: before } = this.stretch || { origin: this.at(clientX, clientY), factor: 1 };
        this.preview(before * factor, origin, clientX, clientY);
        clearTimeout(timer);
        timer = setTimeout(() => this.settle(), REST);
      }, { passive: false });
    }

    pinch() {
      let start = null;
      const spread = ([a, b]) => ({
        x: (a.clientX + b.clientX) / 2,
        y: (a.clientY + b.clientY) / 2,
        size: Math.max(20, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)),
      });
      this.box.addEventListener("touchstart", (event) => {
        if (event.touches.length !== 2) return;
        event.preventDefault();
        this.settle();
        const now = spread(event.touches);
        start = { size: now.size, origin: this.at(now.x, now.y) };
      }, { passive: false });
      this.box.addEventListener("touchmove", (event) => {
        if (!start || event.touches.length !== 2) return;
        event.preventDefault();
        const now = spread(event.touches);
        this.preview(now.size / start.size, start.origin, now.x, now.y);
      }, { passive: false });
      for (const ended of ["touchend", "touchcancel"]) {
        this.box.addEventListener(ended, (event) => {
          if (!start || event.touches.length >= 2) return;
          start = null;
          this.settle();
        });
      }
    }

    drag() {
      const { box } = this;
      let from = null;
      let moved = false;
      box.addEventListener("dragstart", (event) => event.preventDefault());
      box.addEventListener("pointerdown", ({ pointerType, button, clientX, clientY }) => {
        moved = false;
        if (pointerType === "mouse" && button === 0) from = { x: clientX + box.scrollLeft, y: clientY + box.scrollTop, clientX, clientY };
      });
      addEventListener("pointermove", ({ clientX, clientY }) => {
        if (!from) return;
        moved ||= Math.hypot(clientX - from.clientX, clientY - from.clientY) >= 5;
        if (moved) box.scrollTo({ left: from.x - clientX, top: from.y - clientY, behavior: "instant" });
        box.classList.toggle("map-dragging", moved);
      });
      addEventListener("pointerup", () => {
        from = null;
        box.classList.remove("map-dragging");
        // the click that ends a drag comes after this event and opens nothing
        setTimeout(() => { moved = false; });
      });
      box.addEventListener("click", (event) => {
        if (!moved) return;
        event.preventDefault();
        event.stopPropagation();
      }, true);
      box.addEventListener("scroll", () => { if (!this.stretch) this.remember(); }, { passive: true });
    }

    keys() {
      this.box.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const arrow = event.target === this.box && !this.whole && GmDom.ARROWS[event.key];
        if ("+=".includes(event.key)) this.zoom(BUTTON_STEP);
        else if ("-_".includes(event.key)) this.zoom(1 / BUTTON_STEP);
        else if (event.key === "0") this.fitAll();
        else if (arrow) this.box.scrollBy({ left: arrow[0] * ARROW_STEP, top: arrow[1] * ARROW_STEP, behavior: "instant" });
        else return;
        event.preventDefault();
      });
    }
  }

  return { View, BUTTON_STEP };
})();
