import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { SIGN_ON_REFUSALS } from '#contract/sign-on-refusals.ts';
import type { Database } from '#db/schema.ts';
import { networkOf } from '../http/access/address.ts';
import { originOf } from '../http/access/public-origin.ts';
import type { Rates } from '../http/access/rate-limits.ts';
import type { SessionCookie } from '../http/access/session-cookie.ts';
import { signedInCaller, type SignIns } from '../http/access/signed-in.ts';
import { type PageFrame, renderPage } from '../http/answers/page.ts';
import { networkQueue } from '../limits/fair-queue.ts';
import type { DisplayNameDeps } from '../features/names/change-display-name.ts';
import { refuserOf } from '../refusal.ts';
import { requirePermissionToAddLogin } from '../features/sessions/recent-login.ts';
import { linkIdentity, signIn } from '../features/sign-on/sign-in.ts';
import { type SignOnFlow, SignOnFlows } from '../features/sign-on/sign-on-flow.ts';
import { type AuthenticatedUser, SignOnError } from '../features/sign-on/identity-provider.ts';
import type { SignOn } from '../features/sign-on/sign-on.ts';
import { html } from '#page/html.ts';

const refuse = refuserOf(SIGN_ON_REFUSALS);

const START = '/dashboard/sign-on';
const CALLBACK = `${START}/callback`;
/** Place in the dashboard: it cannot lead elsewhere. */
const PLACE = /^(?:[\w-]+(?:\/[\w-]+)*)?(?:\?[\w.~%&=+,:-]*)?$/;
const MAX_PLACE = 500;

/** Dependencies of single sign-on. */
export interface SignOnDependencies extends SignIns, DisplayNameDeps, PageFrame {
  db: Kysely<Database>;
  rates: Pick<Rates, 'refusedLogins' | 'registrations' | 'signOns'>;
  signOnCookie: SessionCookie;
  /** Undefined if the operator set none up. */
  signOn?: SignOn | undefined;
}

interface Asked {
  Querystring: { to?: unknown; for?: unknown };
}

/** Single sign-on: where a browser leaves for the provider, and where it comes back to. */
export function signOnPages(
  scope: FastifyInstance,
  { signOn, ...dependencies }: SignOnDependencies & { signOn: SignOn },
): void {
  const { db, rates, allowances, publicUrl, cookie, signOnCookie } = dependencies;
  const { provider, name } = signOn;
  const flows = new SignOnFlows(db);
  const queue = networkQueue('sign-ons');
  const redirectUri = () => originOf(scope, publicUrl) + CALLBACK;

  scope.get<Asked>(START, { exposeHeadRoute: false }, async (request, reply) => {
    const tooMany = await rates.signOns.count(request);
    if (tooMany) throw tooMany;
    const { 'sec-fetch-site': site = 'none' } = request.headers;
    if (site !== 'none' && site !== 'same-origin') throw refuse('signOnFromElsewhere');
    const flow = await flowOf(request);
    const { cookie: visit, secrets } = await flows.start(flow);
    const address = await atProvider(request, () =>
      provider.begin(secrets, { redirectUri: redirectUri(), forceLogin: flow.purpose === 'again' }),
    );
    return reply.headers(signOnCookie.setting(visit)).redirect(address, 303);
  });

  scope.get(CALLBACK, { exposeHeadRoute: false }, async (request, reply) => {
    const limited = await rates.refusedLogins.check(request);
    if (limited && queue.isBusy(networkOf(request))) throw limited;
    const { search, searchParams } = new URL(request.url, redirectUri());
    const visit = signOnCookie.tokenIn(request.headers.cookie) ?? '';
    const flow = await flows.finish(visit, searchParams.get('state') ?? '');
    if (!flow) throw (await rates.refusedLogins.count(request)) ?? refuse('signOnExpired');
    reply.headers(signOnCookie.setting(null));
    return atProvider(request, async () => {
      const forceLogin = flow.purpose === 'again';
      const user = await provider.finish(new URL(redirectUri() + search), flow, { forceLogin });
      return finish(flow, user, request, reply);
    });
  });

  /** Visit that a browser asks for. */
  async function flowOf(request: FastifyRequest<Asked>): Promise<SignOnFlow> {
    const { to, for: purpose } = request.query;
    const isPlace = typeof to === 'string' && to.length <= MAX_PLACE && PLACE.test(to);
    if (purpose !== 'again' && purpose !== 'link')
      return { purpose: 'login', to: isPlace ? to : '' };
    const caller = await signedInCaller(request, dependencies);
    if (purpose === 'again') return { purpose, to: '', accountId: caller?.accountId };
    if (caller?.via.kind !== 'session') throw refuse('signOnExpired');
    await requirePermissionToAddLogin(db, caller);
    const sessionToken = cookie.tokenIn(request.headers.cookie);
    return { purpose, to: 'security', accountId: caller.accountId, sessionToken };
  }

  /** Does what the visit was for, and answers with a page. */
  async function finish(
    { purpose, to, accountId, sessionToken }: SignOnFlow,
    user: AuthenticatedUser,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const eventLimit = allowances.events;
    if (purpose === 'link') {
      if (accountId === undefined || sessionToken === undefined) throw refuse('signOnExpired');
      await linkIdentity(db, dependencies.outbox, { accountId, sessionToken }, user, {
        name,
        eventLimit,
      });
      return goOn(reply, `${name} is linked`, to);
    }
    const agent = request.headers['user-agent'];
    const visitor = { agent, network: networkOf(request), eventLimit };
    const countSignUp = async () => {
      const tooMany = await rates.registrations.count(request);
      if (tooMany) throw tooMany;
    };
    const { token } = await signIn(db, dependencies, signOn, user, visitor, {
      accountId,
      countSignUp,
    });
    reply.headers(cookie.setting(token));
    if (purpose === 'login') return goOn(reply, 'You are signed in', to);
    const text = 'Close this tab, and go on where you were.';
    return renderPage(scope, dependencies, { title: 'You are signed in', text });
  }

  /** Waits for the provider in the network's turn; the log gets no more of a failure than its code. */
  async function atProvider<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await queue.run(networkOf(request), work);
    } catch (error) {
      if (!(error instanceof SignOnError)) throw error;
      request.log.warn({ reason: error.code }, 'a single sign-on failed');
      const isAway = error.kind === 'unavailable';
      throw refuse(isAway ? 'signOnUnavailable' : 'signOnRefused', { provider: name });
    }
  }
  /** Goes on from a page of this server: a redirect from another site would not get the session's cookie. */
  function goOn(reply: FastifyReply, title: string, place: string): string {
    const address = `/dashboard/${place}`;
    reply.header('refresh', `0; url=${address}`);
    const body = html`<p class="next"><a class="button primary" href="${address}">Go on</a></p>`;
    return renderPage(scope, dependencies, { title, body });
  }
}
