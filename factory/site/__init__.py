"""Static pages on which a person steps through traces: no server, no build step, no network.

:func:`write_site` makes them of a dataset folder, :func:`trace_page` of one trace.
"""

from __future__ import annotations

from factory.site.folder import SiteReport, write_site
from factory.site.pages import trace_page

__all__ = ["SiteReport", "trace_page", "write_site"]
