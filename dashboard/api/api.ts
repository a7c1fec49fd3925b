import { Nameplate } from '#client/client.ts';
import { APIConnectionError } from '#client/errors.ts';
import type { Login } from '#client/generated/login-operations.ts';
import type { Owner } from '#client/owner.ts';
import { withQuery } from '#client/with-query.ts';
import { actingFor } from '../router.ts';
import { language } from '../translate.ts';
import { fetchFromServer, reportUnreachable } from './connection.ts';
import { type Endpoint, routes } from './routes.ts';
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
export const unauthenticatedOwner = operationsOf<Login>(unauthenticatedClient);
export const { sessions: sessionApi } = operationsOf<Owner>(unauthenticatedClient);
/** Leaves the bodies of responses unread. */
export const fileApi = unauthenticatedClient;

/** The public API, such as `api.site.getSiteStatus()`. */
export const api = new SessionClient(options);

/** The owner API, such as `owner.sessions.listSessions()`. */
export const owner = operationsOf<Owner>(api);

export type ResponseOf<Call extends (input: never) => Promise<unknown>> = Awaited<ReturnType<Call>>;

type Fields = Parameters<typeof withQuery>[1];

/**
 * The operations of the SDK without its code for each, because the routes have their methods and
 * paths. They take no options, and lists are one batch.
 */
function operationsOf<Operations>(client: Nameplate): Operations {
  const areas = objectOf((area) =>
    objectOf((operation) => (fields?: Fields) => {
      const [method, path] = routes[`${area}.${operation}` as Endpoint];
      return method === 'GET'
        ? client.request(method, withQuery(path, fields))
        : client.request(method, path, fields);
    }),
  );
  return areas as Operations;
}

function objectOf(get: (name: string) => unknown): object {
  return new Proxy({}, { get: (_target, name: string) => get(name) });
}
