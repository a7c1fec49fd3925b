import { z } from 'zod';
import { ForwardingProviderClient } from './forwarding-provider-client.ts';

const PAGE_SIZE = 50;

const Rule = z.object({
  id: z.string(),
  enabled: z.boolean().optional(),
  matchers: z
    .array(z.object({ type: z.string(), field: z.string().nullish(), value: z.string().nullish() }))
    .default([]),
  actions: z
    .array(z.object({ type: z.string(), value: z.array(z.string()).nullish() }))
    .default([]),
});
export type Rule = z.infer<typeof Rule>;

const CatchAll = Rule.pick({ enabled: true, actions: true });
type CatchAll = z.infer<typeof CatchAll>;

/** `verified` is the time when the owner confirmed the address. */
const Destination = z.object({
  id: z.string(),
  email: z.string().toLowerCase(),
  verified: z.string().nullish(),
});
type Destination = z.infer<typeof Destination>;

export interface CloudflareOptions {
  apiToken: string;
  zoneId: string;
  accountId: string;
  baseUrl?: string | undefined;
}

/** The endpoints of Cloudflare Email Routing that forwarding needs. */
export class CloudflareApi {
  readonly #client: ForwardingProviderClient;
  readonly #rulesPath: string;
  readonly #addressesPath: string;

  constructor({ apiToken, zoneId, accountId, baseUrl }: CloudflareOptions) {
    this.#client = new ForwardingProviderClient({
      baseUrl: baseUrl ?? 'https://api.cloudflare.com/client/v4',
      authorization: `Bearer ${apiToken}`,
      secret: apiToken,
    });
    this.#rulesPath = `/zones/${zoneId}/email/routing/rules`;
    this.#addressesPath = `/accounts/${accountId}/email/routing/addresses`;
  }

  listRules(signal: AbortSignal): Promise<Rule[]> {
    return this.#listAll(this.#rulesPath, Rule, signal);
  }

  async findCatchAll(signal: AbortSignal): Promise<CatchAll> {
    const path = `${this.#rulesPath}/catch_all`;
    return (await this.#client.call({ path, signal }, unwrapResult(CatchAll))).body;
  }

  /** Without an id, adds the rule. */
  async saveRule(
    id: string | undefined,
    rule: Omit<Rule, 'id'> & { name: string },
    signal: AbortSignal,
  ): Promise<Rule> {
    const { body } = await this.#client.call(
      id === undefined
        ? { method: 'POST', path: this.#rulesPath, body: rule, signal }
        : { method: 'PUT', path: `${this.#rulesPath}/${id}`, body: rule, signal },
      unwrapResult(Rule),
    );
    return body;
  }

  async deleteRules(rules: readonly Rule[], signal: AbortSignal): Promise<void> {
    for (const { id } of rules) await this.#delete(`${this.#rulesPath}/${id}`, signal);
  }

  listDestinations(signal: AbortSignal): Promise<Destination[]> {
    return this.#listAll(this.#addressesPath, Destination, signal);
  }

  /** Cloudflare emails a confirmation link to the address. */
  async addDestination(email: string, signal: AbortSignal): Promise<Destination> {
    const { body } = await this.#client.call(
      { method: 'POST', path: this.#addressesPath, body: { email }, signal },
      unwrapResult(Destination),
    );
    return body;
  }

  deleteDestination(id: string, signal: AbortSignal): Promise<void> {
    return this.#delete(`${this.#addressesPath}/${id}`, signal);
  }

  async #listAll<T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T[]> {
    const rows: T[] = [];
    for (let page = 1; ; page += 1) {
      const { body } = await this.#client.call(
        { path: `${path}?page=${page}&per_page=${PAGE_SIZE}`, signal },
        unwrapResult(z.array(schema)),
      );
      rows.push(...body);
      if (body.length < PAGE_SIZE) return rows;
    }
  }

  async #delete(path: string, signal: AbortSignal): Promise<void> {
    const request = { method: 'DELETE', path, signal } as const;
    await this.#client.callAllowingStatuses(request, z.unknown(), [404]);
  }
}

function unwrapResult<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z
    .object({ result: z.unknown() })
    .transform((envelope) => envelope.result)
    .pipe(schema);
}
