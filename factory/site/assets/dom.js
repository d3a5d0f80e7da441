// Elements are made from text and attributes only: nothing of the data is ever read as HTML.

/** Make an element. `attributes` whose value is null or false are left out; functions listen. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null));
  return made;
}

/** A button with a visible label; `hint` is what a pointer that rests on it is told. */
function button(label, onClick, { name = null, hint = null, kind = "button" } = {}) {
  return element(
    "button",
    { type: "button", class: kind, "aria-label": name, title: hint ?? name, click: onClick },
    label,
  );
}

/** Take the place of everything inside `parent`. */
function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null));
}

const byId = (id) => document.getElementById(id);

/** `3 steps`, `1 step`. */
const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** Names in the data are snake case; people read spaces. */
const spaced = (name) => name.replaceAll("_", " ");
