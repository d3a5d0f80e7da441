"""Makes the models ready that a recipe's keys ``teacher`` and ``rewriter`` name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from factory.models.base import Model, Sampling, find_plan, usage_of
from factory.models.opening import open_model
from factory.recipe_records import Recipe
from factory.teaching.asking import Asker
from factory.teaching.conversations import Teacher
from factory.teaching.rewriting import Rewriter
from factory.training_records import RewriterPlan, TeacherPlan
from tracer.judging import Judge


@dataclass(frozen=True, slots=True)
class Staff:
    """Who writes reasoning in a build."""

    teacher: Teacher | None = None
    rewriter: Rewriter | None = None
    models: tuple[tuple[str, Model], ...] = ()
    """Keys of the recipe and the models that they name."""

    @property
    def usage(self) -> dict[str, dict[str, float]]:
        """What the models have cost in this run."""
        return {key: usage_of(model) for key, model in self.models}


@contextmanager
def open_staff(recipe: Recipe) -> Iterator[Staff]:
    """Load the models that write reasoning, if the recipe names any.

    Raises:
        MissingExtra: A backend's libraries are not installed.
        UserError: A model cannot be loaded.
    """
    with ExitStack() as stack:
        teaching = _asker(recipe.teacher, "teacher", recipe, stack)
        rewriting = _asker(recipe.rewriter, "rewriter", recipe, stack)
        teacher = None
        if teaching is not None:
            teacher = Teacher(teaching, stack.enter_context(Judge()), recipe)
        rewriter = None if rewriting is None else Rewriter(rewriting, recipe)
        named = (("teacher", teaching), ("rewriter", rewriting))
        yield Staff(teacher, rewriter, tuple((k, a.model) for k, a in named if a is not None))


def _asker(
    plan: TeacherPlan | RewriterPlan, key: str, recipe: Recipe, stack: ExitStack
) -> Asker | None:
    named = find_plan(plan, recipe.models)
    if named is None:
        return None
    model = stack.enter_context(open_model(named, f"{key}.model"))
    sampling = Sampling(plan.temperature, plan.max_tokens, recipe.seed)
    return Asker(model, named.revision, sampling)
