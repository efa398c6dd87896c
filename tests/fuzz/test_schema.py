"""The API's description holds for every route of a real server: requests generated from it, and requests that it forbids."""

import itertools
import os
import typing

import httpx
import hypothesis
import pytest
import schemathesis
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.service.serving import Server
from tfhelp.service.doors.http.documentation import SEARCH_PARAMETERS

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("TFHELP_SCHEMA_EXAMPLES", "25"))  # for each route and mode; 'make schema-test' asks for more
Mode = schemathesis.GenerationMode
CHECKS: list[typing.Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Keys whose values have rules that no schema expresses; for a body that is not JSON, whether it contains a text.
_SETTLED_LATER = ("facts", "replies", "code", "cause")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[Server]:
    with Server.real("--memory", str(tmp_path_factory.mktemp("memory") / "team.db")) as running:
        yield running


def _kept(server: Server, number: int) -> str:
    """The token of an answer that the server keeps."""
    question = {"text": f"OOM when allocating tensor with shape[{number},112,112,64] on GPU:0"}
    link = httpx.post(f"{server.url}/api/v1/diagnose", json=question, timeout=60).json()["link"]
    return str(link).rpartition("/")[2]


def _checks(mode: Mode, case: schemathesis.Case) -> list[typing.Any]:
    if mode is Mode.NEGATIVE:
        return [*CHECKS, negative_data_rejection]
    settled_later = any(key in case.body for key in _SETTLED_LATER) if isinstance(case.body, dict) else case.method == "POST"
    return CHECKS if settled_later else [*CHECKS, positive_data_acceptance]


def _asked(operation: typing.Any, mode: Mode, server: Server) -> str:
    """Send requests to one route; return deviations from its description, empty if there are none."""
    numbers = itertools.count(2)

    @hypothesis.settings(max_examples=EXAMPLES, suppress_health_check=list(hypothesis.HealthCheck), database=None)
    @hypothesis.given(operation.as_strategy(generation_mode=mode), hypothesis.strategies.booleans())
    def ask(case: schemathesis.Case, own: bool) -> None:
        if own and mode is Mode.POSITIVE and "{token}" in operation.path:
            case.path_parameters["token"] = _kept(server, next(numbers))
        if own and mode is Mode.POSITIVE and operation.path.endswith("/feedback"):
            case.body["token"] = _kept(server, next(numbers))
        case.call_and_validate(checks=_checks(mode, case), timeout=60)

    try:
        ask()
    except Unsatisfiable:  # the route takes no input that could be wrong
        assert mode is Mode.NEGATIVE
    except (Exception, FailureGroup) as error:  # noqa: BLE001 - the next route is tested anyway
        return f"{operation.label}, {mode.name.lower()} requests: {error}"
    return ""


def test_every_route_keeps_what_the_description_says(server: Server) -> None:
    api = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    operations = [result.ok() for result in api.get_all_operations()]
    assert len(operations) > 8
    faults = [_asked(operation, mode, server) for operation in operations for mode in (Mode.POSITIVE, Mode.NEGATIVE)]
    assert not any(faults), "\n\n".join(filter(None, faults))


def test_a_method_that_no_route_has_is_refused(server: Server) -> None:
    paths = httpx.get(f"{server.url}/openapi.json").json()["paths"]
    for path, operations in paths.items():
        for method in {"get", "post", "put", "patch", "delete"} - set(operations):
            answer = httpx.request(method, server.url + path.replace("{", "").replace("}", ""))
            assert answer.status_code == 405 and answer.headers["allow"], (method, path)


def test_a_query_of_blanks_is_refused_as_described(server: Server) -> None:
    assert next(one for one in SEARCH_PARAMETERS if one["name"] == "q")["schema"]["pattern"] == r"\S"
    assert httpx.get(f"{server.url}/api/v1/search", params={"q": "  "}).status_code == 422
