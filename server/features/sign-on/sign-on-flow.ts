import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { getChallengeSecret, consumeChallenge } from '#db/queries/challenges.ts';
import type { Database } from '#db/connections/handles.ts';
import { FLOW_LIFETIME_MS } from '#server/platform/http/access/session-cookie.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { createToken } from '#server/platform/secrets/token.ts';

const MAX_COOKIE_LENGTH = 2_000;

const FlowFields = z.object({
  /** `again`: a signed-in owner logs in again. `link`: adds the identity to the owner's account. */
  purpose: z.enum(['login', 'again', 'link']),
  /** Dashboard path to open after the login. */
  to: z.string(),
  accountId: z.string().optional(),
  /**
   * Used only for `link`. Someone who stole the database could sign cookies, but would not have a
   * session token.
   */
  sessionToken: z.string().optional(),
});

export type SignOnFlow = z.infer<typeof FlowFields>;

/** These values tie the response of the identity provider to one flow in one browser. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

const StoredFlow = FlowFields.extend({ id: z.string(), startedAt: z.number() });

/**
 * Keeps a flow in a signed cookie. `state`, `nonce` and the PKCE verifier are derived from the
 * cookie with a secret that all servers with the same database share. Only finished flows are
 * stored, so unfinished ones take no space.
 */
export class SignOnFlows {
  readonly #db: Database;
  readonly #loadSecret: () => Promise<Uint8Array>;

  constructor(db: Database) {
    this.#db = db;
    this.#loadSecret = loadOnce(() => getChallengeSecret(db));
  }

  async start(flow: SignOnFlow): Promise<{ cookie: string; secrets: FlowSecrets }> {
    const newFlow = { ...flow, id: createToken(), startedAt: Date.now() };
    const text = Buffer.from(JSON.stringify(newFlow)).toString('base64url');
    const signature = await this.#derive('cookie', text);
    return {
      cookie: `${text}.${signature.toString('base64url')}`,
      secrets: await this.#deriveSecrets(text),
    };
  }

  /**
   * Works once per flow. Resolves to undefined if `cookie` or `state` is wrong or the flow has
   * expired.
   */
  async finish(cookie: string, state: string): Promise<(SignOnFlow & FlowSecrets) | undefined> {
    const [text = '', signature = ''] = cookie.slice(0, MAX_COOKIE_LENGTH).split('.');
    const expected = await this.#derive('cookie', text);
    if (!isEqual(Buffer.from(signature, 'base64url'), expected)) return undefined;
    const secrets = await this.#deriveSecrets(text);
    if (!isEqual(Buffer.from(state), Buffer.from(secrets.state))) return undefined;
    const { startedAt, ...flow } = StoredFlow.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    if (Date.now() - startedAt > FLOW_LIFETIME_MS || !(await consumeChallenge(this.#db, expected)))
      return undefined;
    return { ...flow, ...secrets };
  }

  async #deriveSecrets(text: string): Promise<FlowSecrets> {
    const derive = async (label: string) => (await this.#derive(label, text)).toString('base64url');
    return {
      state: await derive('state'),
      nonce: await derive('nonce'),
      verifier: await derive('verifier'),
    };
  }

  async #derive(label: string, text: string): Promise<Buffer> {
    return createHmac('sha256', await this.#loadSecret())
      .update(`sign-on ${label} ${text}`)
      .digest();
  }
}

function isEqual(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
