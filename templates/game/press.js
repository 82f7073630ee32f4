/* A search in the letters between players. Without this script they can all be read. */
document.querySelectorAll("table.press").forEach((table) => {
  const field = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
  const label = document.createElement("label");
  label.append(_("Search the letters "), field);
  table.closest(".scroll").before(label);
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
});
