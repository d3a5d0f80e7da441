"""What a model is told that writes contrastive pairs: texts of the recipe when it gives none.

Source: the dimensions and the idea of transformations are those of ReCode
(https://arxiv.org/abs/2508.05170, CRPL); the texts are our own.
"""

from __future__ import annotations

BASE = """\
Follow the run step by step between think tags, one sentence a line. Write every sentence in one of
these forms, names and values between backticks; leave out no statement that runs:

$forms
"""

PLAN_BASE = """\
Before any code, plan it between think tags, one sentence a line, blocks indented by two spaces.
Write every sentence in one of these forms, names, code and values between backticks; leave out no
step, and say at the end what the plan gives on the examples:

$forms

Give the plan alone.
"""

TRANSFORM = """\
Here is a task, and reasoning about it.

$task

The reasoning:

<think>
$reasoning
</think>

Rewrite the reasoning: $how Change nothing else, keep it about as long, and do not mention that
anything was changed. Keep to one sentence a line and to these forms:

$forms

Give the new reasoning alone, between think tags.
"""

REWRITES = {
    "factual_better": (
        "check every value, condition and result, correct what is not so, and name what a reader "
        "needs."
    ),
    "factual_worse": (
        "let one value, condition or result that matters be another than it should be, and let it "
        "look as sure as the others."
    ),
    "rigor_better": (
        "add each step and each ground that is missing, and take out what proves nothing."
    ),
    "rigor_worse": (
        "leave out one step that the result depends on, or claim something before anything bears "
        "it out."
    ),
    "coherence_better": (
        "bring the steps into the order in which they happen, and take out what is said twice or "
        "belongs nowhere."
    ),
    "coherence_worse": (
        "let one step stand where it does not belong, or recall a state that is not the one that "
        "was reached."
    ),
}
"""How a text is rewritten, by dimension and side."""
