"""The ``tracefoundry`` command: one module a subcommand, registered in :data:`COMMANDS`.

Results go to standard output, progress and errors to standard error.  Exit codes: 0 good, 1 a
check was not met, 2 bad input, 3 the network, a GPU or a worker failed after retries, 130
interrupted.
"""

from __future__ import annotations

import errno
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from factory.cli import (
    audit,
    build,
    demo,
    diff,
    doctor,
    explain,
    publish,
    query,
    reward_benchmark,
    score,
    trace,
    version,
    view,
)
from factory.cli.containment import check_switch
from factory.cli.terminal import BAD_INPUT, INTERRUPTED, print_error
from factory.errors import InfrastructureError, UserError


def load_command(target: str) -> Callable[..., Any]:
    """The command ``module:function`` of a package that the factory does not know."""
    module, _, function = target.partition(":")
    command: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return command


COMMANDS: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("demo", demo.demo),
    ("build", build.build),
    ("trace", trace.trace),
    ("audit", audit.audit),
    ("query", query.query),
    ("score", score.score),
    ("explain", explain.explain),
    ("diff", diff.diff),
    ("view", view.view),
    ("publish", publish.publish),
    ("reward-benchmark", reward_benchmark.reward_benchmark),
    ("train", load_command("trainer.command:train")),
    ("ablations", load_command("trainer.command:ablations")),
    ("eval", load_command("trainer.evaluation.command:evaluate")),
    ("doctor", doctor.doctor),
    ("version", version.version),
)

app = typer.Typer(
    name="tracefoundry",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _function in COMMANDS:
    app.command(_name)(_function)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.")
    ] = False,
) -> None:
    """Turn small Python programs into verified execution-reasoning data.

    `tracefoundry demo` shows all of it. Every command has `--help`.
    """
    if show_version:
        version.version()
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
    else:
        check_switch(context.invoked_subcommand)
        return
    raise typer.Exit


def main() -> None:
    """Run the command line of this process and exit with its code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; every error of a user becomes one line."""
    try:
        code = app(args=list(arguments), prog_name="tracefoundry", standalone_mode=False)
    except (UserError, InfrastructureError) as error:
        print_error(error.message)
        return error.exit_code
    except OSError as error:
        if error.filename is None and error.errno != errno.ENOSPC:
            raise
        print_error(f"{error.filename or 'the disk'}: {error.strerror}")
        return BAD_INPUT
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "tracefoundry"
        print_error(f"{error.format_message().rstrip('.')} (see: {command} --help)")
        return BAD_INPUT
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        print_error("interrupted; run the same command again to continue")
    return code if isinstance(code, int) else 0
