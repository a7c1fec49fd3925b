import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { getChallengeSecret, useChallenge } from '#db/queries/sessions/challenges.ts';
import type { Database } from '#db/schema.ts';
import { loadOnce } from '#server/load-once.ts';
import { createToken } from '#server/token.ts';

/** Time that a user has at the provider, in milliseconds. */
export const FLOW_MS = 600_000;
const MAX_COOKIE = 2_000;

const FlowFields = z.object({
  /** `again` proves a signed-in owner's login anew; `link` adds a login to their account. */
  purpose: z.enum(['login', 'again', 'link']),
  /** Place in the dashboard to go to afterwards. */
  to: z.string(),
  /** Account of the owner who began it. */
  accountId: z.string().optional(),
  /** Token of the session that links: a copy of the database signs cookies but holds no token. */
  sessionToken: z.string().optional(),
});

/** A visit to the provider. */
export type Flow = z.infer<typeof FlowFields>;

/** Values by which the provider's answer is known to belong to one visit of one browser. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  /** PKCE code verifier. */
  verifier: string;
}

const Stored = FlowFields.extend({ id: z.string(), begunAt: z.number() });

/**
 * Visits to the provider. The browser's cookie holds a signed description of its visit; `state`,
 * `nonce` and PKCE verifier are derived from it by a key that all servers of a database share. Only
 * finished visits are stored, so beginning them fills no table.
 */
export class Flows {
  readonly #db: Kysely<Database>;
  readonly #loadSecret: () => Promise<Uint8Array>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
    this.#loadSecret = loadOnce(() => getChallengeSecret(db));
  }

  /** Begins a visit; returns the value of its cookie and its secrets. */
  async begin(flow: Flow): Promise<{ cookie: string; secrets: FlowSecrets }> {
    const stored = { ...flow, id: createToken(), begunAt: Date.now() };
    const text = Buffer.from(JSON.stringify(stored)).toString('base64url');
    const signature = await this.#derive('cookie', text);
    return {
      cookie: `${text}.${signature.toString('base64url')}`,
      secrets: await this.#secretsOf(text),
    };
  }

  /**
   * Finishes the visit that a browser's cookie and the `state` of an answer belong to, once; undefined
   * if there is none, or it took too long.
   */
  async finish(cookie: string, state: string): Promise<(Flow & FlowSecrets) | undefined> {
    const [text = '', signature = ''] = cookie.slice(0, MAX_COOKIE).split('.');
    const expected = await this.#derive('cookie', text);
    if (!isEqual(Buffer.from(signature, 'base64url'), expected)) return undefined;
    const secrets = await this.#secretsOf(text);
    if (!isEqual(Buffer.from(state), Buffer.from(secrets.state))) return undefined;
    const { begunAt, ...flow } = Stored.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    if (Date.now() - begunAt > FLOW_MS || !(await useChallenge(this.#db, expected)))
      return undefined;
    return { ...flow, ...secrets };
  }

  async #secretsOf(text: string): Promise<FlowSecrets> {
    const derive = async (what: string) => (await this.#derive(what, text)).toString('base64url');
    return {
      state: await derive('state'),
      nonce: await derive('nonce'),
      verifier: await derive('verifier'),
    };
  }

  async #derive(what: string, text: string): Promise<Buffer> {
    return createHmac('sha256', await this.#loadSecret())
      .update(`sign-on ${what} ${text}`)
      .digest();
  }
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
