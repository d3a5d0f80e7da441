// The program page: a person steps through one call, forward and back.

const PLAY_MS = 700;

/** Make the page; `onMove(call, position)` is told where it is. */
function player(root, onMove) {
  const parts = {
    title: element("h1", { tabindex: "-1" }),
    facts: element("p", { class: "facts" }),
    calls: element("select", { id: "call", change: () => openCall(Number(parts.calls.value), 0) }),
    before: button("‹ call", () => openCall(call - 1, 0), { name: "previous call", hint: "Previous call ([)" }),
    after: button("call ›", () => openCall(call + 1, 0), { name: "next call", hint: "Next call (])" }),
    slider: element("input", {
      type: "range",
      min: "0",
      "aria-label": "Step",
      input: () => go(Number(parts.slider.value)),
    }),
    place: element("p", { class: "place", "aria-live": "polite" }),
    notes: element("ul", { class: "notes" }),
    variables: element("div"),
    stack: element("div"),
    printed: element("pre", { tabindex: "0", "aria-label": "Printed text" }),
  };
  const play = button("▶ Play", () => toggle(), { hint: "Play or pause (space)" });
  const code = codePanel((line) => goToLine(line));
  const questions = questionPanel((step) => go(step));
  let program = null;
  let trace = null;
  let call = 0;
  let position = 0;
  let timer = null;

  fill(
    root,
    parts.title,
    parts.facts,
    element(
      "div",
      { class: "bar calls" },
      element("label", { for: "call" }, "Call "),
      parts.calls,
      parts.before,
      parts.after,
    ),
    element(
      "div",
      { class: "controls", role: "group", "aria-label": "Steps" },
      button("|◀", () => go(0), { name: "first step", hint: "First step (Home)" }),
      button("◀ Back", () => go(position - 1), { name: "one step back", hint: "Back (← or k)", kind: "big" }),
      button("Next ▶", () => go(position + 1), { name: "one step forward", hint: "Next (→ or j)", kind: "big" }),
      button("▶|", () => go(Infinity), { name: "end of the call", hint: "End (End)" }),
      play,
      parts.slider,
    ),
    parts.place,
    element(
      "div",
      { class: "columns" },
      element("div", { class: "panel code-panel" }, code.panel),
      element(
        "div",
        { class: "side" },
        element(
          "section",
          { class: "panel", "aria-labelledby": "now-title" },
          element("h2", { id: "now-title" }, "This step"),
          parts.notes,
        ),
        element(
          "section",
          { class: "panel", "aria-labelledby": "stack-title" },
          element("h2", { id: "stack-title" }, "Call stack"),
          parts.stack,
        ),
        element(
          "section",
          { class: "panel", "aria-labelledby": "variables-title" },
          element("h2", { id: "variables-title" }, "Variables after it"),
          parts.variables,
        ),
        element(
          "section",
          { class: "panel", "aria-labelledby": "printed-title" },
          element("h2", { id: "printed-title" }, "Printed by the call"),
          parts.printed,
        ),
      ),
    ),
    questions.panel,
  );

  function openCall(number, at) {
    if (number < 0 || number >= program.traces.length) return;
    stop();
    call = number;
    trace = program.traces[call];
    parts.calls.value = String(call);
    parts.before.disabled = call === 0;
    parts.after.disabled = call === program.traces.length - 1;
    parts.slider.max = String(trace.stmts.length);
    parts.printed.textContent = trace.stdout;
    parts.printed.parentElement.hidden = !trace.stdout;
    questions.load(trace.questions);
    go(at);
  }

  function go(to) {
    const end = trace.stmts.length;
    position = Math.max(0, Math.min(end, to));
    parts.slider.value = String(position);
    if (position === end) showEnd();
    else showStep();
    questions.move(position);
    if (position === end) stop();
    onMove(call, position);
  }

  function showStep() {
    const statements = program.statements;
    const [first, last] = statements[trace.stmts[position]];
    const open = openSteps(trace, position);
    const outer = open.slice(0, -1).map((step) => statements[trace.stmts[step]][0]);
    code.show(range(first, last), outer, timesUntil(position));
    const text = `Step ${position} (${position + 1} of ${trace.total}), line ${first}`;
    parts.slider.setAttribute("aria-valuetext", text);
    fill(parts.place, `${text}: `, element("code", {}, statements[trace.stmts[position]][3]));
    fill(parts.notes, notes(position).map((note) => element("li", {}, note)));
    fill(parts.variables, variableTable(variablesAfter(trace, position)));
    fill(parts.stack, stackList(trace, open, go));
  }

  function showEnd() {
    code.show([], [], timesUntil(position - 1));
    parts.slider.setAttribute("aria-valuetext", "End of the call");
    const shown = trace.stmts.length;
    const text = shown < trace.total ? `The first ${shown} of ${counted(trace.total, "step")} are shown` : "The call has ended";
    fill(parts.place, `${text}.`);
    fill(parts.notes, element("li", {}, outcomeText(trace.outcome)));
    fill(parts.variables, element("p", { class: "quiet" }, "–"));
    fill(parts.stack, element("p", { class: "quiet" }, "no function is open"));
  }

  function notes(at) {
    const found = [];
    const frame = trace.frames[trace.activations[at]];
    const last = endOf(trace, at);
    found.push(`execution ${trace.occurrences[at]} of this statement (${program.statements[trace.stmts[at]][2]})`);
    if (last === at + 1) found.push(`step ${at + 1} runs before it ends`);
    if (last > at + 1) found.push(`steps ${at + 1} to ${last} run before it ends`);
    if (!trace.completed[at]) found.push("it does not complete");
    if (isLast(trace, at) && trace.complete) {
      const value = frame.end === "returned" ? [element("code", {}, frame.value), ` (${frame.type})`] : [];
      const how = frame.end === "raised" ? `raised ${frame.type}` : frame.end;
      found.push(element("span", {}, `${frame.function}: ${how} `, value));
    }
    return found;
  }

  function timesUntil(at) {
    const times = new Map();
    for (let index = 0; index <= at; index += 1) {
      const line = program.statements[trace.stmts[index]][0];
      times.set(line, (times.get(line) ?? 0) + 1);
    }
    return times;
  }

  function goToLine(line) {
    const lines = trace.stmts.map((stmt) => program.statements[stmt][0]);
    const next = lines.indexOf(line, position + 1);
    go(next >= 0 ? next : lines.indexOf(line));
  }

  function toggle() {
    if (timer) return stop();
    if (position === trace.stmts.length) go(0);
    timer = setInterval(() => go(position + 1), PLAY_MS);
    play.textContent = "⏸ Pause";
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
  }

  return {
    /** Show a program at a call and a position. */
    open(next, callNumber, at) {
      if (program !== next) {
        program = next;
        parts.title.textContent = program.title;
        fill(parts.facts, programFacts(program));
        fill(
          parts.calls,
          program.traces.map((each, place) =>
            element("option", { value: String(place) }, `${place + 1}. ${shortCall(program, each)}`),
          ),
        );
        code.load(program.source, executedLines(program));
        trace = null;
      }
      const number = Math.min(Math.max(0, callNumber), program.traces.length - 1);
      if (trace !== program.traces[number]) openCall(number, at);
      else if (position !== at) go(at);
    },
    stop,
    /** What a key does here; whether it did anything. */
    key(name) {
      const moves = {
        ArrowRight: () => go(position + 1),
        j: () => go(position + 1),
        ArrowLeft: () => go(position - 1),
        k: () => go(position - 1),
        Home: () => go(0),
        End: () => go(Infinity),
        "[": () => openCall(call - 1, 0),
        "]": () => openCall(call + 1, 0),
        " ": () => toggle(),
        a: () => questions.revealAll(),
      };
      if (!(name in moves)) return false;
      moves[name]();
      return true;
    },
  };
}

/** Lines on which statements begin that some call executed. */
const executedLines = ({ statements, traces }) =>
  new Set(traces.flatMap((trace) => trace.stmts.map((stmt) => statements[stmt][0])));

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, place) => first + place);

function outcomeText({ kind, type, value, message }) {
  const parts = [`${spaced(kind)} `];
  if (value !== null) parts.push(element("code", {}, value), ` (${type})`);
  else if (type !== null) parts.push(type);
  if (message) parts.push(`: ${message}`);
  return element("span", {}, parts);
}

function shortCall(program, trace) {
  const call = program.entry === null ? "the module" : `${program.entry}(${trace.args})`;
  const text = call.length > 90 ? `${call.slice(0, 89)}…` : call;
  return `${text} · ${counted(trace.total, "step")} · ${spaced(trace.outcome.kind)}`;
}

function programFacts(program) {
  return program.facts.map((fact) => [element("span", { class: "chip" }, fact), " "]);
}
