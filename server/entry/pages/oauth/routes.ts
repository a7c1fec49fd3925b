import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Interaction } from 'oidc-provider';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccounts } from '#db/queries/accounts.ts';
import { type KeptAccountRow, listKeptAccounts } from '#db/queries/keepers.ts';
import type { ClientRow } from '#db/queries/oauth-clients.ts';
import { isOperator } from '#db/queries/operators.ts';
import { findOpenSession } from '#db/queries/sessions.ts';
import { AUTHORIZE_PATH } from '#server/entry/oauth/metadata.ts';
import { findOAuthServices, type OAuthServices } from '#server/entry/oauth/oauth-services.ts';
import { refreshInstance, sendErrorsAsPages } from '#server/entry/pages/shell/page.ts';
import {
  type BrowserSession,
  hashTokenId,
  isOperatorSession,
  toSeconds,
} from '#server/features/oauth/adapter.ts';
import { hasInvalidParam } from '#server/features/oauth/control-characters.ts';
import { createGrant } from '#server/features/oauth/grants.ts';
import type { ProviderResponse } from '#server/features/oauth/oauth.ts';
import { ROUTES, WANTED_SCOPE } from '#server/features/oauth/provider.ts';
import { isOnThisComputer } from '#server/features/oauth/redirect-uris.ts';
import type { Services } from '#server/features/services.ts';
import { guardUnauthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { senderNetwork } from '#server/platform/http/access/client-address.ts';
import { requireOwnHost } from '#server/platform/http/access/hosts.ts';
import { hasRecentLogin } from '#server/platform/http/access/recent-login.ts';
import { createEntryPoint } from '#server/platform/http/entry-point.ts';
import { acceptForms } from '../form.ts';
import { looksAfter } from '../site/looks-after.ts';
import {
  type AppChoice,
  renderNotAllowed,
  renderProblem,
  renderAppConsent,
  renderSignIn,
  renderSignInAgain,
  renderWebsiteConsent,
  sendReturn,
} from './consent-page.ts';
import {
  endSession,
  findFlow,
  findSession,
  type Flow,
  type FlowRequest,
  hasSessionChanged,
  isLoginDone,
  normalizeRequest,
  passedHeaders,
  resumeFlow,
  toRestartPath,
} from './flow.ts';
import { registerLogoutRoutes } from './logout-routes.ts';

const FORM_FIELDS = { action: 10, account: 36, level: 10, page: 10, metrics: 10, operator: 10 };
/** It is stored for an hour, and anybody can send it. */
const MAX_QUERY = 8_192;
const CONSENT_PATH = `${ROUTES.authorization}/:uid/consent`;

/** The pages of a sign-in at another website or of an AI client. None has a script. */
export function createOAuthPagesPlugin(services: Services): FastifyPluginAsync {
  return createEntryPoint(async (server) => {
    const app = findOAuthServices(services);
    if (!app) return;
    sendErrorsAsPages(server, app);
    server.addHook('onRequest', requireOwnHost(app));
    refreshInstance(server, app);
    await server.register(async (child) => registerFlowRoutes(child, app));
    await server.register(async (child) => registerLogoutRoutes(child, app));
  });
}

function registerFlowRoutes(server: FastifyInstance, app: OAuthServices): void {
  const { oauth, rateLimits } = app;
  guardUnauthenticated(server, app);
  const readForm = acceptForms(server, FORM_FIELDS);

  // The session cookie is `SameSite=Strict`, so a request from another site does not carry it. That
  // of a page of ours does.
  server.get(AUTHORIZE_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const { search, searchParams } = new URL(request.url, oauth.issuer);
    if (request.headers.accept === 'application/json') {
      const limit = await rateLimits.signOns.count(request);
      if (limit) throw limit;
      const id = searchParams.get('client_id') ?? '';
      if (!(await oauth.findOrFetchClient(id, senderNetwork(request))))
        return sendUnknownClient(request, reply);
    }
    return sendReturn(app, request, reply, ROUTES.authorization + search);
  });

  server.get(ROUTES.authorization, { exposeHeadRoute: false }, async (request, reply) => {
    const limit = await rateLimits.signOns.count(request);
    if (limit) throw limit;
    const { search, searchParams } = new URL(request.url, oauth.issuer);
    if (search.length > MAX_QUERY || hasInvalidParam(searchParams))
      return sendProblem(app, request, reply, 'invalid_request');
    const client = await oauth.findOrFetchClient(
      searchParams.get('client_id') ?? '',
      senderNetwork(request),
    );
    const query = normalizeRequest(app, client, search);
    const path = `${ROUTES.authorization}?${query.toString()}`;
    const session = await findSession(app, request);
    const response = await oauth.call(
      { method: 'GET', path, headers: passedHeaders(request) },
      session,
    );
    return relay(app, request, reply, response, { client });
  });

  server.get(CONSENT_PATH, { exposeHeadRoute: false }, async (request: FlowRequest, reply) => {
    const flow = await findFlow(app, request, reply);
    if (!flow) return sendProblem(app, request, reply, 'expired');
    return showQuestion(app, request, reply, flow);
  });

  server.post(CONSENT_PATH, async (request: FlowRequest, reply) => {
    const flow = await findFlow(app, request, reply);
    if (!flow) return sendProblem(app, request, reply, 'expired');
    const { interaction } = flow;
    const { values } = readForm(request);
    const session = await findSession(app, request);
    if (values.action === 'cancel') {
      const result = { error: 'access_denied', error_description: 'The person declined.' };
      const response = await resumeFlow(app, request, interaction, result, session);
      return relay(app, request, reply, response, { isAfterForm: true });
    }
    if (values.action === 'again' && session) {
      await endSession(app, session);
      reply.headers(app.sessionCookie.headerFor(null));
    }
    const canAllow =
      values.action === 'allow' &&
      (values.account === '' || UUID_PATTERN.test(values.account)) &&
      session !== undefined &&
      interaction.prompt.name === 'consent' &&
      !hasSessionChanged(interaction, session);
    if (!canAllow) return reply.redirect(request.url, 303);
    return allow(app, request, reply, flow, session, {
      accountId: values.account || session.account_id,
      page: values.page === 'on',
      metrics: values.metrics === 'on',
      all: values.level === 'all',
      operator: values.operator === 'on',
    });
  });
}

