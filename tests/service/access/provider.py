"""A small OpenID Connect provider: real keys, real redirects, codes that work once, PKCE; and the ways in which one can cheat."""

import base64
import hashlib
import secrets
import time
import typing
import urllib.parse

from joserfc import jwt
from joserfc.jwk import KeySet, OctKey, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

CLIENT_ID, CLIENT_SECRET = "tfhelp-test", "a-secret-of-the-client-0123456789"
Json = dict[str, typing.Any]


class Provider:
    """Logs in the given person, without asking.

    Attributes:
        issuer: its address; set when it is known.
        back: the only address to which it redirects people.
        person: claims of the person who is logged in.
        changed: claims that an id token has instead of the right ones; None leaves one out.
        signed_by: ``own`` key, a ``foreign`` key, the client's ``secret``, or ``nothing``.
        only_userinfo: claims that only the userinfo endpoint returns.
        asked: parameters of each login request.
    """

    def __init__(self) -> None:
        self.issuer = self.back = ""
        self.person: Json = {"sub": "u-1", "email": "ana@example.org", "email_verified": True}
        self.changed: Json = {}
        self.signed_by = "own"
        self.only_userinfo: Json = {}
        self.told_issuer = ""
        self.asked: list[dict[str, str]] = []
        self._key = RSAKey.generate_key(2048, {"kid": "k1", "alg": "RS256", "use": "sig"})
        self._other = RSAKey.generate_key(2048, {"kid": "k1", "alg": "RS256", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}
        self._access: set[str] = set()
        self.app = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._about),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/keys", self._keys),
                Route("/userinfo", self._userinfo),
            ]
        )

    def _about(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.told_issuer or self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "response_types_supported": ["code"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
                "code_challenge_methods_supported": ["S256"],
            }
        )

    def _keys(self, _: Request) -> Response:
        return JSONResponse(KeySet([self._key]).as_dict(private=False))

    def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        self.asked.append(asked)
        right = {"client_id": CLIENT_ID, "redirect_uri": self.back, "response_type": "code", "code_challenge_method": "S256"}
        if any(asked.get(name) != value for name, value in right.items()) or not asked.get("nonce"):
            return Response("not such a client", 400)
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        return RedirectResponse(f"{self.back}?{urllib.parse.urlencode({'code': code, 'state': asked['state']})}", 302)

    async def _token(self, request: Request) -> Response:
        form = await request.form()
        asked = self._codes.pop(str(form.get("code")), None)
        verifier = hashlib.sha256(str(form.get("code_verifier")).encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        known = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if (
            asked is None
            or asked["code_challenge"] != challenge
            or request.headers.get("authorization") != f"Basic {known}"
            or form.get("redirect_uri") != self.back
        ):
            return JSONResponse({"error": "invalid_grant"}, 400)
        access = secrets.token_urlsafe(16)
        self._access.add(access)
        token = {"access_token": access, "token_type": "Bearer", "expires_in": 600}
        return JSONResponse({**token, "id_token": self._signed(self._claims(asked["nonce"]))})

    def _claims(self, nonce: str) -> Json:
        now = int(time.time())
        right = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **self.person,
            **self.changed,
        }
        return {name: value for name, value in right.items() if value is not None}

    def _signed(self, claims: Json) -> str:
        if self.signed_by == "nothing":
            header, body = (base64.urlsafe_b64encode(_json(part)).rstrip(b"=").decode() for part in ({"alg": "none"}, claims))
            return f"{header}.{body}."
        if self.signed_by == "secret":
            return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(CLIENT_SECRET))
        key = self._key if self.signed_by == "own" else self._other
        return jwt.encode({"alg": "RS256", "kid": "k1"}, claims, key)

    def _userinfo(self, request: Request) -> Response:
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self._access:
            return JSONResponse({"error": "invalid_token"}, 401)
        return JSONResponse({**self.person, **self.only_userinfo})


def _json(document: Json) -> bytes:
    import json

    return json.dumps(document).encode()
