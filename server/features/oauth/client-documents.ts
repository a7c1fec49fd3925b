import { MINUTE_MS } from '#contract/shared/durations.ts';
import type { Database } from '#db/connections/handles.ts';
import {
  type ClientRow,
  deleteUnusedBeyond,
  findClient,
  storeDocumentClient,
} from '#db/queries/oauth-clients.ts';
import {
  createPublicClient,
  type PublicClientOptions,
} from '#server/platform/outbound/public-client.ts';
import { parseJson } from '#server/platform/outbound/read-response.ts';
import { readClientName } from './client-name.ts';
import { isAppRedirectUri } from './redirect-uris.ts';

const MAX_BYTES = 5_120;
const TIMEOUT_MS = 3_000;
const FETCHES_PER_MINUTE = 60;
/** A stored copy is used this long without a look at its address. */
const FRESH_MS = 60 * MINUTE_MS;
const MAX_UNUSED = 1_000;
const MAX_REDIRECT_URIS = 20;

type Options = Partial<Pick<PublicClientOptions, 'isLoopbackAllowed' | 'ca' | 'lookup'>> & {
  /** Empty: the standard port. */
  port?: string;
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
  readonly #pending = new Map<string, Promise<boolean>>();
  readonly #failedAt = new Map<string, number>();
  #window = { startedAt: 0, fetches: 0 };

  constructor({ port = '', isLoopbackAllowed = () => false, ...options }: Options = {}) {
    this.#port = port;
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

  async find(db: Database, id: string, serverName: string): Promise<ClientRow | undefined> {
    const stored = await findClient(db, id);
    const age = stored?.fetched_at ? Date.now() - stored.fetched_at.getTime() : Infinity;
    if (age < FRESH_MS) return stored;
    return (await this.#refresh(db, id, serverName)) ? findClient(db, id) : stored;
  }

  close(): Promise<void> {
    return this.#http.close();
  }

  /** Resolves to whether there is a new copy. */
  async #refresh(db: Database, id: string, serverName: string): Promise<boolean> {
    const { host } = new URL(id);
    const pending = this.#pending.get(host);
    if (pending) {
      await pending;
      return this.#pending.has(host) ? false : this.#refresh(db, id, serverName);
    }
    const now = performance.now();
    if (now - (this.#failedAt.get(id) ?? -Infinity) < MINUTE_MS) return false;
    if (now - this.#window.startedAt >= MINUTE_MS) {
      this.#window = { startedAt: now, fetches: 0 };
      for (const [failed, at] of this.#failedAt)
        if (now - at >= MINUTE_MS) this.#failedAt.delete(failed);
    }
    if (this.#window.fetches >= FETCHES_PER_MINUTE) return false;
    this.#window.fetches += 1;
    const fetching = this.#fetch(db, id, serverName).catch(() => false);
    this.#pending.set(host, fetching);
    const isStored = await fetching;
    this.#pending.delete(host);
    if (!isStored) this.#failedAt.set(id, performance.now());
    return isStored;
  }

  async #fetch(db: Database, id: string, serverName: string): Promise<boolean> {
    const { status, text } = await this.#http.call({
      method: 'GET',
      url: id,
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const document = status === 200 ? readDocument(parseJson(text), id, serverName) : undefined;
    if (!document) return false;
    await storeDocumentClient(db, document);
    await deleteUnusedBeyond(db, 'document', MAX_UNUSED);
    return true;
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
