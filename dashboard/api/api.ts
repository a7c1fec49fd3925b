import type { contract } from '../../contract/index.ts';
import type { ownerContract } from '../../contract/owner/index.ts';
import type { Calls } from './calls.ts';
import { type Routes, routes } from './routes.ts';
import { send } from './send.ts';

/** The endpoints of the API: `api.site.getSiteStatus()`. */
export const api = callsOf(routes.api) as Calls<typeof contract>;

/** The endpoints of the owner contract: `owner.session.listSessions()`. */
export const owner = callsOf(routes.owner) as Calls<typeof ownerContract>;

/** What a call gives. */
export type Answer<Call extends (input: never) => Promise<unknown>> = Awaited<ReturnType<Call>>;

function callsOf(all: Routes): unknown {
  return mapValues(all, (area) =>
    mapValues(area, (route) => (input?: unknown) => send(route, input)),
  );
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
