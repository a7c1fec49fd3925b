import { Nameplate } from '#client/client.ts';
import { APIConnectionError } from '#client/errors.ts';
import { Login } from '#client/generated/login-operations.ts';
import { ownerOf } from '#client/owner.ts';
import { actingFor } from '../router.ts';
import { language } from '../translate.ts';
import { fetchFromServer, reportUnreachable } from './connection.ts';
import { SessionClient } from './session-client.ts';

const options = {
  apiKey: null,
  baseUrl: location.origin,
  fetch: fetchFromServer,
  defaultHeaders: {
    'Accept-Language': language,
    ...(actingFor && { 'Nameplate-Account': actingFor }),
  },
  // The user decides whether to retry.
  maxRetries: 0,
  onError: ({ error }: { error: unknown }) => {
    if (error instanceof APIConnectionError) reportUnreachable();
  },
};

const unauthenticatedClient = new Nameplate(options);

/** These clients do not open the sign-in dialog if there is no session. */
export const unauthenticatedOwner = new Login(unauthenticatedClient);
export const { sessions: sessionApi } = ownerOf(unauthenticatedClient);
/** Leaves the bodies of responses unread. */
export const fileApi = unauthenticatedClient;

/** The public API, such as `api.site.getSiteStatus()`. */
export const api = new SessionClient(options);

/** The owner API, such as `owner.sessions.listSessions()`. */
export const owner = ownerOf(api);

export type ResponseOf<Call extends (input: never) => Promise<unknown>> = Awaited<ReturnType<Call>>;
