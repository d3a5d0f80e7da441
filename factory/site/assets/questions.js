// The questions of one call: their answers are shown on demand.

/** Make the panel; `onGo(step)` shows the moment that a question is about. */
function questionPanel(onGo) {
  const list = element("div", { class: "questions" });
  const kinds = element("select", { id: "question-kind", change: () => show() });
  const here = element("input", { type: "checkbox", id: "question-here", change: () => show() });
  const reveal = button("Show or hide all answers", () => revealAll());
  const count = element("p", { class: "quiet", "aria-live": "polite" });
  let questions = [];
  let step = 0;

  const panel = element(
    "section",
    { class: "panel", "aria-labelledby": "questions-title" },
    element("h2", { id: "questions-title" }, "Questions"),
    element(
      "div",
      { class: "bar" },
      element("label", { for: "question-kind" }, "Kind "),
      kinds,
      element("label", { class: "check" }, here, " about this step only"),
      reveal,
    ),
    count,
    list,
  );

  function revealAll() {
    const hidden = [...list.querySelectorAll(".answer[hidden]")];
    list.querySelectorAll(".ask").forEach((toggle) => setAnswer(toggle, hidden.length > 0));
  }

  function show() {
    const shown = questions.filter(
      (question) =>
        (kinds.value === "" || question.kind === kinds.value) &&
        (!here.checked || question.step === step),
    );
    count.textContent = `${shown.length} of ${counted(questions.length, "question")}`;
    fill(list, shown.map((question) => questionCard(question, onGo)));
    markStep();
  }

  function markStep() {
    for (const card of list.children) {
      card.classList.toggle("now", card.dataset.step === String(step));
    }
  }

  return {
    panel,
    revealAll,
    /** The questions of another call. */
    load(next) {
      questions = next;
      const names = [...new Set(questions.map((question) => question.kind))].sort();
      const chosen = names.includes(kinds.value) ? kinds.value : "";
      fill(
        kinds,
        element("option", { value: "" }, "all kinds"),
        names.map((name) => element("option", { value: name }, spaced(name))),
      );
      kinds.value = chosen;
      panel.hidden = questions.length === 0;
      show();
    },
    /** Another step of the same call. */
    move(position) {
      step = position;
      if (here.checked) show();
      else markStep();
    },
  };
}

function questionCard(question, onGo) {
  const answer = element(
    "div",
    { class: "answer", hidden: true },
    element("p", {}, element("span", { class: "quiet" }, "Answer key "), element("code", {}, question.key)),
    question.valid.length
      ? element(
          "p",
          {},
          element("span", { class: "quiet" }, "also right "),
          question.valid.map((text) => [element("code", {}, text), " "]),
        )
      : null,
  );
  const toggle = button("Show answer", () => setAnswer(toggle, answer.hidden), { kind: "ask" });
  toggle.setAttribute("aria-expanded", "false");
  return element(
    "article",
    { class: "question", "data-step": question.step, "data-id": question.id },
    element("p", {}, element("span", { class: "chip" }, spaced(question.kind)), " ", withCode(question.asked)),
    question.form
      ? element(
          "details",
          { class: "quiet" },
          element("summary", {}, "how the answer is to be written"),
          element("p", { class: "form" }, question.form),
        )
      : null,
    element(
      "div",
      { class: "bar" },
      toggle,
      question.step === null
        ? null
        : button(`Go to step ${question.step}`, () => onGo(question.step)),
    ),
    answer,
  );
}

/** A question's text, with what stands between backticks as code. */
const withCode = (text) =>
  text.split(/`([^`]+)`/).map((part, place) => (place % 2 ? element("code", {}, part) : part));

function setAnswer(toggle, shown) {
  const answer = toggle.closest(".question").querySelector(".answer");
  answer.hidden = !shown;
  toggle.textContent = shown ? "Hide answer" : "Show answer";
  toggle.setAttribute("aria-expanded", String(shown));
}
