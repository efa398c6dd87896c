"""Facts of this machine from all collectors, merged into one document."""

import threading
import typing

Json = dict[str, typing.Any]


def collect_facts(
    python: str | None = None, deep: bool = False, budget_seconds: float = 5.0, seconds: dict[str, float] | None = None
) -> Json:
    """Collect the facts of this machine.

    Args:
        python: interpreter or environment that the training runs in; the active one by default.
        deep: also import TensorFlow there and report what happens; this has no time limit.
        budget_seconds: time limit for each collector.
        seconds: receives the wall time of each collector, by its name.

    Raises:
        tfhelp.collectors.errors.CollectorError: ``python`` does not name an interpreter.
    """
    from tfhelp.collectors.probe_together import collect_both  # merging does not need this import

    surroundings, graphics = collect_both(python, budget_seconds, deep, seconds)
    return merge_documents(surroundings, graphics)


def collect_meanwhile(python: str | None) -> typing.Callable[[], Json]:
    """Start collecting in a thread, which mostly waits for child processes.

    Returns:
        A function that waits for the facts, and raises what ``collect_facts`` raised.
    """
    facts: list[Json] = []
    failure: list[Exception] = []

    def collect() -> None:
        try:
            facts.append(collect_facts(python))
        except Exception as error:  # noqa: BLE001 - raised again when the facts are requested
            failure.append(error)

    thread = threading.Thread(target=collect, daemon=True)
    thread.start()

    def wait() -> Json:
        thread.join()
        if failure:
            raise failure[0]
        return facts[0]

    return wait


def merge_documents(first: Json, second: Json) -> Json:
    """Merge two facts documents; if both have a fact, the first wins."""
    merged = {**second, **first}
    for group, value in first.items():
        other = second.get(group)
        if isinstance(value, dict) and isinstance(other, dict):
            merged[group] = {**other, **value}
    return merged
