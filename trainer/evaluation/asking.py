"""The prompts of an evaluation: those of the training data where these have one.

Source: own (:mod:`tracer.prompts`).
"""

from __future__ import annotations

from tracer.prompts import BASELINE, CODING, OI, PUBLISHED, SYSTEM, chat, describe, fill
from tracer.records import Program, Question
from trainer.evaluation.records import Prompt

ASK_TEXT = """\
Below is a program with a check at its end, in which one expression is replaced by `{hole}`.

```
{program}
```

Which expression makes the check hold when the program runs?

Reason first. Then write the expression alone between answer tags:

<answer>
...
</answer>
"""


def ask_question(question: Question, program: Program) -> Prompt:
    """The prompt with one question about a program."""
    values = describe(program.source, program.entry_point or "", "", {"q1": question.text})
    return chat(SYSTEM, fill(OI if question.kind == "input" else BASELINE, values))


def ask_for_code(task: str) -> Prompt:
    """The prompt that asks for a program.

    Args:
        task: What it has to do, and how it must look.
    """
    return chat(CODING, fill(PUBLISHED, {"statement": task.strip()}))


def in_fence(code: str) -> str:
    """Code as Markdown shows it."""
    return f"```python\n{code.strip(chr(10))}\n```"
