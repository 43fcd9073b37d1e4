"""Starting worker processes when the first decision asks for them."""

from __future__ import annotations

from pawnstar.drop7.crew import Crew
from pawnstar.drop7.job import Execution, Job
from pawnstar.drop7.plan import MOST_WORKERS, Settings


class LazyCrew:
    """Starts its processes at the first job, as many as it needs, so that a refused decision starts none."""

    def __init__(self, shared: bool) -> None:
        self._shared = shared
        self._crew: Crew | None = None
        self._workers = 0

    def __enter__(self) -> LazyCrew:
        return self

    def __exit__(self, *_: object) -> None:
        if self._crew is not None:
            self._crew.close()

    def run(self, job: Job, workers: int) -> Execution:
        """Run a job, with more processes than before if it needs them."""
        if self._crew is None or workers > self._workers:
            if self._crew is not None:
                self._crew.close()
            self._crew = Crew(min(workers, MOST_WORKERS), self._shared)
            self._workers = workers
        return self._crew.run(job, workers)


def crew_for(settings: Settings) -> LazyCrew:
    """A crew for decisions with these settings."""
    return LazyCrew(settings.shared)
