import { type APIPromise, apiPromise } from './api-promise.ts';
import {
  AccountOperations,
  EmailForwardingOperations,
  HooksOperations,
  SiteOperations,
  StatsOperations,
} from './operations.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { send } from './send.ts';
import { settingsOf, type Settings } from './settings.ts';

/**
 * A client of a Nameplate server.
 *
 * @example
 * ```ts
 * const client = new Nameplate(); // the key is in NAMEPLATE_API_KEY
 * const { display_name } = await client.account.getDisplayName();
 * ```
 */
export class Nameplate {
  /** The display name of the account. */
  readonly account = new AccountOperations(this);
  /** The personal site: its configuration and its visibility. */
  readonly site = new SiteOperations(this);
  /** Forwarding of mail to the display-name address. */
  readonly emailForwarding = new EmailForwardingOperations(this);
  /** Projects and their metrics. */
  readonly stats = new StatsOperations(this);
  /** The relay to a chat platform's webhooks. */
  readonly hooks = new HooksOperations(this);
  readonly #settings: Settings;

  /** Throws a `NameplateError` if an option cannot be used; nothing is sent yet. */
  constructor(options: ClientOptions = {}) {
    this.#settings = settingsOf(options);
  }

  /** Makes a copy with other settings; those that are not given stay as they are. */
  withOptions(options: ClientOptions): Nameplate {
    // Not by its name: with a reference to itself the bundled class is called `_Nameplate`.
    return new (this.constructor as typeof Nameplate)({ ...this.#settings, ...options });
  }

  /**
   * Calls a path that this client has no method for, with all that it does for the others. The
   * answer must be JSON.
   *
   * @param method - `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
   * @param path - Begins with a slash; may have a query.
   * @param body - Sent as JSON unless undefined.
   * @param options - Settings of this call alone.
   * @example
   * ```ts
   * const { status } = await client.request<{ status: string }>('GET', '/healthz');
   * ```
   */
  request<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): APIPromise<T> {
    return apiPromise(send(this.#settings, method, path, body, options)) as APIPromise<T>;
  }
}
