"""Signs in with Authlib. Prints a URL, reads where the browser got to, and prints the result."""

import json
import sys

from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken
import requests

issuer, client_id, secret, redirect_uri = sys.argv[1:]
server = requests.get(f"{issuer}/.well-known/openid-configuration").json()
session = OAuth2Session(
    client_id,
    secret,
    scope="openid profile email groups offline_access",
    redirect_uri=redirect_uri,
    code_challenge_method="S256",
)
verifier = "v" * 43
url, state = session.create_authorization_url(
    server["authorization_endpoint"], code_verifier=verifier, nonce="n1"
)
print(url, flush=True)
first = session.fetch_token(
    server["token_endpoint"],
    authorization_response=sys.stdin.readline().strip(),
    state=state,
    code_verifier=verifier,
)
keys = JsonWebKey.import_key_set(requests.get(server["jwks_uri"]).json())
claims = jwt.decode(
    first["id_token"],
    keys,
    claims_cls=CodeIDToken,
    claims_options={"iss": {"value": issuer}, "aud": {"value": client_id}},
    claims_params={"nonce": "n1", "client_id": client_id, "access_token": first["access_token"]},
)
claims.validate()
second = session.refresh_token(server["token_endpoint"])
userinfo = session.get(server["userinfo_endpoint"]).json()
session.revoke_token(
    server["revocation_endpoint"], second["refresh_token"], token_type_hint="refresh_token"
)
after = session.get(server["userinfo_endpoint"]).status_code
refreshed = second["refresh_token"] != first["refresh_token"]
print(
    json.dumps(
        {"claims": claims, "userinfo": userinfo, "refreshed": refreshed, "after": after}
    )
)
