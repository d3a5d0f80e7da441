"""A worker process of the local engine: takes tasks from a pipe, sends back what they give.

It ends when the pipe does, and soon after its parent, however that one died.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import traceback
from multiprocessing.connection import Connection

from factory.errors import InfrastructureError

DONE, FAILED, BROKEN = "done", "failed", "broken"
"""Kinds of replies: a result; a failure of the machine, to be tried again; a fault of ours."""
_LOOK_S = 1.0
_OBJECTS_A_COLLECTION = 50_000


def serve(file_descriptor: int, parent: int) -> None:
    """Serve tasks until the other end is closed.

    The first message is the job; each later one is a task, answered by ``(kind, content)``.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    connection = Connection(file_descriptor)
    try:
        with connection.recv().open() as work:
            collect_rarely()
            while True:
                task = connection.recv()
                try:
                    reply = (DONE, work(task))
                except InfrastructureError as error:
                    reply = (FAILED, error.message)
                except Exception:
                    reply = (BROKEN, traceback.format_exc())
                connection.send(reply)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def collect_rarely() -> None:
    """Have cyclic garbage looked for less often, and never among what is there already.

    A unit of work makes hundreds of thousands of small objects, nearly all of which go without it.
    """
    gc.freeze()
    gc.set_threshold(_OBJECTS_A_COLLECTION)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_S)
    os._exit(1)
