import { type APIPromise, apiPromise, type BodyState } from './api-promise.ts';
import {
  AccountOperations,
  EmailForwardingOperations,
  HooksOperations,
  SiteOperations,
  StatsOperations,
} from './generated/operations.ts';
import type { Logger } from './logger.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import { send } from './send.ts';
import { resolveSettings, type Settings } from './settings.ts';

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
  /** The personal site: configuration and visibility. */
  readonly site = new SiteOperations(this);
  /** Forwarding of mail to the display-name address. */
  readonly emailForwarding = new EmailForwardingOperations(this);
  /** Projects and their metrics. */
  readonly stats = new StatsOperations(this);
  /** Chat messages, sent through webhooks. */
  readonly hooks = new HooksOperations(this);
  readonly #settings: Settings;

  /** Throws a `NameplateError` if an option is invalid. Sends nothing. */
  constructor(options: ClientOptions = {}) {
    this.#settings = resolveSettings(options);
  }

  /** Receives the log: the option `logger`, or what `NAMEPLATE_LOG` sets. */
  get logger(): Logger | undefined {
    return this.#settings.logger;
  }

  /** Returns a copy of this client with some options changed. */
  withOptions(options: ClientOptions): Nameplate {
    // Not `new Nameplate`: with a self-reference, the bundler would rename the class to `_Nameplate`.
    return new (this.constructor as typeof Nameplate)({ ...this.#settings, ...options });
  }

  /**
   * Calls a path for which this client has no method, with the same authentication, retries and
   * errors. The response must be JSON; for other formats, add `.asResponse()`.
   *
   * @param method - `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.
   * @param path - Begins with a slash; may have a query.
   * @param body - Sent as JSON unless undefined.
   * @param options - Options for this call only.
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
    const bodyState: BodyState = {};
    const response = send(this.#settings, method, path, body, options, bodyState);
    return apiPromise(response, bodyState) as APIPromise<T>;
  }
}
