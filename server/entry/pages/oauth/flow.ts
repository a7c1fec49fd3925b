import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction, InteractionResults } from 'oidc-provider';
import { inTransaction } from '#db/connections/transaction.ts';
import type { ClientRow } from '#db/queries/oauth-clients.ts';
import type { OAuthServices } from '#server/entry/oauth/oauth-services.ts';
import { type BrowserSession, toSeconds } from '#server/features/oauth/adapter.ts';
import { APP_SCOPES, WEBSITE_SCOPES } from '#server/features/oauth/oauth-scopes.ts';
import type { ProviderResponse } from '#server/features/oauth/oauth.ts';
import { RESUME_COOKIE, ROUTES, WANTED_SCOPE } from '#server/features/oauth/provider.ts';
import { revokeSession } from '#server/features/sessions/end-session.ts';
import { findSignedInCaller } from '#server/platform/http/access/caller.ts';

/** What a website asks of a person, in the browser that started it. */
export interface Flow {
  interaction: Interaction;
  client: ClientRow;
}

export type FlowRequest = FastifyRequest<{ Params: { uid: string } }>;

export async function findSession(
  app: OAuthServices,
  request: FastifyRequest,
): Promise<BrowserSession | undefined> {
  return app.oauth.openSession(await findSignedInCaller(request, app));
}

export async function endSession(
  app: OAuthServices,
  { id, account_id: accountId }: BrowserSession,
): Promise<void> {
  await inTransaction(app.db, (trx) =>
    revokeSession(trx, app, { accountId, sessionId: id, by: id }),
  );
}

/** Undefined if it expired, is over (which deletes the cookie), or was started in another browser. */
export async function findFlow(
  { oauth }: OAuthServices,
  request: FlowRequest,
  reply: FastifyReply,
): Promise<Flow | undefined> {
  const { uid } = request.params;
  const provider = await oauth.loadProvider();
  const { cookies } = provider.createContext(request.raw, reply.raw);
  if (cookies.get(RESUME_COOKIE, { signed: true }) !== uid) return undefined;
  const interaction = await provider.Interaction.find(uid);
  const client = interaction && (await oauth.findClient(String(interaction.params['client_id'])));
  return interaction && client && { interaction, client };
}

/** Whether the session answers the request for a login. */
export function isLoginDone(
  { prompt, params, iat }: Interaction,
  { created_at, authenticated_at }: BrowserSession,
): boolean {
  const startedAt = iat * 1_000;
  const maxAge = Number(params['max_age'] ?? Infinity) * 1_000;
  // A second, because times in tokens have no fractions.
  const isNew = created_at.getTime() >= startedAt - 1_000;
  return prompt.reasons.every((reason) => {
    if (reason === 'no_session') return true;
    if (reason !== 'max_age') return isNew;
    return Date.now() - authenticated_at.getTime() <= Math.max(maxAge, Date.now() - startedAt);
  });
}

/** Whether the person changed the account, or signed out and in, since the question was asked. */
export function hasSessionChanged(
  { session: former }: Interaction,
  session: BrowserSession,
): boolean {
  return former?.uid !== session.id || former.accountId !== session.subject;
}

/** Goes on with the answer to the question. */
export async function resumeFlow(
  { oauth }: OAuthServices,
  request: FastifyRequest,
  interaction: Interaction,
  result: InteractionResults,
  session: BrowserSession | undefined,
): Promise<ProviderResponse> {
  // After a new login, the session differs from the one that asked. The cookies bind the browser.
  if (result.login || result.error) delete interaction.session;
  interaction.result = result.error ? result : { ...interaction.lastSubmission, ...result };
  await interaction.save(interaction.exp - toSeconds(new Date()));
  const path = `${ROUTES.authorization}/${interaction.jti}`;
  return oauth.call({ method: 'GET', path, headers: passedHeaders(request) }, session);
}

export function passedHeaders({ headers }: FastifyRequest): Record<string, string | undefined> {
  return { cookie: headers.cookie, accept: 'application/json' };
}

/** They make the library refuse requests without `openid`. */
const OPENID_PARAMS = [
  'acr_values',
  'claims',
  'claims_locales',
  'id_token_hint',
  'max_age',
  'nonce',
];

/**
 * AI clients get the scopes that the member chooses, whatever they ask for, and tokens for `/mcp`.
 * Websites get no tokens for it.
 */
export function normalizeRequest(
  { oauth }: OAuthServices,
  client: ClientRow | undefined,
  search: string,
): URLSearchParams {
  const params = new URLSearchParams(search);
  const scopes = (params.get('scope') ?? '').split(' ');
  params.delete(WANTED_SCOPE);
  if (!client) return params;
  if (client.kind === 'website') {
    const known = WEBSITE_SCOPES.filter((scope) => scopes.includes(scope));
    params.set('scope', known.join(' '));
    return params;
  }
  for (const name of OPENID_PARAMS) params.delete(name);
  const wanted = APP_SCOPES.filter((scope) => scopes.includes(scope));
  params.set(WANTED_SCOPE, wanted.join(' '));
  const offline = scopes.includes('offline_access') ? ['offline_access'] : [];
  params.set('scope', [...APP_SCOPES, ...offline].join(' '));
  oauth.normalizeResources(params);
  return params;
}

/** The request that the interaction belongs to, to start again with another session. */
export function toRestartPath({ params }: Interaction): string {
  const { [WANTED_SCOPE]: wanted, resource, ...others } = params as Record<string, unknown>;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(others))
    if (typeof value === 'string') query.set(name, value);
  for (const uri of [resource ?? []].flat()) query.append('resource', String(uri));
  if (typeof wanted === 'string') query.set('scope', wanted);
  return `${ROUTES.authorization}?${query.toString()}`;
}
