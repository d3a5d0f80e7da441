// The keyboard. A key that a field or a button understands itself is left to it.

function startKeys(pages) {
  const help = byId("help");
  byId("keys").addEventListener("click", () => help.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const inside = event.target.closest("input, select, textarea");
    if (inside) {
      if (event.key === "Escape") inside.blur();
      return;
    }
    if (event.key === " " && event.target.closest("button, a, summary")) return;
    if (press(event.key, pages, help)) event.preventDefault();
  });
}

function press(key, pages, help) {
  if (key === "?") help.showModal();
  else if (key === "/") return pages.search();
  else if (key === "t") toggleTheme();
  else if (key === "Escape") return pages.up();
  else return pages.key(key);
  return true;
}
