import { MINUTE_MS } from '#contract/shared/durations.ts';
import type { Database } from '#db/connections/handles.ts';
import {
  type ClientRow,
  deleteUnusedBeyond,
  findClient,
  storeDocumentClient,
} from '#db/queries/oauth-clients.ts';
import { FairShare } from '#server/platform/limits/fair-share.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { readClientName } from './client-name.ts';
import { isAppRedirectUri } from './redirect-uris.ts';

const MAX_BYTES = 5_120;
/** Of a fetch. The wait for other documents of the same host takes as long at most. */
const TIMEOUT_MS = 3_000;
const FETCHES_PER_MINUTE = 60;
const FETCHES_PER_NETWORK = 10;
/** A stored copy is used this long without a look at its address. */
const FRESH_MS = 60 * MINUTE_MS;
const MAX_UNUSED = 1_000;
const MAX_REDIRECT_URIS = 20;

type Options = Partial<Pick<PublicClientOptions, 'isLoopbackAllowed' | 'ca' | 'lookup'>> & {
  /** Empty: the standard port. */
  port?: string;
  timeoutMs?: number;
};

/**
 * Clients whose id is the URL of their metadata (Client ID Metadata Documents). People who are not
 * signed in can cause a fetch, so there are few: only from public addresses, one at a time for each
 * host. The last good copy remains in the database, because a client must not lose its grants while
 * its website is down.
 */
export class ClientDocuments {
  readonly #http;
  readonly #port: string;
  readonly #timeoutMs: number;
  /** By host. */
  readonly #pending = new Map<string, { id: string; done: Promise<void> }>();
  readonly #failedAt = new Map<string, number>();
  #minute = { startedAt: -Infinity, fetches: new FairShare(0) };

  constructor({
    port = '',
    timeoutMs = TIMEOUT_MS,
    isLoopbackAllowed = () => false,
    ...options
  }: Options = {}) {
    this.#port = port;
    this.#timeoutMs = timeoutMs;
    this.#http = createPublicClient({
      isHostAllowed: () => true,
      isLoopbackAllowed,
      maxResponseBytes: MAX_BYTES,
      ...options,
    });
  }

  isDocumentUrl(id: string): boolean {
    const url = id.length <= 500 ? URL.parse(id) : null;
    return (
      url?.protocol === 'https:' &&
      url.href === id &&
      url.port === this.#port &&
      url.pathname !== '/' &&
      `${url.username}${url.password}${url.hash}` === ''
    );
  }

  /** `network` of the browser that causes the fetch. */
  async find(
    db: Database,
    id: string,
    { serverName, network }: { serverName: string; network: string },
  ): Promise<ClientRow | undefined> {
    const stored = await findClient(db, id);
    const age = stored?.fetched_at ? Date.now() - stored.fetched_at.getTime() : Infinity;
    if (age < FRESH_MS) return stored;
    await this.#refresh(id, network, async () => {
      const document = await this.#fetch(id, serverName);
      if (!document) return false;
      await storeDocumentClient(db, document);
      await deleteUnusedBeyond(db, 'document', MAX_UNUSED);
      return true;
    });
    return findClient(db, id);
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  async #refresh(id: string, network: string, fetch: () => Promise<boolean>): Promise<void> {
    const { host } = new URL(id);
    const startedAt = performance.now();
    for (let other = this.#pending.get(host); other; other = this.#pending.get(host)) {
      await other.done;
      if (other.id === id || performance.now() - startedAt > this.#timeoutMs) return;
    }
    if (!this.#mayFetch(id, network)) return;
    const done = fetch()
      .catch(() => false)
      .then((isStored) => {
        this.#pending.delete(host);
        if (!isStored) this.#failedAt.set(id, performance.now());
      });
    this.#pending.set(host, { id, done });
    await done;
  }

  #mayFetch(id: string, network: string): boolean {
    const now = performance.now();
    if (now - (this.#failedAt.get(id) ?? -Infinity) < MINUTE_MS) return false;
    if (now - this.#minute.startedAt >= MINUTE_MS) {
      const fetches = new FairShare(FETCHES_PER_MINUTE, FETCHES_PER_NETWORK);
      this.#minute = { startedAt: now, fetches };
      for (const [failed, at] of this.#failedAt)
        if (now - at >= MINUTE_MS) this.#failedAt.delete(failed);
    }
    return this.#minute.fetches.tryAcquire(network);
  }

  async #fetch(id: string, serverName: string) {
    const { status, text } = await this.#http.call({
      method: 'GET',
      url: id,
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(this.#timeoutMs),
    });
    return status === 200 ? readDocument(parseJson(text), id, serverName) : undefined;
  }
}

function readDocument(document: unknown, id: string, serverName: string) {
  const {
    client_id: documentId,
    client_name = '',
    redirect_uris = [],
    token_endpoint_auth_method: method = 'none',
  } = (document ?? {}) as Record<string, unknown>;
  // A secret in a public document is none.
  if (documentId !== id || method !== 'none' || !Array.isArray(redirect_uris)) return undefined;
  const name = readClientName(client_name, serverName);
  const uris = redirect_uris.slice(0, MAX_REDIRECT_URIS);
  if (name === undefined || uris.length === 0 || !uris.every(isAppRedirectUri)) return undefined;
  return { id, name: name || new URL(id).host, redirect_uris: uris };
}
