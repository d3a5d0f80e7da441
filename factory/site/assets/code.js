// The program's text with the current statement, and how often each line ran until now.

/** Make the panel; `onLine(line)` is told of a click on a line's number. */
function codePanel(onLine) {
  const list = element("ol", { class: "code", tabindex: "0", "aria-label": "Program" });
  let lines = [];
  let previous = [];

  return {
    panel: list,
    /** Another program; `marked` are the lines on which statements begin. */
    load(source, marked) {
      lines = colouredLines(source).map((pieces, index) => {
        const line = index + 1;
        const number = marked.has(line)
          ? button(String(line), () => onLine(line), {
              name: `line ${line}: go to its next execution`,
              kind: "number",
            })
          : element("span", { class: "number" }, String(line));
        if (marked.has(line)) number.tabIndex = -1;
        return element(
          "li",
          {},
          number,
          element("code", { style: `--indent: ${indent(pieces)}` }, colouredPieces(pieces)),
          element("span", { class: "times" }),
        );
      });
      previous = [];
      fill(list, lines);
    },
    /** The lines of the current statement, those of the calls around it, and executions by line. */
    show(current, outer, times) {
      for (const line of previous) lines[line - 1].classList.remove("current", "outer");
      for (const line of previous) lines[line - 1].removeAttribute("aria-current");
      for (const line of outer) lines[line - 1]?.classList.add("outer");
      for (const line of current) lines[line - 1]?.classList.add("current");
      lines[current[0] - 1]?.setAttribute("aria-current", "step");
      previous = [...outer, ...current].filter((line) => line <= lines.length);
      lines.forEach((item, index) => {
        const count = times.get(index + 1);
        item.lastChild.textContent = count ? `×${count}` : "";
      });
      const first = lines[current[0] - 1];
      if (first) keepInView(list, first);
    },
  };
}

/** Blanks at the beginning of a line: where it goes on when it is too long for the panel. */
function indent(pieces) {
  return pieces.map(([, text]) => text).join("").search(/\S|$/);
}

/** Scroll `box`, and nothing around it, until `item` is inside. */
function keepInView(box, item) {
  const margin = 2 * item.offsetHeight;
  const top = item.offsetTop - box.offsetTop;
  if (top < box.scrollTop + margin) box.scrollTop = top - margin;
  else if (top + margin > box.scrollTop + box.clientHeight) {
    box.scrollTop = top + 2 * margin - box.clientHeight;
  }
}
