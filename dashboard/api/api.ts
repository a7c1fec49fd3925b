import { Nameplate } from '../../client/src/client.ts';
import { APIConnectionError } from '../../client/src/errors.ts';
import { Login } from '../../client/src/login-operations.ts';
import { ownerOf } from '../../client/src/owner.ts';
import { isReachable } from './connection.ts';
import { SessionClient } from './session-client.ts';

const options = {
  // The browser sends the cookie of the session.
  apiKey: null,
  baseUrl: location.origin,
  // Whoever is at the screen decides whether to try again.
  maxRetries: 0,
  onResponse: () => (isReachable.value = true),
  onError: ({ error }: { error: unknown }) =>
    (isReachable.value = !(error instanceof APIConnectionError)),
};

const anonymous = new Nameplate(options);

/** Calls that sign in, or tell who is signed in: without a session they fail at once. */
export const login = new Login(anonymous);
export const { session: currentSession } = ownerOf(anonymous);

/** The endpoints of the API: `api.site.getSiteStatus()`. */
export const api = new SessionClient(options);

/** The endpoints of the owner contract: `owner.session.listSessions()`. */
export const owner = ownerOf(api);

/** Answer of a call. */
export type Answer<Call extends (input: never) => Promise<unknown>> = Awaited<ReturnType<Call>>;