async function showQuestion(
  app: OAuthServices,
  request: FlowRequest,
  reply: FastifyReply,
  { interaction, client }: Flow,
): Promise<unknown> {
  const { t } = request;
  const question = { t, client, redirectUri: redirectUriOf(interaction) };
  const session = await findSession(app, request);
  if (!session) return renderSignIn(app, question);
  if (interaction.prompt.name === 'login') {
    if (!isLoginDone(interaction, session)) return renderSignInAgain(app, question);
    const login = { accountId: session.subject, ts: toSeconds(session.authenticated_at) };
    const response = await resumeFlow(app, request, interaction, { login }, session);
    return relay(app, request, reply, response, { client });
  }
  if (hasSessionChanged(interaction, session))
    return reply.redirect(toRestartPath(interaction), 303);
  const account = await app.oauth.findAccount(session.subject, session.id);
  if (interaction.prompt.name !== 'consent' || !account) return renderNotAllowed(app, question);
  const consent = { ...question, subject: session.subject, account };
  if (client.kind === 'website') return renderWebsiteConsent(app, consent, scopesOf(interaction));
  const kept = await listAccounts(app, session);
  const choice = suggestChoice({ interaction, client });
  return renderAppConsent(app, { ...consent, kept }, { accountId: session.account_id, ...choice });
}

/** For which a person may connect apps, their own first. */
async function listAccounts(
  { db, features }: Pick<Services, 'db' | 'features'>,
  { account_id: accountId }: BrowserSession,
): Promise<KeptAccountRow[]> {
  const accounts = await listKeptAccounts(db, accountId);
  return features.off.includes('keepers') ? accounts.slice(0, 1) : accounts;
}

/** Reading, and changing the page if the app asks for it. Never if the app registered itself. */
function suggestChoice({ interaction, client }: Flow): Omit<AppChoice, 'accountId'> {
  const wanted = String(interaction.params[WANTED_SCOPE] ?? '').split(' ');
  const page = client.kind !== 'registered' && wanted.includes('page');
  return { page, metrics: false, all: false, operator: false };
}

