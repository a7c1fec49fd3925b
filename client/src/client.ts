import { type APIPromise, apiPromise } from './api-promise.ts';
import {
  operations,
  type AccountOperations,
  type EmailForwardingOperations,
  type HooksOperations,
  type SiteOperations,
  type StatsOperations,
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
  readonly account: AccountOperations;
  /** The personal site: its configuration and its visibility. */
  readonly site: SiteOperations;
  /** Forwarding of mail to the display-name address. */
  readonly emailForwarding: EmailForwardingOperations;
  /** Projects and their metrics. */
  readonly stats: StatsOperations;
  /** The relay to a chat platform's webhooks. */
  readonly hooks: HooksOperations;
  readonly #settings: Settings;

  /** Throws a `NameplateError` if an option cannot be used; nothing is sent yet. */
  constructor(options: ClientOptions = {}) {
    const settings = settingsOf(options);
    this.#settings = settings;
    this.account = area(settings, operations.account);
    this.site = area(settings, operations.site);
    this.emailForwarding = area(settings, operations.emailForwarding);
    this.stats = area(settings, operations.stats);
    this.hooks = area(settings, operations.hooks);
  }

  /** Makes a copy with other settings; those that are not given stay as they are. */
  withOptions(options: ClientOptions): Nameplate {
    return new Nameplate({ ...this.#settings, ...options });
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

type Table = Record<string, readonly [method: string, path: string, hasBody: boolean]>;

// The table and the type are generated from the same contract, which is what makes this sound.
function area<Operations>(settings: Settings, table: Table): Operations {
  const methods = Object.entries(table).map(([name, [method, path, hasBody]]) => {
    // Named and awaiting, so that the stack of a failure says which operation it was.
    const { [name]: call } = {
      [name]: async (body: unknown, options: RequestOptions | undefined) =>
        await send(settings, method, path, body, options),
    };
    return [
      name,
      (...given: unknown[]) => {
        const body = hasBody ? given.shift() : undefined;
        return apiPromise(call!(body, given[0] as RequestOptions));
      },
    ];
  });
  return Object.fromEntries(methods) as Operations;
}
