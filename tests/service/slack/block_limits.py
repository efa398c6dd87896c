"""The limits beyond which Slack refuses a message or a view: Block Kit, as in docs.slack.dev/reference/block-kit."""

import re
import typing

Json = dict[str, typing.Any]

_IN_MESSAGES = ("section", "header", "context", "actions", "divider")
_IN_VIEWS = (*_IN_MESSAGES, "input")
# Slack shows names for these; anything else between brackets pings or links.
_NAME = re.compile(r"<@U[A-Z0-9]+>")


def faults_of_message(message: Json) -> list[str]:
    """The faults of a message."""
    text = message.get("text", "")
    faults = [] if 0 < len(text) <= 40_000 else [f"text of {len(text)} characters"]
    if "<" in _NAME.sub("", text):
        faults.append(f"the text pings or links: {text[:80]}")
    return faults + _faults_of_blocks(message.get("blocks"), 50, _IN_MESSAGES)


def faults_of_view(view: Json) -> list[str]:
    """The faults of a modal or a home tab."""
    faults = _faults_of_blocks(view.get("blocks"), 100, _IN_VIEWS)
    faults += [f"private_metadata of {len(view['private_metadata'])}"] if len(view.get("private_metadata", "")) > 3000 else []
    if view.get("type") == "home":
        return faults
    if view.get("type") != "modal":
        faults.append(f"a view of type {view.get('type')}")
    faults += _faults_of_text(view.get("title"), "plain_text", 24, "title")
    for name in ("submit", "close"):
        faults += _faults_of_text(view[name], "plain_text", 24, name) if name in view else []
    if any(block.get("type") == "input" for block in view.get("blocks", [])) and "submit" not in view:
        faults.append("inputs, and no submit")
    return faults


def texts(blocks: list[Json]) -> list[str]:
    """All texts of blocks, in order."""
    found: list[str] = []
    for block in blocks:
        parts = [block.get("text"), block.get("label"), block.get("hint"), *block.get("elements", []), block.get("element")]
        for part in parts:
            if isinstance(part, dict):
                inner = part.get("text")
                found += [inner] if isinstance(inner, str) else [inner["text"]] if isinstance(inner, dict) else []
    return found


def buttons(blocks: list[Json]) -> dict[str, Json]:
    """The buttons of blocks by their words."""
    elements = [element for block in blocks if block["type"] == "actions" for element in block["elements"]]
    return {element["text"]["text"]: element for element in elements}


def _faults_of_blocks(blocks: typing.Any, most: int, kinds: tuple[str, ...]) -> list[str]:
    if not isinstance(blocks, list) or not 1 <= len(blocks) <= most:
        return [f"{len(blocks) if isinstance(blocks, list) else 'no'} blocks; 1 to {most} are taken"]
    faults = []
    names = [block["block_id"] for block in blocks if "block_id" in block]
    if len(names) != len(set(names)) or any(len(name) > 255 for name in names):
        faults.append(f"block_ids {names}")
    for number, block in enumerate(blocks):
        if block.get("type") not in kinds:
            faults.append(f"blocks[{number}]: a block of type {block.get('type')} here")
            continue
        faults += [f"blocks[{number}] ({block['type']}): {fault}" for fault in _OF_TYPE[block["type"]](block)]
    return faults


def _section(block: Json) -> list[str]:
    return _faults_of_text(block.get("text"), "mrkdwn", 3000, "text")


def _header(block: Json) -> list[str]:
    return _faults_of_text(block.get("text"), "plain_text", 150, "text")


def _context(block: Json) -> list[str]:
    elements = block.get("elements", [])
    faults = [] if 1 <= len(elements) <= 10 else [f"{len(elements)} elements"]
    return faults + [fault for element in elements for fault in _faults_of_text(element, "mrkdwn", 3000, "element")]


def _actions(block: Json) -> list[str]:
    elements = block.get("elements", [])
    faults = [] if 1 <= len(elements) <= 25 else [f"{len(elements)} elements"]
    actions = [element.get("action_id", "") for element in elements]
    if len(actions) != len(set(actions)):
        faults.append(f"action_ids twice: {actions}")
    return faults + [fault for element in elements for fault in _button(element)]


def _button(element: Json) -> list[str]:
    faults = _faults_of_text(element.get("text"), "plain_text", 75, "button")
    if element.get("type") != "button":
        faults.append(f"an element of type {element.get('type')}")
    if not 1 <= len(element.get("action_id", "")) <= 255:
        faults.append("an action_id of the wrong length")
    if len(element.get("value", "")) > 2000:
        faults.append(f"a value of {len(element['value'])} characters")
    if not 1 <= len(element.get("url", "x")) <= 3000:
        faults.append("a url of the wrong length")
    if element.get("style", "primary") not in ("primary", "danger"):
        faults.append(f"style {element['style']}")
    return faults


def _input(block: Json) -> list[str]:
    faults = _faults_of_text(block.get("label"), "plain_text", 2000, "label")
    faults += _faults_of_text(block["hint"], "plain_text", 2000, "hint") if "hint" in block else []
    element = block.get("element", {})
    if element.get("type") == "plain_text_input":
        faults += [] if 1 <= element.get("max_length", 1) <= 3000 else [f"max_length {element['max_length']}"]
    elif element.get("type") == "file_input":
        faults += [] if 1 <= element.get("max_files", 10) <= 10 else [f"max_files {element['max_files']}"]
    else:
        faults.append(f"an input of type {element.get('type')}")
    return faults


def _divider(block: Json) -> list[str]:
    return []


def _faults_of_text(text: typing.Any, kind: str, most: int, where: str) -> list[str]:
    if not isinstance(text, dict) or text.get("type") != kind:
        return [f"{where}: no {kind}"]
    words = text.get("text", "")
    faults = [] if 1 <= len(words) <= most else [f"{where}: {len(words)} characters; 1 to {most} are taken"]
    if kind == "mrkdwn":
        faults += [] if text.get("verbatim") is True else [f"{where}: not verbatim, so that Slack makes links and mentions"]
        faults += [f"{where}: pings or links: {words[:80]}"] if "<" in _NAME.sub("", words) else []
        faults += [f"{where}: an open code block"] if words.count("```") % 2 else []
    return faults


_OF_TYPE: dict[str, typing.Callable[[Json], list[str]]] = {
    "section": _section,
    "header": _header,
    "context": _context,
    "actions": _actions,
    "divider": _divider,
    "input": _input,
}
