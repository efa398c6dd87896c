"""The API's description: what goes in, what comes out, and the schemas of both."""

import typing

from tfhelp.kb.facts import Facts
from tfhelp.service.doors.http.errors import CODES
from tfhelp.service.doors.http.interface import MOST_ANSWERS, Json
from tfhelp.service.doors.http.schemas import REFERENCE, schemas_of
from tfhelp.service.memory.memory import LONGEST, Said
from tfhelp.service.search.search import MOST_HITS

if typing.TYPE_CHECKING:
    from tfhelp.service.diagnosis.answer import Answer


def error_documentation(description: str) -> Json:
    """The description of an error answer."""
    return {"description": description, "content": {"application/json": {"schema": {"$ref": REFERENCE + "Error"}}}}


def answer_of(name: str, description: str) -> Json:
    """The description of an answer with the schema of this name."""
    return {"description": description, "content": {"application/json": {"schema": {"$ref": REFERENCE + name}}}}


_FORMAT: Json = {
    "name": "format",
    "in": "query",
    "description": "the format of the answer; without it, the Accept header decides",
    "schema": {"enum": ["json", "markdown", "text"]},
}


def _top(most: int, usual: int) -> Json:
    schema = {"type": "integer", "minimum": 1, "maximum": most, "default": usual}
    return {"name": "top", "in": "query", "description": "how many at most", "schema": schema}


_KEEP: Json = {
    "type": "boolean",
    "description": "whether a server with a team's memory keeps the answer, redacted, and gives its link",
    "default": True,
}
TOP_PARAMETERS: list[Json] = [
    _top(MOST_ANSWERS, 3),
    _FORMAT,
    {"name": "keep", "in": "query", "description": _KEEP["description"], "schema": {"type": "boolean", "default": True}},
    {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "a random string, such as a UUID; if you send a request again with the same string, its answer is kept once",
        "schema": {"type": "string", "minLength": 16, "maxLength": 128},
    },
]
_SAID: Json = {"type": "string", "pattern": r"\S"}  # not only blanks
SEARCH_PARAMETERS: list[Json] = [
    {"name": "q", "in": "query", "required": True, "description": "words, a name or a message", "schema": _SAID},
    _top(MOST_HITS, 10),
]

DIAGNOSE_ANSWERS: dict[int | str, Json] = {
    200: {
        "description": "the answer; `verdict` says which keys it has",
        "content": {
            "application/json": {"schema": {"$ref": REFERENCE + "Answer"}},
            "text/markdown": {"schema": {"type": "string"}},
            "text/plain": {"schema": {"type": "string"}},
        },
    },
    413: error_documentation("the text is over the limit"),
    415: error_documentation("the body is a form"),
    422: error_documentation("the body, the facts or another key cannot be used, or the file holds no text"),
    503: error_documentation("no answer within the limits of the service; `Retry-After` says when to ask again"),
}
_REPLY: Json = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"reply": {"type": "string"}, "command": {"type": "string"}},
            "required": ["reply"],
            "additionalProperties": False,
        },
    ]
}
_CODE: Json = {
    "description": "the training script, from which facts are read; if you give its name too, the answer uses the name",
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"source": {"type": "string"}, "name": {"type": "string"}},
            "required": ["source"],
        },
    ],
}
DIAGNOSE: Json = {
    "parameters": TOP_PARAMETERS,
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "anyOf": [
                        {"required": ["text"], "properties": {"text": {"pattern": r"\S"}}},
                        *({"required": [key], "properties": {key: {"minProperties": 1}}} for key in ("facts", "replies")),
                        {"required": ["code"], "properties": {"code": {"type": "string", "pattern": r"\S"}}},
                    ],
                    "properties": {
                        "text": {
                            "type": "string",
                            "description": "the error, log or traceback as it is, or the problem in words",
                        },
                        "code": _CODE,
                        "facts": {
                            "description": "the facts of the machine that trains, as 'tfhelp collect' prints them",
                            "allOf": [{"$ref": REFERENCE + "Facts"}],
                        },
                        "replies": {
                            "type": "object",
                            "description": "replies to the questions of the last answer (ask_for), by their fact: the reply of an "
                            "option, a value, 'not there', or what the question's command printed",
                            "additionalProperties": _REPLY,
                        },
                        "top": {
                            "type": "integer",
                            "description": f"how many entries to name at most, 1 to {MOST_ANSWERS}",
                            "minimum": 1,
                            "maximum": MOST_ANSWERS,
                            "default": 3,
                        },
                        "keep": _KEEP,
                    },
                },
                "example": {
                    "text": "ResourceExhaustedError: OOM when allocating tensor with shape[64,112,112,64] and type float on GPU:0",
                    "facts": {"os": {"name": "linux"}, "packages": {"tensorflow": "2.16.1"}},
                },
            },
            "text/plain": {"schema": {"type": "string", "description": "the text itself"}},
            "application/octet-stream": {
                "schema": {
                    "type": "string",
                    "format": "binary",
                    "description": "a log, also compressed, a notebook, a script, or the output of tfhelp collect",
                }
            },
        },
    },
}

