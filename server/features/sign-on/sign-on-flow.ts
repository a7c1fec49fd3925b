import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '#db/connections/handles.ts';
import { getChallengeSecret, consumeChallenge } from '#db/queries/challenges.ts';
import { FLOW_LIFETIME_MS } from '#server/platform/http/access/session-cookie.ts';
import { loadOnce } from '#server/platform/load-once.ts';
import { createSecretBox, type SecretBox } from '#server/platform/secrets/secret-box.ts';
import { createToken } from '#server/platform/secrets/token.ts';

const MAX_COOKIE_LENGTH = 2_000;
const SEAL_CONTEXT = 'sign-on';

const FlowFields = z.object({
  /** `again`: a signed-in owner logs in again. `link`: adds the identity to the owner's account. */
  purpose: z.enum(['login', 'again', 'link']),
  /** Dashboard path to open after the login. */
  to: z.string(),
  accountId: z.string().optional(),
  /**
   * Used only for `link`. Someone who stole the database could make cookies, but would not have a
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
 * Keeps a flow in an encrypted cookie. `state`, `nonce` and the PKCE verifier are derived from the
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
    const box = await this.#createBox();
    const cookie = box.seal(JSON.stringify(newFlow), SEAL_CONTEXT).toString('base64url');
    return { cookie, secrets: await this.#deriveSecrets(cookie) };
  }

  /**
   * Works once per flow. Resolves to undefined if `cookie` or `state` is wrong or the flow has
   * expired.
   */
  async finish(cookie: string, state: string): Promise<(SignOnFlow & FlowSecrets) | undefined> {
    const sealed = cookie.slice(0, MAX_COOKIE_LENGTH);
    const text = (await this.#createBox()).open(Buffer.from(sealed, 'base64url'), SEAL_CONTEXT);
    const secrets = await this.#deriveSecrets(sealed);
    if (text === undefined || !isEqual(Buffer.from(state), Buffer.from(secrets.state)))
      return undefined;
    const { startedAt, ...flow } = StoredFlow.parse(JSON.parse(text));
    const isRecent = Date.now() - startedAt <= FLOW_LIFETIME_MS;
    if (!isRecent || !(await consumeChallenge(this.#db, await this.#derive('use', sealed))))
      return undefined;
    return { ...flow, ...secrets };
  }

  async #createBox(): Promise<SecretBox> {
    return createSecretBox(await this.#derive('key', ''));
  }

  async #deriveSecrets(cookie: string): Promise<FlowSecrets> {
    const derive = async (label: string) =>
      (await this.#derive(label, cookie)).toString('base64url');
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
