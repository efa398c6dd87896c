"""The server's own description at ``/openapi.json``: FastAPI's, completed with our schemas and with who may ask."""

import typing

from fastapi import FastAPI

from tfhelp.service.access.policy import Policy
from tfhelp.service.doors.http.access import scope_of
from tfhelp.service.doors.http.arriving import OPEN_PATHS
from tfhelp.service.doors.http.documentation import api_schemas, error_documentation
from tfhelp.service.doors.http.interface import Json

_TOKEN = "token"
_SCHEME: Json = {"type": "http", "scheme": "bearer", "description": "a token that `tfhelp token create` made"}
_UNKNOWN = error_documentation("the request has no token, or its token is not valid")
_NOT_ALLOWED = "the token does not have the scope `{}`, or a page of another site sent the request"
_TOO_MANY = error_documentation("the client sent more requests than it may; `Retry-After` says when to send the next one")


def complete_openapi(app: FastAPI, policy: Policy) -> None:
    """Make the application's description complete.

    Args:
        app: routes may still be added to it.
        policy: of this server. If clients must say who they are, the description names the scheme and the refusals.
    """
    make = app.openapi

    def openapi() -> Json:
        document = make()
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        if "Facts" not in schemas:
            schemas.update(api_schemas())
            _drop_validation_errors(document)
            _add_refusals(document, policy)
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _operations(document: Json) -> typing.Iterator[tuple[str, str, Json]]:
    """Method, path and operation of everything that is described."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield method.upper(), path, operation


def _drop_validation_errors(document: Json) -> None:
    """FastAPI announces a validation error of its own for every path parameter; ours are text and cannot fail."""
    for _, _, operation in _operations(document):
        if operation["responses"].get("422", {}).get("description") == "Validation Error":
            del operation["responses"]["422"]
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)


def _add_refusals(document: Json, policy: Policy) -> None:
    """Describe the token, and the answers to a client that may not ask or asks too often."""
    if policy.tokens and not policy.is_open:
        document["components"]["securitySchemes"] = {_TOKEN: _SCHEME}
    for method, path, operation in _operations(document):
        if path.startswith(OPEN_PATHS):
            continue
        refusals: Json = {}
        if not policy.is_open:
            refusals = {"401": _UNKNOWN, "403": error_documentation(_NOT_ALLOWED.format(scope_of(method, path)))}
            if policy.tokens:
                operation["security"] = [{_TOKEN: []}]
        if policy.rates is not None:
            refusals["429"] = _TOO_MANY
        operation["responses"] = {**refusals, **operation["responses"]}
