import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { hasInvalidParam } from '#server/features/oauth/control-characters.ts';
import type { ProviderRequest } from '#server/features/oauth/oauth.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { registerClient } from '#server/features/oauth/register-client.ts';
import type { Services } from '#server/features/services.ts';
import { createJsonEntryPoint } from '#server/platform/http/entry-point.ts';
import { logAndConvertError } from '#server/platform/http/responses/error-response.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { describeResource, describeServer, REGISTER_PATH } from './metadata.ts';
import { findOAuthServices, type OAuthServices } from './oauth-services.ts';
import { readParams } from './read-form.ts';
import { createTokenLimit } from './token-limit.ts';

/** So small that bodies need no limit of their own (`limitInFlightBytes`). */
const BODY_LIMIT = 16_384;
const METADATA_SECONDS = 300;

/** What programs call. They get OAuth's own errors. */
export function createOAuthPlugin(app: Services): FastifyPluginAsync {
  return createJsonEntryPoint(async (server) => {
    const running = findOAuthServices(app);
    if (!running) return;
    sendOAuthErrors(server);
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_r, body, done) => done(null, body),
    );
    registerMetadata(server, running);
    registerProviderRoutes(server, running);
    registerRegistration(server, running);
  });
}

function sendOAuthErrors(server: FastifyInstance): void {
  server.setErrorHandler((error, request, reply) => {
    const { status, message, headers } = logAndConvertError(error, request);
    const isLimit = status === 429;
    return allowAnyOrigin(reply)
      .status(status)
      .headers(headers)
      .send({
        error: isLimit || status >= 500 ? 'temporarily_unavailable' : 'invalid_request',
        // Our own words are about keys.
        error_description: isLimit ? 'Too many requests. Try again later.' : message,
      });
  });
}

function registerMetadata(server: FastifyInstance, { oauth, instanceStore }: OAuthServices): void {
  const issuer = oauth.issuer!;
  const publish = (path: string, read: () => unknown) => {
    for (const url of [path, `${path}/mcp`]) {
      allowPreflight(server, url, 'GET');
      server.get(url, async (_request, reply) => {
        allowAnyOrigin(reply).header('cache-control', `public, max-age=${METADATA_SECONDS}`);
        return read();
      });
    }
  };
  publish('/.well-known/openid-configuration', () => describeServer(issuer));
  publish('/.well-known/oauth-authorization-server', () => describeServer(issuer));
  publish('/.well-known/oauth-protected-resource', async () => {
    await instanceStore.refresh();
    return describeResource(issuer, instanceStore.current.displayName);
  });
  allowPreflight(server, ROUTES.jwks, 'GET');
  server.get(ROUTES.jwks, async (_request, reply) => {
    allowAnyOrigin(reply).header('cache-control', `public, max-age=${METADATA_SECONDS}`);
    return { keys: await oauth.keys.listPublic() };
  });
}

function registerProviderRoutes(server: FastifyInstance, app: OAuthServices): void {
  const { oauth, rateLimits } = app;
  const limitTokens = createTokenLimit(server);
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method !== 'OPTIONS') await limitTokens(request);
    const params = readParams(request);
    if (hasInvalidParam(params))
      return sendInvalid(request, reply, 'invalid_request', 'Control characters are not allowed.');
    oauth.normalizeResources(params);
    // The library would use up the refresh token or the code first.
    if (params.getAll('resource').some((uri) => uri !== oauth.resource))
      return sendInvalid(request, reply, 'invalid_target', 'This server has no such resource.');
    if (params.get('grant_type') === 'refresh_token') await oauth.dropUngrantedScopes(params);
    const { status, headers, text, error } = await oauth.call(toProviderRequest(request, params));
    if (status >= 400 && status < 500) {
      request.refused = { reason: error ?? 'unauthorized' };
      const limit = await rateLimits.rejectedCredentials.count(request);
      if (limit) throw limit;
    }
    return reply
      .status(status)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(text);
  };
  for (const path of [ROUTES.token, ROUTES.revocation, ROUTES.introspection, ROUTES.userinfo])
    server.route({ method: ['POST', 'OPTIONS'], url: path, handler: handle });
  server.get(ROUTES.userinfo, { exposeHeadRoute: false }, handle);
}

function registerRegistration(server: FastifyInstance, app: OAuthServices): void {
  allowPreflight(server, REGISTER_PATH, 'POST');
  server.post(REGISTER_PATH, async (request, reply) => {
    allowAnyOrigin(reply);
    const limit = await app.rateLimits.oauthRegistrations.count(request);
    if (limit) throw limit;
    await app.instanceStore.refresh();
    const metadata = typeof request.body === 'string' ? parseJson(request.body) : undefined;
    const serverName = app.instanceStore.current.name ?? '';
    const result = await registerClient(app.db, metadata, serverName);
    if ('client' in result) return reply.status(201).send(result.client);
    request.refused = { reason: result.error };
    return reply.status(400).send(result);
  });
}

function toProviderRequest(request: FastifyRequest, params: URLSearchParams): ProviderRequest {
  const { method, headers } = request;
  const path = request.routeOptions.url!;
  const passed = { ...(headers as ProviderRequest['headers']), accept: 'application/json' };
  if (method !== 'POST') return { method: method as 'GET' | 'OPTIONS', path, headers: passed };
  return { method: 'POST', path, headers: passed, payload: params.toString() };
}

function sendInvalid(
  request: FastifyRequest,
  reply: FastifyReply,
  error: string,
  error_description: string,
): FastifyReply {
  request.refused = { reason: error };
  return allowAnyOrigin(reply).status(400).send({ error, error_description });
}

/** Programs in a browser read every response, also when to try again. */
function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'retry-after, www-authenticate',
  });
}

function allowPreflight(server: FastifyInstance, url: string, method: 'GET' | 'POST'): void {
  server.options(url, (_request, reply) =>
    allowAnyOrigin(reply)
      .headers({
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
        'access-control-max-age': '600',
      })
      .status(204)
      .send(),
  );
}
