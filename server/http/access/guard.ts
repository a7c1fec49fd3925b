import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AUTHORIZATION_REFUSALS, JSON_BODY_REFUSALS } from '#contract/request-refusals.ts';
import { mayCall } from '#contract/scope.ts';
import { type BytesOptions, boundBytes } from '#server/limits/bytes-under-way.ts';
import type { Caller } from '#server/caller.ts';
import type { Authentication } from '#server/features/sessions/authentication.ts';
import type { KeyRejection } from '#server/features/keys/key-checker.ts';
import { type RefusalError, refuserOf } from '#server/refusal.ts';
import type { SessionRejection } from '#server/features/sessions/session-checker.ts';
import { findRoute } from '../contract/adapter.ts';
import { networkOf } from './address.ts';
import { callerOf } from './caller.ts';
import { refuseInWordsOf } from '../answers/error-answer.ts';
import type { Instruments } from '../instruments.ts';
import { refuseOtherSites } from './same-origin.ts';
import type { Rates } from './rate-limits.ts';
import type { SessionCookie } from './session-cookie.ts';

const refuse = refuserOf({ ...AUTHORIZATION_REFUSALS, ...JSON_BODY_REFUSALS });

/** Dependencies of the guard, shared by all entry points. */
export interface Guarding {
  authentication: Authentication;
  cookie: SessionCookie;
  rates: Rates;
  publicUrl?: string | undefined;
  instruments?: Instruments | undefined;
}

type Refused = KeyRejection | SessionRejection;

/**
 * Checks every request that needs a key or a session before its body is read, in this order; `bodies` are
 * those of JSON unless it is said.
 */
export function guard(api: FastifyInstance, guarding: Guarding, bodies?: BytesOptions): void {
  const { authentication, cookie, rates, publicUrl } = guarding;
  const siteProblem = refuseOtherSites(api, publicUrl);
  api.addHook('onRequest', (request, _reply, done) => {
    const admit = (caller: Caller | Refused) => {
      if ('reason' in caller) return refuseKey(caller);
      request.caller = caller;
      done(scopeProblem(caller, request));
    };
    const refuseKey = (refused: Refused) => {
      request.refused = refused;
      const status = refused.reason === 'accountSuspended' ? 403 : 401;
      const answer = (tooMany?: RefusalError) => done(tooMany ?? refuseInWordsOf(request, status));
      rates.refused.count(request).then(answer, done);
    };
    const key = keyIn(request);
    const token = key === undefined ? cookie.tokenIn(request.headers.cookie) : undefined;
    const problem = token === undefined ? undefined : siteProblem(request);
    if (problem) return done(problem);
    const checked: Promise<Caller | Refused> =
      token === undefined ? authentication.keys.check(key) : authentication.sessions.check(token);
    checked.then(admit, done);
  });
  refuseCompressed(api);
  boundBytes(
    api,
    { holderOf: (request) => callerOf(request).accountId, watch: guarding.instruments?.watchBytes },
    bodies,
  );
  if (rates.limitAccount) api.addHook('onRequest', rates.limitAccount);
}

/** An API key in `Authorization`. Other bearer tokens may belong to a proxy. */
const BEARER_KEY = /^Bearer +(np_\S*) *$/i;

/** The API key of a request, from either header; '' if the two differ. */
function keyIn({ headers }: FastifyRequest): string | string[] | undefined {
  const key = headers['x-api-key'];
  const bearer = BEARER_KEY.exec(headers.authorization ?? '')?.[1];
  if (key !== undefined && bearer !== undefined && key !== bearer) return '';
  return key ?? bearer;
}

/** Checks requests that log somebody in, which only pages of this server send. */
export function guardOpen(api: FastifyInstance, guarding: Omit<Guarding, 'authentication'>): void {
  const siteProblem = refuseOtherSites(api, guarding.publicUrl);
  api.addHook('onRequest', (request, _reply, done) => done(siteProblem(request)));
  refuseCompressed(api);
  boundBytes(api, { holderOf: networkOf, watch: guarding.instruments?.watchBytes });
}

/** Refuses a caller that was let in for less. */
function scopeProblem({ scope }: Caller, request: FastifyRequest): RefusalError | undefined {
  const route = findRoute(request);
  return !route || mayCall(scope, route) ? undefined : refuse('insufficientScope', { scope });
}

function refuseCompressed(api: FastifyInstance): void {
  api.addHook('onRequest', (request, _reply, done) => {
    const { 'content-encoding': encoding, 'transfer-encoding': framing = 'chunked' } =
      request.headers;
    const isPlain = encoding === undefined && framing.toLowerCase() === 'chunked';
    done(isPlain ? undefined : refuse('contentEncodingUnsupported'));
  });
}
