// What a trace says about one moment. A position is the index of a step; the position behind the
// last step is the end of the call.

/** Give the traces of a program, which come as plain lists, their names. */
function prepare(program) {
  for (const trace of program.traces) {
    trace.program = program;
    trace.changes = trace.changes.map(([step, name, op, type, value]) => ({ step, name, op, type, value }));
    trace.questions = trace.questions.map(([id, kind, asked, form, key, valid, step]) => ({
      id, kind, asked, form: program.forms[form] ?? "", key, valid, step,
    }));
  }
  return program;
}

/** Indexes of the steps under way at `position`, innermost last: one for each open function. */
function openSteps(trace, position) {
  const open = [position];
  let depth = trace.depths[position];
  for (let index = position - 1; index >= 0 && depth > 0; index -= 1) {
    if (trace.depths[index] === depth - 1) {
      open.unshift(index);
      depth -= 1;
    }
  }
  return open;
}

/** Visible variables of an activation after its steps before `limit`: name -> {type, value}. */
function stateBefore(trace, activation, limit) {
  const state = new Map();
  for (const [name, type, value] of trace.frames[activation].entry) state.set(name, { type, value });
  for (const change of trace.changes) {
    if (change.step >= limit) break;
    if (trace.activations[change.step] === activation) apply(state, change);
  }
  return state;
}

function apply(state, change) {
  if (change.value === null) state.delete(change.name);
  else state.set(change.name, { type: change.type, value: change.value });
}

/** Rows of the table of variables after step `position`: {name, type, value, op, before}. */
function variablesAfter(trace, position) {
  const state = stateBefore(trace, trace.activations[position], position);
  const rows = new Map();
  for (const [name, { type, value }] of state) rows.set(name, { name, type, value, op: null });
  for (const change of trace.changes) {
    if (change.step > position) break;
    if (change.step === position) {
      rows.set(change.name, { ...change, before: state.get(change.name) ?? null });
    }
  }
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Index of the last step that ran before the statement of `position` ended. */
function endOf(trace, position) {
  const activation = trace.activations[position];
  for (let index = position + 1; index < trace.stmts.length; index += 1) {
    if (trace.activations[index] === activation) return index - 1;
    if (trace.depths[index] <= trace.depths[position]) return index - 1;
  }
  return trace.stmts.length - 1;
}

/** Whether `position` is the last step of its activation. */
const isLast = (trace, position) =>
  trace.activations.lastIndexOf(trace.activations[position]) === position;
