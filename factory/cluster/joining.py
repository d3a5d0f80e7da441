"""Gets in touch with a Ray cluster, or starts one on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from factory.errors import InfrastructureError, MissingExtra

ADDRESS_VARIABLE = "RAY_ADDRESS"
"""Names the cluster; without it one is started on this machine for the time of the build."""


def import_ray() -> Any:
    """Ray with its part for data.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        import ray
        import ray.data
    except ModuleNotFoundError as error:
        raise MissingExtra("ray", "ray", "--engine ray") from error
    return ray


@contextmanager
def join_cluster(workers: int) -> Iterator[None]:
    """Be part of the cluster that ``RAY_ADDRESS`` names, or of one of this machine.

    A process that is part of one already stays in it.

    Args:
        workers: Processors of a cluster that is started here.

    Raises:
        MissingExtra: Ray is not installed.
        InfrastructureError: There is no cluster at the address.
    """
    ray = import_ray()
    joined = ray.is_initialized()
    if not joined:
        address = os.environ.get(ADDRESS_VARIABLE)
        own = {} if address else {"num_cpus": workers, "include_dashboard": False}
        try:
            where = address or "local"  # or Ray would join any cluster that it finds here
            ray.init(address=where, log_to_driver=False, logging_level="error", **own)
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise InfrastructureError(
                f"no Ray cluster at {address}: {reason}; if it wants a token, set "
                "RAY_AUTH_MODE=token"
            ) from error
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    try:
        yield
    finally:
        if not joined:
            ray.shutdown()
