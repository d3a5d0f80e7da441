"""``tracefoundry trace``."""

from __future__ import annotations

import ast
import json
import sys
import tokenize
import warnings
from pathlib import Path
from typing import Annotated

import typer

from factory.cli.terminal import open_console
from factory.errors import UserError

SHOWN_QUESTIONS = 8


def trace(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A Python file.")],
    call: Annotated[
        str | None,
        typer.Option("--call", metavar="CALL", help="The call to trace, such as 'f([1, 2])'."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the whole trace as one JSON document.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", help="Write a page on which to step through it."),
    ] = None,
    max_steps: Annotated[
        int | None, typer.Option("--max-steps", min=1, metavar="N", help="Stop after N steps.")
    ] = None,
    show_questions: Annotated[
        bool | None,
        typer.Option(
            "--questions/--no-questions",
            help="Show all questions, or none; by default eight of them "
            "(none with --json, all with --html).",
        ),
    ] = None,
    stdin: Annotated[
        Path | None,
        typer.Option("--stdin", metavar="FILE", help="Standard input of the call; - is ours."),
    ] = None,
) -> None:
    """Trace one call in the sandbox and show what it did.

    Shown are the executed statements with the changes they made, the outcome, and questions
    about the run with their answers. Without --call the module's own code is traced. A program
    that raises or does not end is a good result: exit code 0.

    Example: tracefoundry trace f.py --call 'f([1, 2])'
    """
    if html is not None:
        _check_page(html, file, as_json)
    source = read_program(file)
    entry, args = (None, "") if call is None else parse_call(call)
    text = "" if stdin is None else _read_input(stdin)

    from tracer.derivation import derive
    from tracer.records import Call, Limits, Program
    from tracer.runner import run
    from tracer.serialization import trace_to_dict

    limits = Limits() if max_steps is None else Limits(max_steps=max_steps)
    traced = run(Program(source, entry), Call(args, text), limits)
    if traced.outcome.kind == "bad_program" and traced.outcome.type is None:
        raise UserError(f"{file}: {traced.outcome.message}")
    questions = derive(traced) if show_questions or not (as_json or show_questions is False) else ()
    if as_json:
        document = trace_to_dict(traced)
        if show_questions:
            document["questions"] = [
                {
                    "kind": question.kind,
                    "text": question.text,
                    "key": question.key,
                    "valid": list(question.valid),
                    "step": question.step,
                    "line": question.line,
                }
                for question in questions
            ]
        typer.echo(json.dumps(document))
    elif html is not None:
        from factory.files import write_atomically
        from factory.site import trace_page

        title = file.name if call is None else " ".join(call.split())
        write_atomically(html, trace_page(title, traced, questions))
        typer.echo(f"{len(traced.steps)} steps and {len(questions)} questions in {html}")
    else:
        from factory.trace_view import print_questions, print_trace

        console = open_console()
        print_trace(console, traced)
        if show_questions is not False and traced.steps:
            print_questions(console, questions, None if show_questions else SHOWN_QUESTIONS)


def _check_page(html: Path, file: Path, as_json: bool) -> None:
    """Refuse what ``--html`` cannot be."""
    if as_json:
        raise UserError("--json and --html: choose one form of output")
    if html.is_dir():
        raise UserError(f"--html {html}: is a folder; give the file to write")
    if html.exists() and file.exists() and html.samefile(file):
        raise UserError(f"--html {html}: is the program itself; give another file")


def read_program(file: Path) -> str:
    """The text of a Python file that compiles.

    Raises:
        UserError: It cannot be read, or the line with the syntax error is named.
    """
    try:
        with tokenize.open(file) as stream:
            source = stream.read()
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, SyntaxError) as error:
        raise UserError(f"{file}: no Python text: {error}") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, str(file), "exec", dont_inherit=True)
    except SyntaxError as error:
        line = f":{error.lineno}" if error.lineno else ""
        near = f" (near: {error.text.strip()})" if error.text and error.text.strip() else ""
        raise UserError(f"{file}{line}: syntax error: {error.msg}{near}") from error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise UserError(f"{file}: cannot be compiled: {error}") from error
    return source


def parse_call(text: str) -> tuple[str, str]:
    """Split the text of a call into the function's name and the text of the arguments.

    Raises:
        UserError: The text is not one call of a name.
    """
    wanted = "write it as NAME(ARGUMENTS), such as 'f([1, 2], k=3)'"
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UserError(f"--call {text!r} is no Python expression; {wanted}") from error
    if not isinstance(body, ast.Call) or not isinstance(body.func, ast.Name):
        raise UserError(f"--call {text!r} is not one call of a name; {wanted}")
    parts: list[ast.expr | ast.keyword] = [*body.args, *body.keywords]
    parts.sort(key=lambda part: (part.lineno, part.col_offset))
    segments = [ast.get_source_segment(text.strip(), part) for part in parts]
    return body.func.id, ", ".join(segment for segment in segments if segment is not None)


def _read_input(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"--stdin {file}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"--stdin {file}: no UTF-8 text: {error}") from error
