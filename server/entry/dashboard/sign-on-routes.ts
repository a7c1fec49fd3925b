import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { instanceLinks } from '#contract/shared/instance.ts';
import { RETURN_PATH } from '#contract/shared/return-path.ts';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import { html } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import type { Services } from '#server/features/services.ts';
import type { Authentication } from '#server/features/sessions/authentication.ts';
import type { AuthenticatedUser } from '#server/features/sign-on/identity-provider.ts';
import { endProviderSessions } from '#server/features/sign-on/provider-logout.ts';
import { linkIdentity, signIn } from '#server/features/sign-on/sign-in.ts';
import { SignOnError } from '#server/features/sign-on/sign-on-error.ts';
import { type SignOnFlow, SignOnFlows } from '#server/features/sign-on/sign-on-flow.ts';
import type { SignOnProvider } from '#server/features/sign-on/sign-on.ts';
import { findSignedInCaller } from '#server/platform/http/access/caller.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { requirePermissionToAddLogin } from '#server/platform/http/access/recent-login.ts';
import { createLoginContext } from '#server/platform/http/contract/unauthenticated-runner.ts';
import { sendError } from '#server/platform/http/responses/error-response.ts';
import { createPerNetworkQueue, type FairQueue } from '#server/platform/limits/fair-queue.ts';
import { RefusalError, createRefuser } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';
import { acceptForms } from '../pages/form.ts';

const refuse = createRefuser(SIGN_ON_REFUSALS);

const START_PATH = '/dashboard/sign-on';
const CALLBACK_PATH = `${START_PATH}/callback`;
export const LOGOUT_PATH = `${START_PATH}/logout`;
/** In the dashboard, so that the redirect cannot leave this site. */
const DASHBOARD_PATH = /^(?:[\w-]+(?:\/[\w-]+)*\/?)?(?:\?[\w.~%&=+,:-]*)?$/;
const MAX_PATH_LENGTH = 500;
const LOGOUT_FIELDS = { logout_token: 8_000 };
/** The provider may send more parameters. */
const OTHER_LOGOUT_FIELDS = { count: 10, maxNameLength: 50, maxLength: 200 };

interface StartRoute {
  Querystring: { to?: unknown; for?: unknown };
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export function registerSignOnRoutes(
  server: FastifyInstance,
  app: Services,
  signOn: SignOnProvider,
): void {
  const { rateLimits, signOnCookie } = app;
  const { provider } = signOn;
  const flows = new SignOnFlows(app.db);
  const queue = createPerNetworkQueue('sign-ons');
  const redirectUri = () => app.origin() + CALLBACK_PATH;

  server.get<StartRoute>(START_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const rateLimitError = await rateLimits.signOns.count(request);
    if (rateLimitError) throw rateLimitError;
    const { 'sec-fetch-site': site = 'none' } = request.headers;
    if (site !== 'none' && site !== 'same-origin') throw refuse('signOnFromElsewhere');
    const flow = await createFlow(app, request);
    const { cookie: flowToken, secrets } = await flows.start(flow);
    const authorizationUrl = await callProvider(signOn, queue, request, () =>
      provider.begin(secrets, { redirectUri: redirectUri(), forceLogin: flow.purpose === 'again' }),
    );
    return reply.headers(signOnCookie.headerFor(flowToken)).redirect(authorizationUrl, 303);
  });

  server.get(CALLBACK_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const rateLimitError = await rateLimits.refusedLogins.check(request);
    if (rateLimitError && queue.isBusy(clientNetwork(request))) throw rateLimitError;
    const { search, searchParams } = new URL(request.url, redirectUri());
    const flowToken = signOnCookie.readToken(request.headers.cookie) ?? '';
    const flow = await flows.finish(flowToken, searchParams.get('state') ?? '');
    if (!flow) throw (await rateLimits.refusedLogins.count(request)) ?? refuse('signOnExpired');
    reply.headers(signOnCookie.headerFor(null));
    return callProvider(signOn, queue, request, async () => {
      const forceLogin = flow.purpose === 'again';
      const user = await provider.finish(new URL(redirectUri() + search), flow, { forceLogin });
      const finish = flow.purpose === 'link' ? finishLink : finishLogin;
      return finish(app, signOn, flow, user, { request, reply });
    });
  });
}

/** For the provider: OpenID Connect Back-Channel Logout 1.0. */
export function registerLogoutRoute(
  server: FastifyInstance,
  app: Services,
  signOn: SignOnProvider,
): void {
  const { refusedLogouts } = app.rateLimits;
  // A provider that ends all its sessions sends a token for each at once, and does not retry.
  const queue = createPerNetworkQueue('sign-ons', { maxWaiting: 2_000, waitTimeoutMs: 10_000 });
  const readForm = acceptForms(server, LOGOUT_FIELDS, OTHER_LOGOUT_FIELDS);
  server.setErrorHandler(sendError);
  server.post(LOGOUT_PATH, async (request, reply) => {
    const rateLimitError = await refusedLogouts.check(request);
    if (rateLimitError) throw rateLimitError;
    const { logout_token: logoutToken } = readForm(request).values;
    try {
      await callProvider(signOn, queue, request, async () =>
        endProviderSessions(app.db, app, await signOn.provider.verifyLogout(logoutToken)),
      );
    } catch (error) {
      throw (isRefused(error) && (await refusedLogouts.count(request))) || error;
    }
    return reply.send();
  });
}

