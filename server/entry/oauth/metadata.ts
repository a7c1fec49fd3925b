import { CLAIMS } from '#server/features/oauth/claims.ts';
import { APP_SCOPES, WEBSITE_SCOPES } from '#server/features/oauth/oauth-scopes.ts';
import { AUTH_METHODS, ROUTES } from '#server/features/oauth/provider.ts';

/** The first page of a sign-in. It goes on to the library's own. */
export const AUTHORIZE_PATH = '/oauth/authorize';
export const REGISTER_PATH = '/oauth/register';

/** Written by hand, because the library is not loaded for it. A test compares it with the library's. */
export function describeServer(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: issuer + AUTHORIZE_PATH,
    token_endpoint: issuer + ROUTES.token,
    userinfo_endpoint: issuer + ROUTES.userinfo,
    jwks_uri: issuer + ROUTES.jwks,
    registration_endpoint: issuer + REGISTER_PATH,
    revocation_endpoint: issuer + ROUTES.revocation,
    introspection_endpoint: issuer + ROUTES.introspection,
    end_session_endpoint: issuer + ROUTES.end_session,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [...WEBSITE_SCOPES, ...APP_SCOPES],
    claims_supported: [...Object.values(CLAIMS).flat(), 'auth_time', 'iss', 'sid'],
    claims_parameter_supported: false,
    prompt_values_supported: ['none', 'login', 'consent'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  };
}

/** RFC 9728. */
export function describeResource(issuer: string, name: string): Record<string, unknown> {
  return {
    resource: `${issuer}/mcp`,
    resource_name: name,
    authorization_servers: [issuer],
    scopes_supported: APP_SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${issuer}/docs/mcp.md`,
  };
}
