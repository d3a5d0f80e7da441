"""Makes the models ready that a recipe's keys ``teacher`` and ``rewriter`` name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from factory.models.base import Sampling, find_plan
from factory.models.sharing import Models
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


@contextmanager
def open_staff(recipe: Recipe, models: Models) -> Iterator[Staff]:
    """Make the models ready that write reasoning, if the recipe names any.

    Raises:
        MissingExtra: A backend's libraries are not installed.
        UserError: A model cannot be loaded.
    """
    with ExitStack() as stack:
        teaching = _asker(recipe.teacher, "teacher.model", recipe, stack, models)
        rewriting = _asker(recipe.rewriter, "rewriter.model", recipe, stack, models)
        teacher = None
        if teaching is not None:
            teacher = Teacher(teaching, stack.enter_context(Judge()), recipe)
        rewriter = None if rewriting is None else Rewriter(rewriting, recipe)
        yield Staff(teacher, rewriter)


def _asker(
    plan: TeacherPlan | RewriterPlan, where: str, recipe: Recipe, stack: ExitStack, models: Models
) -> Asker | None:
    named = find_plan(plan, recipe.models)
    if named is None:
        return None
    model = stack.enter_context(models.address(named, where).open())
    sampling = Sampling(plan.temperature, plan.max_tokens, recipe.seed)
    return Asker(model, named.revision, sampling)
