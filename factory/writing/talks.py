"""The talks with a model about the draws of a unit, side by side: it is asked in batches."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence

from factory.errors import InfrastructureError
from factory.grid import Cell
from factory.models.base import Model, find_plan
from factory.recipe_records import Recipe
from factory.records import Draft, Dropped
from factory.sources.base import Drafted
from factory.sources.templates import draw_place, draw_seed
from factory.writing.briefs import draw_brief
from factory.writing.sessions import Session, reasons_for


def is_written(number: int, recipe: Recipe) -> bool:
    """Whether the model writes the program of a draw; else a template does."""
    kind = recipe.source.kind
    if kind != "mixed":
        return kind == "llm"
    return random.Random(f"{recipe.seed}:{number}:writer").random() < recipe.writer.share


class Talks:
    """One session a draw.

    Args:
        cells: The cell of each draw, by number.
        recipe: Says how the model is asked.
        model: Is asked.
    """

    def __init__(self, cells: Mapping[int, Cell], recipe: Recipe, model: Model) -> None:
        self._cells = cells
        self._recipe = recipe
        self._model = model
        named = find_plan(recipe.writer, recipe.models)
        self._revision = None if named is None else named.revision
        self._sessions = {
            number: Session(
                draw_brief(cell, random.Random(f"{draw_seed(recipe.seed, number, 0)}:brief")),
                number,
                recipe.writer,
            )
            for number, cell in cells.items()
        }
        self._drafts: dict[int, Draft | None] = {}

    def place(self, number: int) -> str:
        """How drops name the next reply for a draw."""
        return draw_place(self._cells[number], number, self.replies(number))

    def replies(self, number: int) -> int:
        """Replies for a draw that were refused."""
        return self._sessions[number].repairs

    def ask(self, numbers: Sequence[int]) -> Iterator[tuple[int, Drafted]]:
        """Ask for the programs of some draws; what each reply gives.

        Raises:
            InfrastructureError: The model failed.
        """
        plan, recipe = self._recipe.writer, self._recipe
        try:
            answers = self._model.complete(
                [self._sessions[number].prompt for number in numbers],
                n=1,
                temperature=plan.temperature,
                max_tokens=plan.max_tokens,
                seed=recipe.seed,
            )
        except (RuntimeError, OSError) as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise InfrastructureError(f"the model {self._model.name} failed: {reason}") from error
        model = self._model.name, self._revision
        for number, (reply,) in zip(numbers, answers, strict=True):
            session = self._sessions[number]
            drafted = session.read(reply, self.place(number), recipe.licence, model, recipe.seed)
            self._drafts[number] = drafted.draft
            yield number, drafted

    def refuse(self, number: int, dropped: Iterable[Dropped]) -> None:
        """Have the next prompt of a draw tell why its last reply is no good."""
        self._sessions[number].refuse(reasons_for(self._drafts[number], dropped))
