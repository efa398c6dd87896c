"""An answer as SARIF 2.1.0: a rule for each entry, a result at the user's own line."""

import hashlib
import re
import typing

from tfhelp.service import sarif_log
from tfhelp.service.doors.formats import words
from tfhelp.service.doors.formats.github import level, message
from tfhelp.service.doors.formats.markdown import shareable
from tfhelp.service.doors.formats.places import Place, place_of
from tfhelp.service.vocabulary import EXPLAINED

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer, Match

Json = dict[str, typing.Any]
_EXPLAINED = "explained-message"
_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")


def sarif(answer: "Answer | dict[str, typing.Any]", path: str = "", log: str = "") -> Json:
    """The log of one run.

    Args:
        answer: the JSON document of a diagnosis.
        path: the script that was given along with the text; empty without one.
        log: the file that the text comes from; empty if the text is not from a file.

    Returns:
        A log without results if nothing failed or nothing is known; its notification says which of the two.
    """
    place = place_of(typing.cast("Answer", answer), path)  # before user names are removed from paths
    shown = shareable(answer)
    if words.names_an_entry(shown):
        matches = shown["matches"][:1]
    else:
        matches = shown["matches"] if shown["verdict"] == "undecided" else []
    rules = [_rule(match) for match in matches]
    results = [_result(shown, match, number, place, log) for number, match in enumerate(matches)]
    if shown["verdict"] == "explained":
        rules = [{"id": _EXPLAINED, "name": "ExplainedMessage", "shortDescription": {"text": EXPLAINED}}]
        results = [_explained(shown, place)]
    said = f"{words.headline(shown)}. Knowledge {shown['kb_version']}."
    notifications = [sarif_log.notification("warning" if shown["verdict"] == "unknown" else "note", said)]
    return sarif_log.log(rules, results, notifications, True)


def _rule(match: "Match") -> Json:
    described: Json = {
        "id": match["entry"],
        "name": match["entry"].title().replace("-", ""),
        "shortDescription": {"text": match["title"]},
    }
    if match["causes"]:
        cause = match["causes"][0]
        described["fullDescription"] = {"text": cause["means"]}
        described["help"] = {"text": f"{cause['fix']['summary']} More: tfhelp explain {match['entry']}"}
    described["properties"] = {"tags": ["tensorflow", match["family"]]}
    return described


def _result(answer: "Answer", match: "Match", number: int, place: Place | None, log: str) -> Json:
    named = words.names_an_entry(answer)
    said = message(answer) if named else f"{match['title']}: {match['told_by']['sign']}"
    seen = [row["line"] for row in match["matched"] if row["line"]]
    in_log = [sarif_log.location(log, {"startLine": line}) for line in seen[:1]] if log else []
    at = [sarif_log.location(place.file, {"startLine": place.line})] if place and named else []
    cause = match["causes"][0]["cause"] if match["causes"] else ""
    result: Json = {
        "ruleId": match["entry"],
        "ruleIndex": number,
        "level": level(answer) if named else "note",
        "message": {"text": said},
        "rank": round(100 * match["confidence"], 1),
        "partialFingerprints": {"tfhelpFailure/v1": _fingerprint(match["entry"], cause, answer["condensed"])},
        "properties": {"cause": cause, "confidence": match["confidence"]},
    }
    if at or in_log:
        result["locations"] = at or in_log
    if at and in_log:
        result["relatedLocations"] = [{**one, "message": {"text": "The line of the log"}} for one in in_log]
    return result


def _explained(answer: "Answer", place: Place | None) -> Json:
    result: Json = {
        "ruleId": _EXPLAINED,
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": message(answer)},
        "partialFingerprints": {"tfhelpFailure/v1": _fingerprint(_EXPLAINED, "", answer["condensed"])},
    }
    if place:
        result["locations"] = [sarif_log.location(place.file, {"startLine": place.line})]
    return result


def _fingerprint(*parts: str) -> str:
    """A fingerprint of the entry, the cause and the failure without its numbers; it is the same in the next run."""
    return hashlib.sha256(_NUMBERS.sub("0", "\0".join(parts)).encode(errors="replace")).hexdigest()[:16]
