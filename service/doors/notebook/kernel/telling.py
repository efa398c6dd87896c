"""The sentences that the extension shows, and the facts that it provides."""

from __future__ import annotations

import html
import sys
import typing

from . import surroundings
from .blocks import Block, blocks_of, headline
from .rendering import bundle, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .journal import Death
    from .watching import Watch

    Json = dict[str, typing.Any]

__all__ = ["headline"]

_STATUS = {"SIGSEGV": 139, "SIGABRT": 134, "SIGBUS": 135, "SIGFPE": 136, "SIGILL": 132, "SIGKILL": 137, "SIGTERM": 143}
_HINT = "margin:0.2em 0;padding:0.1em 0.8em;border-left:4px solid rgba(230,120,20,0.85);font-family:system-ui,sans-serif"
_KNOWN = ("diagnosed", "likely")


def publish(data: dict[str, str]) -> None:
    """Show data below the cell that runs."""
    from IPython import display

    show_data: typing.Callable[[dict[str, str]], None] = display.publish_display_data
    show_data(data)


def hint(says: str, then: str) -> None:
    """Show one line, and what to type for more."""
    says, then = (" ".join(printable(text).split()) for text in (says, then))
    shown = html.escape(then).replace("%tfhelp", "<code>%tfhelp</code>", 1)
    publish(
        {
            "text/plain": f"tfhelp: {says} {then}".rstrip(),
            "text/html": f'<div style="{_HINT}"><b>tfhelp</b>: {html.escape(says)} {shown}</div>',
        }
    )


def say(text: str) -> None:
    """Show a plain message from the extension."""
    print(f"tfhelp: {text}")


def show(answer: Json, full: bool, about: str) -> None:
    """Show the answer in all forms."""
    blocks = [Block("dim", about)] if about else []
    blocks += [Block("warning", says) for says in surroundings.replaced_while_running()]
    publish(bundle([*blocks, *blocks_of(answer, full)], full))


def is_worth_a_hint(answer: Json, ours: bool) -> bool:
    """Return whether to show a hint: for TensorFlow's failures if anything is known, for others if an entry names the message."""
    if ours:
        return answer["verdict"] not in ("unknown", "nothing-failed")
    matches = answer.get("matches") or []
    return answer["verdict"] in _KNOWN and any(row["by"] == "signature" for row in matches[0]["matched"])


def calls_for_an_answer(answer: Json) -> bool:
    """Return whether a cell without an exception still has a problem: worse training, fewer epochs, a loss of NaN."""
    if answer["verdict"] not in _KNOWN:
        return False
    facts = answer.get("facts", {})
    wrong = facts.get("derived", {}).get("stopped_early") is True or facts.get("log", {}).get("loss_is_nan") is True
    return wrong or answer["matches"][0]["severity"] == "degraded"


def with_loaded_releases(facts: Json) -> Json:
    """The facts, with the releases that this kernel has loaded if other releases are installed now."""
    loaded = {
        package.replace("_", "-"): version
        for package, version in surroundings.loaded_releases().items()
        if surroundings.installed_release(package) not in (None, version)
    }
    return {**facts, "packages": {**loaded, **facts.get("packages", {})}} if loaded else facts


def facts_of_watch(watch: Watch, hung: bool = False) -> Json:
    """The observations of a cell, as a facts document."""
    run: Json = {"seconds": round(watch.seconds, 1), "memory_peak_mib": round(watch.peak_mib, 1)}
    if hung:
        run.update({"hung": True, "seconds_since_output": round(watch.silence, 1)})
    return {"run": run}


def with_waiting(facts: Json, stack: str) -> Json:
    """The facts, with what the cell waits for according to the stack, if tfhelp itself is installed to find that out."""
    if sys.version_info < (3, 11):
        return facts
    try:
        from tfhelp.service.doors.notebook.hanging import facts_of_stack
    except ImportError:
        return facts
    return {**facts, "run": {**facts_of_stack(stack), **facts["run"]}}


def how_it_died(death: Death) -> str:
    """How the last kernel died, in a sentence."""
    return f"The last kernel of this notebook {_how(death)}{_where(death)}."


def _how(death: Death) -> str:
    if death.kill_line:
        return "was killed by Linux for lack of memory"
    if death.kills:
        return "was killed, and its control group counted a kill for lack of memory meanwhile,"
    if death.signal == "SIGTERM":
        return "was told to end (SIGTERM)"
    if death.signal:
        return f"crashed ({death.signal})"
    return "ended without a message (a restart, SIGKILL from outside, or os._exit)"


def _where(death: Death) -> str:
    if not death.cell:
        return " while it ran no cell"
    source = death.cells.get(death.cell, "")
    code = [line.strip() for line in source.split("\n") if line.strip() and not line.lstrip().startswith(("#", "%"))]
    shown = f" ({code[-1][:60]})" if code else ""
    seconds = f" for {death.seconds:.0f} s" if death.seconds >= 1 else ""
    limit = f" of {death.limit_mib:.0f}" if death.limit_mib else ""
    memory = f", with at most {death.peak_mib:.0f}{limit} MiB of memory" if death.peak_mib else ""
    return f" while it ran In[{death.cell}]{shown}{seconds}{memory}"


def text_of_dead_kernel(death: Death) -> str:
    """What the dead kernel left: its C++ code's last words, the stacks, and the kernel log's line."""
    return "\n".join(part for part in (death.said.rstrip(), death.stacks.rstrip(), death.kill_line) if part) + "\n"


def facts_of_dead_kernel(death: Death) -> Json:
    """How it ended, as a facts document; only what there is evidence for."""
    run: Json = {}
    if death.seconds:
        run["seconds"] = round(death.seconds, 1)
    if death.peak_mib:
        run["memory_peak_mib"] = round(death.peak_mib, 1)
    if death.limit_mib:
        run["memory_limit_mib"] = round(death.limit_mib, 1)
    if death.signal:
        run["signal"], run["exit_code"] = death.signal, _STATUS[death.signal]
        run["killed_by"] = {"SIGKILL": "oom-killer", "SIGTERM": "outside"}.get(death.signal, "itself")
    facts: Json = {"run": run}
    if death.kill_line:
        facts["host"] = {"oom_killed": f"python (pid {death.pid})"}
    elif death.kills:
        facts["host"] = {"cgroup_oom_kills": death.kills}
    return facts
