"""What the command line says of parts: apart from what carries it out, which most runs do not need."""

from __future__ import annotations

from dataclasses import dataclass

LARGE = 16 * 1024 * 1024
"""A module of this many characters is decided in parts by one process, too, as it needs far less memory then."""


@dataclass(frozen=True)
class Scale:
    """How much is done at the same time, where (the address of a Dask scheduler), and whether what was decided before
    is looked up."""

    jobs: int = 1
    cluster: str | None = None
    incremental: bool = False

    def __bool__(self) -> bool:
        return self.jobs > 1 or self.cluster is not None or self.incremental
