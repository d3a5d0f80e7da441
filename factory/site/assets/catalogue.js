// The list of programs with its filters. The address holds the filters, so that a view can be sent.

const PAGE_ROWS = 60;

/** Make the list of `programs` inside `root`; `onFilter(query)` is told of another choice. */
function catalogue(root, programs, onFilter) {
  const fields = {
    level: select("level", "Level", levelsOf(programs)),
    kind: select("kind", "Question kind", kindsOf(programs)),
    constraint: select("constraint", "Constraint", constraintsOf(programs)),
    split: select("split", "Split", unique(programs.map((program) => program.split)).map(named)),
    text: element("input", {
      type: "search",
      id: "filter-text",
      placeholder: "name, method, template, id",
      input: () => changed(),
    }),
  };
  const count = element("p", { class: "quiet", "aria-live": "polite" });
  const list = element("ul", { class: "programs" });
  const more = button("Show more", () => show(list.children.length + PAGE_ROWS), { kind: "wide" });
  let found = [];
  let chosen = -1;

  fill(
    root,
    element("h1", { tabindex: "-1" }, "Programs"),
    element(
      "form",
      { class: "filters", submit: (event) => event.preventDefault(), "aria-label": "Filter" },
      Object.entries(fields).map(([name, field]) =>
        element("div", {}, element("label", { for: `filter-${name}` }, field.dataset.label ?? "Search"), field),
      ),
      element("div", {}, button("Clear", () => (load({}), onFilter("")))),
    ),
    count,
    list,
    more,
  );

  function select(name, label, options) {
    const made = element(
      "select",
      { id: `filter-${name}`, "data-label": label, change: () => changed() },
      element("option", { value: "" }, "all"),
      options.map(([value, text]) => element("option", { value }, text)),
    );
    return made;
  }

  function changed() {
    const query = new URLSearchParams();
    for (const [name, field] of Object.entries(fields)) if (field.value) query.set(name, field.value);
    refresh();
    onFilter(query.toString());
  }

  function refresh() {
    const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = programs.filter(
      (program) =>
        (!fields.level.value || String(program.level) === fields.level.value) &&
        (!fields.kind.value || program.kinds.includes(fields.kind.value)) &&
        (!fields.constraint.value || program.constraints.includes(fields.constraint.value)) &&
        (!fields.split.value || program.split === fields.split.value) &&
        words.every((word) => searchText(program).includes(word)),
    );
    count.textContent = `${found.length.toLocaleString("en")} of ${counted(programs.length, "program")}`;
    chosen = -1;
    list.replaceChildren();
    show(PAGE_ROWS);
  }

  function show(limit) {
    list.append(...found.slice(list.children.length, limit).map(programItem));
    more.hidden = list.children.length >= found.length;
  }

  function move(by) {
    if (!found.length) return;
    chosen = Math.max(0, Math.min(found.length - 1, chosen + by));
    if (chosen >= list.children.length) show(chosen + PAGE_ROWS);
    list.children[chosen].querySelector("a").focus();
  }

  function load(query) {
    for (const [name, field] of Object.entries(fields)) field.value = query[name] ?? "";
    refresh();
  }

  return {
    load,
    search: () => fields.text.focus(),
    key(name) {
      if (name === "j" || name === "ArrowDown") move(1);
      else if (name === "k" || name === "ArrowUp") move(-1);
      else return false;
      return true;
    },
  };
}

function programItem(program) {
  return element(
    "li",
    {},
    element(
      "a",
      { href: `#/program/${program.id}/0/0` },
      element("code", { class: "name" }, program.entry ?? "module"),
      element("span", { class: "chips" }, program.facts.map((fact) => element("span", { class: "chip" }, fact))),
      element(
        "span",
        { class: "quiet" },
        `${counted(program.lines, "line")}, ${counted(program.traces, "call")}, up to ${counted(program.steps, "step")}, ${counted(program.questions, "question")}`,
      ),
    ),
  );
}

const searchText = (program) =>
  [program.id, program.entry, program.template, program.generator, ...program.facts].join(" ").toLowerCase();

const unique = (values) => [...new Set(values)];
const named = (value) => [value, spaced(String(value))];

function levelsOf(programs) {
  const levels = unique(programs.map((program) => program.level));
  levels.sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
  return levels.map((level) => [String(level), level === null ? "without" : String(level)]);
}

const kindsOf = (programs) => unique(programs.flatMap((program) => program.kinds)).sort().map(named);
const constraintsOf = (programs) => unique(programs.flatMap((program) => program.constraints)).sort().map(named);
