import type { Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { insertKeyRequests, type NewKeyRequest } from '#db/queries/key-requests.ts';
import { isDataError } from '#db/sql-state.ts';
import type { Core } from '#server/core.ts';
import type { Caller } from '#server/platform/caller.ts';
import type { FinishedRequest } from '#server/platform/http/connection/request-log.ts';
import { ERROR_CODE_HEADER, ERROR_FIELD_HEADER } from '#server/platform/http/responses/headers.ts';
import { WriteBehind } from '#server/platform/limits/write-behind.ts';

const FLUSH_INTERVAL_MS = 1_000;
/** Above it, requests of other accounts are not stored until the next flush. */
const MAX_ACCOUNTS = 1_000;

type PendingRequest = Omit<NewKeyRequest, 'account_id' | 'operation' | 'created_at'> & {
  route: Route;
  finishedAt: number;
};

/**
 * Collects the requests with a key in memory and stores them every second. A server that is killed
 * loses those since the last flush. If an account or all of them send more than are stored, failed
 * requests and the first others are kept: the rest of a flood costs no memory and hardly any time.
 */
export class KeyRequests {
  /** By account. */
  readonly #requests: WriteBehind<PendingRequest[]>;
  /** Pending requests of all accounts that succeeded. */
  #succeeded = 0;

  constructor({ db, log }: Pick<Core, 'db' | 'log'>) {
    this.#requests = new WriteBehind({
      intervalMs: FLUSH_INTERVAL_MS,
      write: async (entries) => {
        this.#succeeded = 0;
        try {
          await insertKeyRequests(db, entries.flatMap(toRows));
        } catch (error) {
          // Writing these again would fail again, and keep those that come after them.
          if (!isDataError(error)) throw error;
          log.error(error);
        }
      },
      merge: (earlier, added) => [...earlier, ...added].slice(0, LIMITS.keyRequestsPerSecond),
      onError: (error) => log.error(error),
      maxKeys: MAX_ACCOUNTS,
    });
  }

  /** Ignores sessions, and paths that are no operation. */
  record({ request, reply, route, status, durationMs, earlyRefusal }: FinishedRequest): void {
    const { caller, refused } = request;
    const accountId = (caller ?? refused)?.accountId;
    const keyId = caller ? callingKey(caller) : refused?.keyId;
    if (keyId === undefined || accountId === undefined || !route) return;
    const isFailed = status >= 400;
    if (!this.#makeRoom(accountId, isFailed)) return;
    const previous = this.#requests.get(accountId)?.at(-1)?.finishedAt ?? 0;
    const finished: PendingRequest = {
      route,
      key_id: keyId,
      status,
      error_code: earlyRefusal?.code ?? textOf(reply.getHeader(ERROR_CODE_HEADER)),
      error: earlyRefusal?.message ?? readError(request.errorBody),
      field: joinFields(textOf(reply.getHeader(ERROR_FIELD_HEADER))),
      duration_ms: Math.round(durationMs),
      left_out: 0,
      x_request_id: request.id,
      user_agent: shorten(request.headers['user-agent']),
      // Two that end in the same millisecond stay in order.
      finishedAt: Math.max(Date.now(), previous + 1),
    };
    this.#requests.add(accountId, [finished]);
    if (!isFailed) this.#succeeded += 1;
  }

  close(): Promise<void> {
    return this.#requests.flush();
  }

  /** Returns false if the request is not stored. A failed one replaces one that succeeded. */
  #makeRoom(accountId: string, isFailed: boolean): boolean {
    const pending = this.#requests.get(accountId) ?? [];
    const isFlood = !isFailed && this.#succeeded >= LIMITS.allKeyRequestsPerSecond;
    if (!isFlood && pending.length < LIMITS.keyRequestsPerSecond) return true;
    const succeeded = isFailed ? pending.findIndex(({ status }) => status < 400) : -1;
    const removed = succeeded >= 0 ? pending.splice(succeeded, 1)[0] : undefined;
    const latest = pending.at(-1);
    if (latest) latest.left_out += 1 + (removed?.left_out ?? 0);
    return removed !== undefined;
  }
}

export function createKeyRequests(app: Pick<Core, 'db' | 'log' | 'requestListeners'>): KeyRequests {
  const keyRequests = new KeyRequests(app);
  app.requestListeners.push((finished) => keyRequests.record(finished));
  return keyRequests;
}

function callingKey({ credential }: Caller): string | undefined {
  if (credential.kind === 'grant') return credential.grantId;
  return credential.kind === 'key' ? credential.keyId : undefined;
}

/** Copies a long text, because a slice would keep all of it in memory. */
function shorten(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent.length <= LIMITS.userAgent) return userAgent ?? null;
  return Buffer.from(userAgent.slice(0, LIMITS.userAgent), 'latin1').toString('latin1');
}

function readError(body = '{}'): string | null {
  const { error } = JSON.parse(body) as { error?: string };
  // A message can quote a query, and PostgreSQL stores no NUL and no half of a surrogate pair.
  return error?.slice(0, LIMITS.keyRequestMessage).toWellFormed().replaceAll('\0', '') ?? null;
}

const textOf = (header: number | string | string[] | undefined) => header?.toString() ?? null;

function joinFields(encodedFields: string | null): string | null {
  // Names in a query can contain NUL, which PostgreSQL cannot store.
  return (
    encodedFields && decodeURIComponent(encodedFields.replaceAll(',', ', ')).replaceAll('\0', '')
  );
}

function toRows([account_id, requests]: [string, PendingRequest[]]): NewKeyRequest[] {
  return requests.map(({ route, finishedAt, ...request }) => ({
    ...request,
    account_id,
    operation: NAMES_BY_ROUTE.get(keyOf(route))!,
    created_at: new Date(finishedAt),
  }));
}

const operations = [contract, ownerContract].flatMap((areas) =>
  Object.entries(areas).flatMap(([area, routes]) =>
    Object.entries<Route>(routes).map(([name, route]) => [`${area}.${name}`, route] as const),
  ),
);
/** Contracts that contain others have copies of their routes. */
const keyOf = ({ method, path }: Route) => `${method} ${path}`;
const NAMES_BY_ROUTE = new Map(operations.map(([name, route]) => [keyOf(route), name]));

export const ROUTES_BY_OPERATION: ReadonlyMap<string, Route> = new Map(operations);