function isRefused(error: unknown): boolean {
  return error instanceof RefusalError && error.code === 'signOnLogoutInvalid';
}

async function createFlow(
  app: Pick<Core, 'sessionCookie' | 'db'> & { sessions: Authentication },
  request: FastifyRequest<StartRoute>,
): Promise<SignOnFlow> {
  const { to, for: purpose } = request.query;
  const isPath =
    typeof to === 'string' &&
    to.length <= MAX_PATH_LENGTH &&
    (DASHBOARD_PATH.test(to) || RETURN_PATH.test(to));
  if (purpose !== 'again' && purpose !== 'link') return { purpose: 'login', to: isPath ? to : '' };
  const caller = await findSignedInCaller(request, app);
  if (purpose === 'again') return { purpose, to: '', accountId: caller?.accountId };
  if (caller?.credential.kind !== 'session') throw refuse('signOnExpired');
  await requirePermissionToAddLogin(app.db, caller);
  const sessionToken = app.sessionCookie.readToken(request.headers.cookie);
  return { purpose, to: 'settings', accountId: caller.accountId, sessionToken };
}

async function finishLink(
  app: Services,
  signOn: SignOnProvider,
  { to, accountId, sessionToken }: SignOnFlow,
  user: AuthenticatedUser,
  exchange: Exchange,
): Promise<string> {
  if (accountId === undefined || sessionToken === undefined) throw refuse('signOnExpired');
  await linkIdentity(app, { accountId, sessionToken }, user, signOn);
  const title = exchange.request.t('{provider} is linked', { provider: signOn.name });
  return continueTo(app, exchange, { title, path: to });
}

async function finishLogin(
  app: Services,
  signOn: SignOnProvider,
  { purpose, to, accountId }: SignOnFlow,
  user: AuthenticatedUser,
  { request, reply }: Exchange,
): Promise<string> {
  const { t } = request;
  const loginClient = createLoginContext(request, app);
  const countSignUp = async () => {
    const rateLimitError = await app.rateLimits.signUps.count(request);
    if (rateLimitError) throw rateLimitError;
  };
  const { token } = await signIn(app.db, app, signOn, user, loginClient, {
    accountId,
    countSignUp,
  });
  reply.headers(app.sessionCookie.headerFor(token));
  const title = t('You are signed in');
  if (purpose === 'login') return continueTo(app, { request, reply }, { title, path: to });
  const text = t('Close this tab and continue where you were.');
  return renderCardPage(app, { t, title, text });
}

/** Queues calls fairly between networks. Logs only the error code. */
async function callProvider<T>(
  { name }: SignOnProvider,
  queue: FairQueue,
  request: FastifyRequest,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await queue.run(clientNetwork(request), call);
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    const { code: reason, details, refusal } = error;
    request.log.warn({ reason, ...details }, 'a single sign-on failed');
    // The reason is for operators. Members need to know who can help.
    if (refusal === 'signOnNotMember') throw refuse(refusal, { provider: name });
    throw refuse(refusal, { provider: name, reason });
  }
}

/**
 * Uses a page instead of a redirect: after a redirect from another site, browsers would not send
 * the `SameSite=Strict` session cookie.
 */
function continueTo(
  app: Pick<Core, 'instanceStore' | 'origin'>,
  { request: { t }, reply }: Exchange,
  { title, path }: { title: string; path: string },
): string {
  const url = path.startsWith('/') ? path : `/dashboard/${path}`;
  reply.header('refresh', `0; url=${url}`);
  const body = html`<p class="actions">
    <a class="button primary" href="${url}">${t('Continue')}</a>
  </p>`;
  return renderCardPage(app, { t, title, body });
}

export function createSignOnErrorPages({ instanceStore }: Pick<Core, 'instanceStore'>) {
  return (error: RefusalError, t: Translator) => {
    const { code } = error;
    if (!Object.hasOwn(SIGN_ON_REFUSALS, code)) return undefined;
    const links = code === 'signOnNotMember' ? instanceLinks(instanceStore.current, t) : [];
    const contact = links.find(({ name }) => name === 'contact');
    return {
      title: code === 'signOnNotRecent' ? t('Sign in another way') : t('You are not signed in'),
      text: error.messageIn(t),
      body: html`<p class="actions">
        ${code === 'signOnNeedsApplication' && html`<a class="button primary" href="/">${t('Ask to join')}</a>`}
        ${contact && html`<a class="button primary" href="${contact.url}">${contact.label}</a>`}
        <a class="button" href="/dashboard/login">${t('Back to sign in')}</a>
      </p>`,
    };
  };
}
