"""The login for people in a browser, by OpenID Connect: to the issuer and back, with state, nonce and PKCE; and the logout."""

import typing

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from tfhelp.service.access.identity import Who
from tfhelp.service.access.policy import Oidc, Policy, alike
from tfhelp.service.doors.http import sessions
from tfhelp.service.faults import log_fault

if typing.TYPE_CHECKING:
    from tfhelp.service.doors.web.pages import Pages

Claims = typing.Mapping[str, typing.Any]

CALLBACK = "/login/callback"
_DISCOVERY = "/.well-known/openid-configuration"
_SECONDS = 10
_LEEWAY_S = 60
# Only signatures that the issuer's public keys verify. Unsigned tokens, and tokens signed with the client's secret, are refused.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
_TARGET = "next"


class LoginError(Exception):
    """A person may not log in. The message tells them why."""


class Login:
    """This server as a client of an issuer.

    Args:
        policy: a policy with a login.

    Raises:
        ImportError: Authlib or httpx is not installed.
    """

    def __init__(self, policy: Policy) -> None:
        from authlib.integrations.starlette_client import OAuth

        login = policy.login
        assert login is not None
        self._policy = policy
        self._login: Oidc = login
        self._back = policy.place.public_url + CALLBACK
        registry = OAuth()
        registry.register(
            name="issuer",
            client_id=login.client_id,
            client_secret=login.client_secret,
            server_metadata_url=login.issuer + _DISCOVERY,
            client_kwargs={"scope": "openid email profile", "code_challenge_method": "S256", "timeout": _SECONDS},
        )
        self._client: typing.Any = registry.create_client("issuer")

    async def away(self, request: Request, target: str) -> Response:
        """Send the browser to the issuer."""
        await self._check_issuer()
        request.session[_TARGET] = target
        return typing.cast(Response, await self._client.authorize_redirect(request, self._back))

    async def back(self, request: Request) -> str:
        """Log in the user that the issuer sends back, and return the path that the user wanted to open.

        Raises:
            LoginError: the issuer did not send them, or they may not log in.
        """
        from authlib.integrations.starlette_client import OAuthError

        metadata = await self._check_issuer()
        expected = {
            "iss": {"essential": True, "value": metadata["issuer"]},
            "aud": {"essential": True, "value": self._login.client_id},
        }
        try:
            token = await self._client.authorize_access_token(request, claims_options=expected, leeway=_LEEWAY_S)
        except OAuthError as error:
            log_fault("a login", error)
            raise LoginError("The login was not completed, or it was started in another browser.") from None
        claims = token.get("userinfo")
        if not claims:
            raise LoginError("The issuer did not say who you are.")
        who = self._who(await self._with_groups(claims, token, metadata))
        target = sessions.safe_target(str(request.session.get(_TARGET, "/")))
        sessions.begin(request.session, who)
        return target

    async def _check_issuer(self) -> Claims:
        """The issuer's description of itself.

        Raises:
            LoginError: it describes a different issuer.
        """
        metadata: dict[str, typing.Any] = await self._client.load_server_metadata()
        if str(metadata.get("issuer", "")).rstrip("/") != self._login.issuer:
            raise LoginError("The issuer that answers is not the one that --oidc-issuer names.")
        offered = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        metadata["id_token_signing_alg_values_supported"] = [name for name in offered if name in _ALGORITHMS]
        return metadata

    async def _with_groups(self, claims: Claims, token: typing.Any, metadata: Claims) -> Claims:
        """The claims, plus those of the userinfo endpoint if groups or administrators are named and the claims hold no groups."""
        wanted = self._login.groups or self._policy.admins
        if "groups" in claims or not wanted or "userinfo_endpoint" not in metadata:
            return claims
        more: Claims = await self._client.userinfo(token=token)
        if more.get("sub") != claims["sub"]:
            raise LoginError("The issuer named two different users.")
        return {**more, **claims}

    def _who(self, claims: Claims) -> Who:
        """Raises: LoginError: they belong to no domain and no group that may log in."""
        mail = alike(str(claims.get("email", ""))) if claims.get("email_verified") is True else ""
        domain = alike(mail.rpartition("@")[2]) if "@" in mail else ""
        groups = claims.get("groups")
        of = {alike(str(one)) for one in groups} if isinstance(groups, list) else {alike(str(groups))} if groups else set()
        domains, allowed = self._login.domains, self._login.groups
        if (domains or allowed) and not (domain in domains or of & allowed):
            raise LoginError("You are logged in at the issuer, but you may not use this server.")
        shown = mail or str(claims.get("preferred_username") or claims["sub"])
        # A name or an address may be given to somebody else one day; the issuer never reuses a subject.
        return self._policy.person(f"oidc:{self._login.issuer}:{claims['sub']}", shown, [*([mail] if mail else []), *of])


def login_router(policy: Policy, pages: "Pages") -> APIRouter:
    """The login routes; none of them is part of the API's description."""
    login = Login(policy)
    router = APIRouter(include_in_schema=False)

    @router.get("/login")
    async def begin(request: Request) -> Response:
        target = sessions.safe_target(request.query_params.get("next", "/"))
        return await _result_or_error_page(pages, login.away(request, target))

    @router.get(CALLBACK)
    async def end(request: Request) -> Response:
        async def come_in() -> Response:
            return RedirectResponse(await login.back(request), 303)

        return await _result_or_error_page(pages, come_in())

    @router.post("/logout")
    async def logout(request: Request) -> Response:
        request.session.clear()
        return RedirectResponse("/logged-out", 303)

    @router.get("/logged-out")
    async def logged_out() -> Response:
        return pages.page("logged_out.html")

    return router


async def _result_or_error_page(pages: "Pages", step: typing.Awaitable[Response]) -> Response:
    """The result of a login step, or the page that says why the step failed."""
    try:
        return await step
    except LoginError as error:
        return pages.error(403, "You could not log in", str(error), login=True)
    except Exception as error:  # noqa: BLE001 - the issuer is far away: no answer of it may let anybody in by mistake
        log_fault("a login", error)
        return pages.error(503, "You could not log in", "The issuer cannot be asked at the moment.", login=True)
