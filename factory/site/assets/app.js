// What is shown is named by the address: #/, #/programs?level=3, #/program/ID/CALL/STEP.

const ADDRESS_MS = 300;

function start() {
  startTheme();
  const views = [...document.querySelectorAll("main > section")];
  const stepper = player(byId("program"), (call, step) => {
    writeAddress(`#/program/${shown.id}/${call}/${step}`);
  });
  const index = received.get("index");
  const single = received.has("program");
  const list = index ? catalogue(byId("programs"), index.programs, replaceFilter) : null;
  const chunkOf = new Map(index?.programs.map((program) => [program.id, program.chunk]));
  let shown = { view: null, id: null };
  let turns = 0;

  let pending = null;

  /** Browsers allow few changes of the address a second; a person holds a key down. */
  function writeAddress(address) {
    clearTimeout(pending);
    pending = setTimeout(() => history.replaceState(null, "", address), ADDRESS_MS);
  }

  function replaceFilter(query) {
    writeAddress(query ? `#/programs?${query}` : "#/programs");
  }

  function show(view, title) {
    stepper.stop();
    for (const each of views) each.hidden = each.id !== view;
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.view === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    document.title = title;
    if (shown.view !== view && shown.view !== null) {
      scrollTo(0, 0);
      byId(view).querySelector("h1")?.focus({ preventScroll: true });
    }
    shown = { view, id: null };
  }

  async function showProgram(id, call, step) {
    const name = single ? "program" : chunkOf.get(id);
    if (name === undefined) return fail(`No program ${id} in this site.`);
    const turn = turns;
    let programs;
    try {
      programs = await chunk(name);
    } catch (error) {
      return fail(error.message);
    }
    if (turn !== turns) return; // another page was asked for meanwhile
    const program = programs.find((each) => each.id === id) ?? programs[0];
    show("program", program.title);
    shown.id = program.id;
    byId("program").dataset.id = program.id;
    stepper.open(program, call, step);
  }

  function fail(message) {
    show("failure", "Not found");
    byId("failure-text").textContent = message;
  }

  function route() {
    turns += 1;
    clearTimeout(pending);
    const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
    const [view, id, call, step] = path.split("/");
    if (!index && !single) fail("data/index.js cannot be read: the site is not complete.");
    else if (view === "program" || single) showProgram(id, Number(call) || 0, Number(step) || 0);
    else if (view === "programs") {
      show("programs", "Programs");
      list.load(Object.fromEntries(new URLSearchParams(query)));
    } else show("overview", document.querySelector("#overview h1").textContent);
  }

  startKeys({
    search() {
      if (!list) return false;
      if (shown.view !== "programs") {
        location.hash = "#/programs";
        route();
      }
      list.search();
      return true;
    },
    up() {
      if (index) location.hash = shown.view === "program" ? "#/programs" : "#/";
      return true;
    },
    key(name) {
      if (shown.view === "program") return stepper.key(name);
      return shown.view === "programs" && list.key(name);
    },
  });
  addEventListener("hashchange", route);
  route();
}

addEventListener("DOMContentLoaded", start);
