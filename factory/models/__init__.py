"""Models that write or answer text: one protocol, backends by name, replies kept on disk.

:mod:`factory.models.base` has the protocol, :mod:`factory.models.backends` finds and loads what a
recipe names, :mod:`factory.models.cache` keeps every reply by the hash of what decided it, and
:mod:`factory.models.opening` puts the three together. Nothing here imports a backend before it is
used, so the factory needs no torch.
"""
