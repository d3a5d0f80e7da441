// The table of variables and the list of open functions.

const OPERATIONS = {
  bind: "new",
  rebind: "assigned",
  mutate: "changed in place",
  delete: "deleted",
  implicit_delete: "deleted at the handler's end",
};

function variableTable(rows) {
  if (!rows.length) return element("p", { class: "quiet" }, "no variables");
  return element(
    "table",
    { class: "variables" },
    element(
      "thead",
      {},
      element("tr", {}, ["name", "value", "type"].map((name) => element("th", { scope: "col" }, name))),
    ),
    element("tbody", {}, rows.map(variableRow)),
  );
}

function variableRow({ name, type, value, op, before }) {
  const value_ = value === null ? element("span", { class: "quiet" }, "—") : element("code", {}, value);
  return element(
    "tr",
    { class: op ? `changed ${op}` : null },
    element("th", { scope: "row" }, element("code", {}, name)),
    element(
      "td",
      {},
      value_,
      op
        ? element(
            "div",
            { class: "change" },
            element("span", { class: "mark" }, OPERATIONS[op]),
            before ? [" was ", element("code", {}, before.value)] : null,
          )
        : null,
    ),
    element("td", {}, element("code", { class: "quiet" }, type ?? before?.type ?? "")),
  );
}

/** The open functions, innermost first; `onGo(step)` shows the step that a function is at. */
function stackList(trace, open, onGo) {
  return element(
    "ol",
    { class: "stack" },
    open.toReversed().map((step, place) => {
      const name = trace.frames[trace.activations[step]].function;
      const line = trace.program.statements[trace.stmts[step]][0];
      return element(
        "li",
        { class: place === 0 ? "top" : null },
        element("code", {}, name),
        element("span", { class: "quiet" }, ` line ${line}`),
        place === 0 ? null : button("show", () => onGo(step), { name: `show ${name} at line ${line}` }),
      );
    }),
  );
}