async function allow(
  app: OAuthServices,
  request: FlowRequest,
  reply: FastifyReply,
  { interaction, client }: Flow,
  session: BrowserSession,
  choice: AppChoice,
): Promise<unknown> {
  const account = await app.oauth.findAccount(session.subject, session.id);
  if (!account) return sendProblem(app, request, reply, 'expired');
  const { account_id: actorId } = account;
  const isWebsite = client.kind === 'website';
  const redirectUri = redirectUriOf(interaction);
  const credential = { kind: 'session', sessionId: session.id, keyId: undefined } as const;
  if (!isWebsite && choice.all && !(await hasRecentLogin(app.db, { credential })))
    return renderAppConsent(
      app,
      {
        ...{ t: request.t, client, redirectUri, subject: session.subject, account },
        kept: await listAccounts(app, session),
      },
      choice,
      true,
    );
  const accountId = isWebsite ? actorId : choice.accountId;
  const grantId = await inTransaction(app.db, async (trx) => {
    await lockAccounts(trx, [actorId, accountId]);
    // Both may have ended while the lock was awaited. A suspension ends the session, too.
    const current = await findOpenSession(trx, session.id);
    if (!current || !(await looksAfter(trx, app.features, { actorId, accountId })))
      return undefined;
    const mayOperate =
      choice.operator &&
      accountId === actorId &&
      isOperatorSession(current) &&
      (await isOperator(trx, accountId));
    const scopes = isWebsite ? scopesOf(interaction) : toScopes(choice, mayOperate);
    const sessionId = isWebsite ? session.id : null;
    const { id: clientId, name } = client;
    const id = hashTokenId('Grant', interaction.jti).toString('hex', 0, 16);
    const grant = { id, accountId, actorId, clientId, scopes, redirectUri, sessionId };
    const keeper = account.display_name === null ? actorId : `@${account.display_name}`;
    return createGrant(trx, app, {
      ...grant,
      name,
      by: accountId === actorId ? session.id : keeper,
    });
  });
  if (grantId === undefined) return reply.redirect(request.url, 303);
  const response = await resumeFlow(app, request, interaction, { consent: { grantId } }, session);
  return relay(app, request, reply, response, { isAfterForm: true });
}

function toScopes({ page, metrics, all }: AppChoice, mayOperate: boolean): string[] {
  if (all) return ['read', 'all', ...(mayOperate ? ['operator'] : [])];
  return ['read', ...(page ? ['page'] : []), ...(metrics ? ['metrics'] : [])];
}

const scopesOf = ({ params }: Interaction): string[] => String(params['scope'] ?? '').split(' ');
const redirectUriOf = ({ params }: Interaction): string => String(params['redirect_uri']);

/** Sends what the library answers, as a page of ours or as a redirect. */
function relay(
  app: OAuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { location, cookies, error }: ProviderResponse,
  { isAfterForm = false, client }: { isAfterForm?: boolean; client?: ClientRow | undefined } = {},
): unknown {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  if (location === undefined) {
    return sendProblem(app, request, reply, error ?? 'invalid_request');
  }
  const isOwn = location.startsWith('/');
  if (error !== undefined && !isAfterForm && client && !isErrorExpected(request, client, location))
    return sendProblem(app, request, reply, error, location);
  if (isOwn || (!isAfterForm && /^https?:/.test(location))) return reply.redirect(location, 303);
  return sendReturn(app, request, reply, location);
}

/** Others need a click: a link can cause them, and some websites answer them with a new sign-in. */
function isErrorExpected(
  { query }: FastifyRequest,
  { kind }: ClientRow,
  location: string,
): boolean {
  const { prompt } = query as { prompt?: unknown };
  return kind === 'website' ? prompt === 'none' : isOnThisComputer(location);
}

/** Programs such as `mcp-remote` ask whether they have to register again, before they open a browser. */
function sendUnknownClient(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = 'invalid_client';
  request.refused = { reason: error };
  return reply
    .status(401)
    .type('application/json')
    .send({ error, error_description: 'This server does not know the client. Register again.' });
}

function sendProblem(
  app: OAuthServices,
  request: FastifyRequest,
  reply: FastifyReply,
  code: string,
  backUrl?: string,
): FastifyReply {
  request.refused = { reason: code };
  return reply.status(400).send(renderProblem(app, request.t, code, backUrl));
}
