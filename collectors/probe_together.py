"""Environment and GPUs in parallel: both wait for child processes, so together they take as long as the slower one."""

import threading
import time

from tfhelp.collectors import environment, gpu
from tfhelp.collectors.environment.interpreter import find_interpreter
from tfhelp.kb.fact_sheet import Document


def collect_both(
    python: str | None = None, budget_seconds: float = 5.0, deep: bool = False, seconds: dict[str, float] | None = None
) -> tuple[Document, Document]:
    """The documents of ``environment.collect`` and ``gpu.collect``, which get the same arguments.

    Args:
        python, budget_seconds, deep: as the collectors take them.
        seconds: receives the wall time of each collector, by its name.

    Raises:
        CollectorError: the requested interpreter does not exist; in that case nothing has been started.
    """
    interpreter = find_interpreter(python)
    graphics: list[Document] = []
    failure: list[BaseException] = []

    times = {} if seconds is None else seconds
    started = time.monotonic()

    def collect_graphics() -> None:
        try:
            graphics.append(gpu.collect(budget_seconds))
        except BaseException as error:  # noqa: BLE001 - raised again below, where the caller can see it
            failure.append(error)
        times["gpu"] = time.monotonic() - started

    thread = threading.Thread(target=collect_graphics)
    thread.start()
    try:
        surroundings = environment.collect(interpreter, budget_seconds, deep)
        times["environment"] = time.monotonic() - started
    finally:
        thread.join()
    if failure:
        raise failure[0]
    return surroundings, graphics[0]
