"""Ten times as many requests as the service can answer: accepted ones are answered in time, the rest are refused immediately."""

import argparse
import http
import sys
import typing

from tests.benchmarks import paced, prose, recordings
from tests.benchmarks.targets import Row, milliseconds
from tests.service.serving import Server

TIMES = 10
SECONDS = 6.0
_WORKERS = 2
_QUEUE = 16
_CONNECTIONS = 200
_KEPT = 1.5
_AT_ONCE = 0.5
_TURNS = 3


def rows(texts: list[str], seconds: float = SECONDS, turns: int = _TURNS) -> typing.Iterator[Row]:
    """A burst, compared with the full service without a burst, in alternation.

    Args:
        texts: the questions.
        seconds: length of each load.
        turns: how often each load runs.

    Raises:
        RuntimeError: a request was answered with a status other than 200 or 503, or none was refused.
    """
    room = _WORKERS + _QUEUE
    full: list[paced.Answered] = []
    burst: list[paced.Answered] = []
    offered = []
    with Server.real("--workers", str(_WORKERS), "--queue", str(_QUEUE)) as server:
        paced.paced(server.url, texts, room, seconds)  # warm up
        for _ in range(turns):
            # As many as fit: each is accepted, and no worker ever waits.
            calm = paced.paced(server.url, texts, room, seconds)
            full += calm.answered
            wild = paced.paced(server.url, texts, _CONNECTIONS, seconds, TIMES * calm.rate(http.HTTPStatus.OK))
            burst += wild.answered
            offered.append(len(wild.answered) / wild.seconds / calm.rate(http.HTTPStatus.OK))
    odd = {one.status for one in full + burst} - {http.HTTPStatus.OK, http.HTTPStatus.SERVICE_UNAVAILABLE}
    accepted = [one.seconds for one in burst if one.status == http.HTTPStatus.OK]
    refused = [one.seconds for one in burst if one.status == http.HTTPStatus.SERVICE_UNAVAILABLE]
    if odd or not accepted or not refused:
        raise RuntimeError(f"burst: {len(accepted)} accepted, {len(refused)} refused, other statuses: {sorted(odd)}")
    before = [one.seconds for one in full if one.status == http.HTTPStatus.OK]
    what = f"burst of {TIMES} times what the service can answer ({min(offered):.1f} times arrived)"
    yield Row(
        f"{what}: 99th percentile of {len(accepted)} accepted requests",
        milliseconds(paced.p99(accepted)),
        f"full, without a burst: {milliseconds(paced.p99(before))}",
        paced.p99(accepted) / paced.p99(before),
        _KEPT,
    )
    yield Row(
        f"{what}: median of {len(refused)} refusals",
        milliseconds(paced.median(refused)),
        f"accepted requests: {milliseconds(paced.median(accepted))}",
        paced.median(refused) / paced.median(accepted),
        _AT_ONCE,
    )


def questions() -> list[str]:
    """Recorded outputs of failed programs, and questions in words."""
    return [recording.output for recording in recordings.failures()] + prose.SHORT + prose.LONG


def main() -> int:
    """Print both rows. Exit status: 0, or 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.burst", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each load (default: %(default)s)")
    arguments = parser.parse_args()
    met = True
    for row in rows(questions(), arguments.seconds):
        met = met and row.met
        print(f"{'met   ' if row.met else 'MISSED'} {row.ratio:6.2f} {row.wanted():18} {row.what}: {row.ours} ({row.peer})")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
