// Dark or light: as the system says, until the button was pressed.

const THEME = "tracefoundry-theme";

function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a page from a file, or in a frame, may have no storage
  }
}

function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // then the choice lasts as long as the page
  }
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const next = dark ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  remember(THEME, next);
}

function startTheme() {
  const chosen = remembered(THEME);
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  byId("theme").addEventListener("click", toggleTheme);
}
