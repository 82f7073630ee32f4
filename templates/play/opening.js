"use strict";

/**
 * The choice of a game (pbem play): a click on a land of the map chooses its realm in the list, and a choice in the list
 * shows on the map. On the map the arrow keys go from realm to realm. What is chosen is sent to the server, which begins.
 */
(() => {
  const form = document.getElementById("opening");
  const map = document.getElementById("opening-map");
  const says = document.getElementById("opening-says");
  const realms = [...form.querySelectorAll("[name=realm]")];
  const owners = JSON.parse(form.dataset.owners);
  const places = [...map.querySelectorAll("[data-place]")];
  const lands = (code) => [...map.querySelectorAll(`.lands > .u-${code}`), ...places.filter((each) => owners[each.dataset.place] === code)];
  const chosen = (name) => form.querySelector(`[name=${name}]:checked`)?.value ?? "";

  function shown() {
    for (const each of realms) {
      for (const land of lands(each.value)) land.classList.toggle("chosen", each.checked);
      each.closest("li").classList.toggle("chosen", each.checked);
    }
    map.classList.toggle("some", realms.some((each) => each.checked));
  }

  function choose(realm) {
    realm.checked = true;
    shown();
    realm.closest("li").scrollIntoView({ block: "nearest" });
    says.textContent = realm.closest("label").querySelector("strong").textContent;
  }

  map.addEventListener("click", ({ clientX, clientY }) => {
    const land = document.elementsFromPoint(clientX, clientY).map((each) => each.closest(".lands > g, [data-place]")).find(Boolean);
    const realm = realms.find((each) => land && lands(each.value).includes(land));
    if (realm) choose(realm);
  });
  map.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = realms.findIndex((each) => each.checked);
    choose(realms[(Math.max(at, step < 0 ? 0 : -1) + step + realms.length) % realms.length]);
  });
  form.addEventListener("change", shown);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const choice = { game: form.dataset.game, map: form.dataset.map, realm: chosen("realm"), level: chosen("level"), players: +form.dataset.players };
    if (!choice.realm) {
      says.textContent = _("Choose a realm first.");
      realms[0].focus();
      return;
    }
    const button = document.getElementById("opening-go");
    button.disabled = true;
    says.textContent = _("The game begins …");
    const answer = await fetch("begin", { method: "POST", body: JSON.stringify(choice), headers: { "Content-Type": "text/plain" } })
      .then((found) => found.json()).catch(() => ({ says: _("The game has stopped answering. Start it again.") }));
    if (answer.go) location.replace("./");
    else says.textContent = answer.says;
    button.disabled = false;
  });
  shown();
})();
