import type { contract } from '../../contract/index.ts';
import type { Calls } from './calls.ts';
import { type Routes, routes } from './routes.ts';
import { send } from './send.ts';

/** The endpoints of the API: `api.site.getSiteStatus()`. */
export const api = callsOf(routes.api) as Calls<typeof contract>;

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