FEEDBACK: Json = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["token", "said"],
                    "properties": {
                        "token": {
                            "type": "string",
                            "description": "the last part of the answer's link",
                            "pattern": "^[A-Za-z0-9_-]{16,64}$",
                        },
                        "said": {"enum": list(typing.get_args(Said)), "description": "whether it helped"},
                        "words": {
                            "type": "string",
                            "description": "what it was instead, or what was changed",
                            "maxLength": LONGEST["words"],
                        },
                        "by": {"type": "string", "description": "a name", "maxLength": LONGEST["by"]},
                        "cause": {
                            "type": "string",
                            "description": "the cause that it was, as `entry/cause`",
                            "maxLength": LONGEST["cause"],
                        },
                    },
                },
                "example": {
                    "token": "TOKEN",
                    "said": "helped",
                    "words": "half the batch",
                    "cause": "gpu-out-of-memory/batch-or-model-too-large",
                },
            }
        },
    }
}


class KeptAnswer(typing.TypedDict):
    """A kept answer, redacted. ``at``: when it was kept, in seconds since 1970, UTC. ``link``: its page."""

    token: str
    link: str
    at: float
    answer: "Answer"


class Noted(typing.TypedDict):
    """Feedback that was noted."""

    token: str
    said: Said


class EntrySummary(typing.TypedDict):
    """An entry in the list."""

    id: str
    family: str
    title: str
    severity: str
    causes: list[dict[str, str]]


class Entries(typing.TypedDict):
    """All entries, by family and id."""

    entries: list[EntrySummary]
    kb_version: str


class Ready(typing.TypedDict):
    """The service is ready. ``diagnosis``: ok. ``memory``: ok, or what is wrong with it."""

    status: str
    kb_version: str
    diagnosis: str
    memory: str


class Health(typing.TypedDict):
    """Versions and state. ``index``: its state and model. ``slack``: whether the app is set up."""

    status: str
    version: str
    api_version: str
    python: str
    kb_version: str
    entries: int
    index: dict[str, typing.Any]
    slack: typing.Any


def api_schemas() -> Json:
    """All schemas, by name."""
    schema = Facts.model_json_schema(ref_template=REFERENCE + "{model}")
    definitions: Json = schema.pop("$defs", {})
    return {**definitions, "Facts": schema, "Error": _error_schema(), **sent_schemas()}


def sent_schemas(closed: bool = False) -> Json:
    """The schemas of what the API sends."""
    from tfhelp.kb.compiled_entry import CompiledEntry
    from tfhelp.service.diagnosis.answer import Answer
    from tfhelp.service.run.findings import Findings
    from tfhelp.service.search.search import Hit
    from tfhelp.service.telemetry.status import Status

    sent = (Answer, Hit, Entries, Ready, Health, KeptAnswer, Noted, Status)
    made = schemas_of(*sent, closed=closed, Findings=Findings, Answer=Answer)
    entry = schemas_of(CompiledEntry)
    version = {"type": "string", "description": "version of the knowledge base"}
    found = {"query": {"type": "string"}, "hits": {"type": "array", "items": {"$ref": REFERENCE + "Hit"}}, "kb_version": version}
    # Some parts of the entry have the same names as parts of the answer, so the schemas of the entry's parts begin with Entry.
    return {
        **made,
        **{_of_entry(name): _renamed(schema) for name, schema in entry.items()},
        "Found": {"type": "object", "properties": found, "required": list(found)},
        "Entry": {
            "allOf": [
                {"$ref": REFERENCE + _of_entry("CompiledEntry")},
                {"type": "object", "properties": {"kb_version": version}, "required": ["kb_version"]},
            ]
        },
    }


def _of_entry(name: str) -> str:
    return f"Entry{name.removeprefix('Compiled').removeprefix('Entry')}" if name != "CompiledEntry" else "EntryItself"


def _renamed(schema: typing.Any) -> typing.Any:
    if isinstance(schema, dict):
        return {
            key: REFERENCE + _of_entry(value.removeprefix(REFERENCE)) if key == "$ref" else _renamed(value)
            for key, value in schema.items()
        }
    return [_renamed(item) for item in schema] if isinstance(schema, list) else schema


def _error_schema() -> Json:
    said = "; ".join(f"{code}: {words}" for code, words in sorted(CODES.items()))
    properties = {
        "status": {"type": "integer"},
        "code": {"enum": sorted(CODES), "description": said},
        "path": {"type": "string", "description": "key or parameter that is wrong, empty where none is"},
        "reason": {"type": "string", "description": "for people"},
    }
    number = {"request_id": {"type": "string", "description": "of the request, where the service could not answer it"}}
    error = {"type": "object", "properties": {**properties, **number}, "required": list(properties)}
    return {"type": "object", "properties": {"error": error}, "required": ["error"]}
