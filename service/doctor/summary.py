"""One line for each part of a machine: what it is, whether something is wrong with it, and what to read.

The knowledge base decides what is wrong (``findings``). The lines only say what is there, and what could not be inspected.
"""

import typing

from tfhelp.kb.fact_sheet import UNKNOWN, FactSheet
from tfhelp.service.diagnosis.fixes import fill_fix
from tfhelp.service.doctor.parts import PARTS, Shown

if typing.TYPE_CHECKING:
    from tfhelp.service.doctor.findings import Finding

Json = dict[str, typing.Any]

# entry -> its line; findings of entries that are not listed here go to the line of the system
PART_OF_ENTRY = {
    "custom-op-undefined-symbol": "packages",
    "cudnn-version-mismatch": "cuda",
    "disk-full": "disk",
    "driver-library-mismatch": "driver",
    "driver-too-old": "driver",
    "gpu-architecture-unsupported": "gpu",
    "gpu-libraries-not-loaded": "cuda",
    "gpu-lost": "gpu",
    "gpu-not-detected": "gpu",
    "gpu-out-of-memory": "gpu",
    "illegal-instruction": "processor",
    "keras-package-mismatch": "keras",
    "no-matching-distribution": "python",
    "numpy-abi-mismatch": "packages",
    "protobuf-mismatch": "packages",
    "shared-memory-too-small": "limits",
    "system-library-too-old": "system",
    "tensorflow-not-installed": "tensorflow",
    "tensorflow-shadowed-or-broken": "tensorflow",
    "too-many-open-files": "limits",
}


class Row(typing.NamedTuple):
    """One line.

    Attributes:
        part: ``python``, ``tensorflow``, ``gpu`` and so on.
        state: ``ok``, ``warning`` (slower, or not as it should be), ``failure``, ``absent`` (not there and not needed) or
            ``unknown`` (could not be inspected).
        value: what is there, in words.
        details: more of it.
        wrong: what is wrong, each with ``entry``, ``cause``, ``severity``, ``says``, ``fix`` (its one-line summary) and
            ``first_step`` (in words, and its commands); missing values are ``None``.
    """

    part: str
    state: str
    value: str
    details: list[str]
    wrong: list[Json]

    @property
    def is_wrong(self) -> bool:
        """Return whether there is something to fix."""
        return self.state in ("warning", "failure")


def summarise(
    sheet: FactSheet, findings: typing.Sequence["Finding"], interpreter: str | None = None, import_fault: bool = False
) -> list[Row]:
    """The lines of a machine.

    Args:
        sheet: its facts, derived ones included.
        findings: the causes that were checked.
        interpreter: why the inspected Python could not give its facts; ``None`` if it could.
        import_fault: whether a trial import of TensorFlow failed.
    """
    wrong: dict[str, list[Json]] = {}
    for finding in findings:
        if finding.outcome == "found":
            part = PART_OF_ENTRY.get(finding.entry["id"], "system")
            wrong.setdefault(part, []).append(_of_finding(finding, sheet))
    if interpreter:
        wrong.setdefault("python", []).append(_plain(interpreter))
    if import_fault:
        said = f"a test import of TensorFlow: {sheet.get('tensorflow.import_state')}; see the explanation below"
        wrong.setdefault("tensorflow", []).append(_plain(said))
    explained = not {"gpu", "driver", "cuda", "tensorflow"}.isdisjoint(wrong)
    if sheet.get("tensorflow.visible_gpus") == [] and sheet.get("derived.gpu_present") is True and not explained:
        wrong["gpu"] = [_plain("TensorFlow was imported as a test and lists no GPU", "gpu-not-detected", "degraded")]
    return [_row(part, show(sheet), wrong.get(part, [])) for part, show in PARTS.items()]


def _row(part: str, shown: Shown, wrong: list[Json]) -> Row:
    severities = {one["severity"] for one in wrong}
    state = "failure" if "fatal" in severities else "warning" if severities else shown.state
    return Row(part, state, shown.value, shown.details, wrong)


def _of_finding(finding: "Finding", sheet: FactSheet) -> Json:
    because = next((one.because for one in finding.evidence if one.outcome == "holds"), "")
    fix = fill_fix(finding.cause, sheet)
    step = fix["steps"][0] if fix["steps"] else None
    return {
        "entry": finding.entry["id"],
        "cause": finding.cause["id"],
        "severity": finding.entry["severity"],
        "says": finding.cause["title"] + (f": {because}" if because else ""),
        "fix": fix["summary"],
        "first_step": {"say": step["say"], "code": step["snippet"]["code"] if "snippet" in step else None} if step else None,
    }


def _plain(says: str, entry: str | None = None, severity: str = "fatal") -> Json:
    return {"entry": entry, "cause": None, "severity": severity, "says": says, "fix": None, "first_step": None}


def not_looked_for(sheet: FactSheet, findings: typing.Sequence["Finding"]) -> list[str]:
    """What this check-up could not check, in sentences."""
    said = []
    if sheet.get("tensorflow.import_state") is UNKNOWN and sheet.get("derived.tensorflow_distribution"):
        said.append("Not looked for: whether TensorFlow imports, and which GPUs it lists (tfhelp doctor --deep).")
    if sheet.get("driver.xid") is UNKNOWN and sheet.get("gpus"):
        said.append("Not looked for: errors of the GPUs in the kernel log, which this user may not read.")
    unknown = sum(finding.outcome == "unknown" for finding in findings)
    if unknown:
        said.append(
            f"Not decided: {unknown} of {len(findings)} check-ups, because a fact is missing (tfhelp doctor -v names them)."
        )
    return said


def document(rows: typing.Sequence[Row], missing: typing.Sequence[str]) -> Json:
    """The summary as JSON."""
    return {"rows": [row._asdict() for row in rows], "not_looked_for": list(missing)}
