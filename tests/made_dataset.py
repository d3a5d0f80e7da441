"""Writes a dataset folder of made rows: every column and every odd case, no pipeline involved.

The steps are random walks that follow the syntax trees of the programs, so that the rules of a
trace hold (a loop's body follows its header, a call's steps follow the call); the values are not
those of a run.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from factory.table import COLUMNS, schema

SOURCES = (
    """def f(xs):
    "Says nothing."
    total = 0
    for x in xs:
        if x > 2:
            total += x
        else:
            total = g(total)
    return total


def g(n):
    note: int
    while n > 3:
        try:
            n -= 1
        except ValueError as error:
            n = 0
        finally:
            pass
    if n: return n
    return 1 if n else g(n + 1)
""",
    """LIMIT = 4


def f(text, k=2):
    seen = set()
    match text:
        case 'a':
            seen.add(text)
        case _:
            seen = {1}; k += 1
    for c in text:
        for d in c:
            global LIMIT
            LIMIT = 5
    else:
        seen = 0
    return (
        seen,
        k,
    )
""",
    "def f(a):\r\n    b = a\r\n    b.append(1)\r\n    while a: a.pop()\r\n    return a\r\n",
    "def f():\n    if 1:\n        pass\n    if 0:\n        raise ValueError\n",
)

TYPES = ("int", "str", "list", "set", "dict", "NoneType")
VALUES = ("1", "'a'", "[1, 2]", "{1}", "too_large(2000)", "{}", "None")
KINDS = ("output", "input", "next_statement", "variable_state")
REASONS = (("execution", "timeout"), ("execution", "raised"), ("dedupe", "same_program"))


def number_statements(source: str) -> list[ast.AST]:
    """Statements, handlers and cases in preorder, as `stmt` numbers them."""
    found: list[ast.AST] = []

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                found.append(child)
            visit(child)

    visit(ast.parse(source))
    return found


def position(node: ast.AST) -> ast.AST:
    return node.pattern if isinstance(node, ast.match_case) else node


class Walk:
    """One random trace of one program."""

    def __init__(self, source: str, rng: Random) -> None:
        self.rng = rng
        self.numbers = {node: i for i, node in enumerate(number_statements(source))}
        self.functions = {n.name: n for n in self.numbers if isinstance(n, ast.FunctionDef)}
        self.row: dict[str, Any] = {
            name: [] for name, kind in COLUMNS["traces"].items() if isinstance(kind, tuple)
        }
        self.counts: dict[int, int] = {}
        self.left = 40

    def call(self, name: str, parent: int | None, depth: int) -> None:
        row, rng = self.row, self.rng
        activation = len(row["act_function"])
        row["act_function"].append(name)
        row["act_parent_step"].append(parent)
        for key in ("end", "end_stmt", "type", "value"):
            row[f"act_{key}"].append(None)
        for variable in rng.sample(("a", "n", "xs"), rng.randrange(3)):
            row["entry_activation"].append(activation)
            row["entry_name"].append(variable)
            row["entry_type"].append(rng.choice(TYPES))
            row["entry_value"].append(rng.choice(VALUES))
        end_stmt = None
        for node in self.body(self.functions[name].body, inside=True):
            end_stmt = self.step(node, activation, depth)
        raised = end_stmt is not None and rng.random() < 0.2
        if raised:
            row["completed"][-1] = False
        row["act_end"][activation] = "raised" if raised else "returned"
        row["act_end_stmt"][activation] = end_stmt
        row["act_type"][activation] = "ValueError" if raised else rng.choice(TYPES)
        row["act_value"][activation] = None if raised else rng.choice(VALUES)

    def step(self, node: ast.AST, activation: int, depth: int) -> int:
        row, rng = self.row, self.rng
        stmt, index = self.numbers[node], len(row["stmts"])
        self.left -= 1
        self.counts[stmt] = self.counts.get(stmt, 0) + 1
        row["stmts"].append(stmt)
        row["activations"].append(activation)
        row["depths"].append(depth)
        row["occurrences"].append(self.counts[stmt])
        row["completed"].append(rng.random() < 0.95)
        if rng.random() < 0.3:
            value = rng.choice(VALUES)
        else:
            value = None
        for name in sorted(rng.sample(("a", "b", "n", "seen"), rng.choice((0, 0, 1, 1, 2)))):
            op = rng.choice(("bind", "rebind", "mutate", "mutate", "delete"))
            row["change_step"].append(index)
            row["change_name"].append(name)
            row["change_op"].append(op)
            row["change_type"].append(None if op == "delete" else rng.choice(TYPES))
            row["change_value"].append(None if op == "delete" else value or rng.choice(VALUES))
        if rng.random() < 0.15 and self.left > 0 and depth < 6:
            self.call(rng.choice(sorted(self.functions)), index, depth + 1)
        return stmt

    def body(self, nodes: list[Any], inside: bool = False) -> Iterator[ast.AST]:
        """Yield the steps of these statements; stops the walk at a return or without budget."""
        for place, node in enumerate(nodes):
            if self.left <= 0:
                return
            docstring = (
                inside
                and place == 0
                and isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
            )
            bare = isinstance(node, ast.AnnAssign) and node.value is None
            if isinstance(node, (ast.Global, ast.Nonlocal)) or docstring or bare:
                continue
            if not isinstance(node, ast.Try):
                yield node
            yield from self.inner(node)

    def inner(self, node: Any) -> Iterator[ast.AST]:
        rng = self.rng
        if isinstance(node, ast.If):
            yield from self.body(rng.choice((node.body, node.orelse)))
        elif isinstance(node, (ast.For, ast.While)):
            for _ in range(rng.choice((0, 1, 2, 5))):
                yield from self.body(node.body)
                if self.left <= 0:
                    return
                yield node
            yield from self.body(node.orelse)
        elif isinstance(node, ast.Try):
            yield from self.body(node.body)
            if rng.random() < 0.3:
                yield node.handlers[0]
                yield from self.body(node.handlers[0].body)
            yield from self.body(node.finalbody)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                yield case
                if rng.random() < 0.6:
                    yield from self.body(case.body)
                    return


def short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def make_rows(seed: int) -> dict[str, list[dict[str, Any]]]:
    rng = Random(seed)
    programs, traces, questions, stage1 = [], [], [], []
    sft, crpl, problems = [], [], []
    for number in range(12):
        source = SOURCES[number % len(SOURCES)]
        level = rng.choice((None, 1, 2, 6))
        program_id = short_hash(f"{seed} {number}")
        nodes = number_statements(source)
        cell = {
            "type": rng.choice(("str", "list")),
            "method": "pop",
            "nested_depth": 2,
            "other_methods": ["str.upper"],
            "control_flow": [],
            "helper_chain": False,
            "level": level,
        }
        programs.append(
            {
                "program_id": program_id,
                "source": source,
                "entry_point": "f",
                "family_id": f"family {number % 5}",
                "generator": "template",
                "constraint": cell if level else None,
                "level": level,
                "split": rng.choice(("train", "train", "test")),
                "stmt_line": [position(node).lineno for node in nodes],
                "stmt_end_line": [end_line(node) for node in nodes],
                "stmt_col": [position(node).col_offset for node in nodes],
                "stmt_kind": [type(node).__name__ for node in nodes],
            }
        )
        problems.append(
            {
                "problem_id": short_hash(f"{program_id} problem"),
                "program_id": program_id,
                "split": programs[-1]["split"],
                "level": level,
                "entry_point": "f",
                "n_tests": 1 + number % 5,
                "mutants": 8,
                "mutants_killed": 8 - number % 2,
                "source": ("program", "mbpp")[number % 2],
            }
        )
        for case in range(rng.choice((0, 1, 2, 4))):
            walk = Walk(source, rng)
            if rng.random() < 0.9:
                walk.call("f", None, 0)
            outcome = rng.choice(("returned", "returned", "returned", "raised"))
            trace_id = short_hash(f"{program_id} {case}")
            traces.append(
                walk.row
                | {
                    "trace_id": trace_id,
                    "program_id": program_id,
                    "split": programs[-1]["split"],
                    "level": level,
                    "args": str(case),
                    "outcome": outcome,
                    "output_type": "ValueError" if outcome == "raised" else rng.choice(TYPES[:2]),
                    "output_value": None if outcome == "raised" else rng.choice(VALUES[:2]),
                    "n_steps": len(walk.row["stmts"]),
                    "complete": True,
                }
            )
            for place in range(rng.randrange(6)):
                questions.append(
                    {
                        "question_id": short_hash(f"{trace_id} {place}"),
                        "trace_id": trace_id,
                        "program_id": program_id,
                        "split": programs[-1]["split"],
                        "kind": rng.choice(KINDS),
                        "text": "What?",
                        "key": rng.choice(VALUES),
                        "valid": [],
                        "level": level,
                        "effort": {"steps": rng.randrange(40)},
                        "score": rng.randrange(8) / 4,
                        "difficulty": rng.choice((None, {"n": 4, "passes": rng.randrange(5)})),
                    }
                )
            stage1.append(
                {
                    "stage1_id": short_hash(f"{trace_id} prompt"),
                    "trace_id": trace_id,
                    "program_id": program_id,
                    "split": programs[-1]["split"],
                    "level": level,
                    "task": rng.choice(("io_mixed", "oi")),
                    "kinds": ["output", "executed", "executed"],
                    "keys": [rng.choice(VALUES), rng.choice(("yes", "no")), "no"],
                    "score": rng.randrange(80) / 8,
                    "phase": rng.randrange(4),
                }
            )
            sft.append(
                {
                    "sft_id": short_hash(f"{trace_id} conversation"),
                    "trace_id": trace_id,
                    "program_id": program_id,
                    "split": programs[-1]["split"],
                    "level": level,
                    "task": rng.choice(("output", "input")),
                    "claims": rng.randrange(1, 60),
                }
            )
            crpl.append(
                {
                    "crpl_id": short_hash(f"{trace_id} pair"),
                    "trace_id": trace_id,
                    "program_id": program_id,
                    "split": programs[-1]["split"],
                    "level": level,
                    "pair_kind": rng.choice(("strong", "optimised", "degraded")),
                    "dimension": rng.choice(("factual", "rigor", "coherence")),
                    "chosen_chars": rng.randrange(90, 110),
                    "rejected_chars": rng.randrange(90, 110),
                }
            )
    drops = [
        {"stage": stage, "reason": reason, "where": f"file:{rng.randrange(30)}", "detail": ""}
        for stage, reason in (rng.choice(REASONS) for _ in range(20))
    ]
    return {
        "programs": programs,
        "traces": traces,
        "questions": questions,
        "stage1": stage1,
        "sft": sft,
        "crpl": crpl,
        "problems": problems,
        "drops": drops,
    }


def end_line(node: ast.AST) -> int:
    return node.body[-1].end_lineno if isinstance(node, ast.match_case) else node.end_lineno


def write_dataset(folder: Path, seed: int) -> dict[str, list[dict[str, Any]]]:
    """Write `folder` and return its rows; the traces stand in two shards."""
    rows = make_rows(seed)
    import pyarrow as pa
    import pyarrow.parquet as pq

    half = len(rows["traces"]) // 2
    shards = (
        ("programs", "train-00000", rows["programs"]),
        ("traces", "train-00000", rows["traces"][:half]),
        ("traces", "test-00000", rows["traces"][half:]),
        ("questions", "train-00000", rows["questions"]),
        ("stage1", "train-00000", rows["stage1"]),
        ("sft", "train-00000", rows["sft"]),
        ("crpl", "train-00000", rows["crpl"]),
        ("problems", "train-00000", rows["problems"]),
    )
    for config, name, part in shards:
        file = folder / config / f"{name}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(part, schema=schema(config)), file)
    lines = "".join(json.dumps(drop) + "\n" for drop in rows["drops"])
    (folder / "drops.jsonl").write_text(lines, encoding="utf-8")
    (folder / "manifest.json").write_text('{"schema_version": "1"}\n', encoding="utf-8")
    return rows
