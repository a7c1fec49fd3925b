import { type APIPromise, type APIResponse, apiPromise } from '../../client/src/api-promise.ts';
import { Nameplate } from '../../client/src/client.ts';
import { APIError, NameplateError } from '../../client/src/errors.ts';
import type { RequestOptions } from '../../client/src/options.ts';
import { uuid } from '../../client/src/uuid.ts';
import type { RECENT_LOGIN_REFUSALS } from '#contract/recent-login.ts';

/** The refusal of a call that takes a login of the last minutes. */
const TOO_OLD: keyof typeof RECENT_LOGIN_REFUSALS = 'reauthenticationRequired';

const NOT_SIGNED_IN = 'Nothing was changed because you did not sign in.';

/** Gives whether somebody has signed in; a call that was refused for want of it is sent again. */
type SignIn = (why: 'ended' | 'proof') => Promise<boolean>;
let signIn: SignIn = () => Promise.resolve(false);

/** Says how somebody signs in. */
export function onSignedOut(wait: SignIn): void {
  signIn = wait;
}

/** A client whose calls wait while somebody signs in again, and are sent once more after that. */
export class SessionClient extends Nameplate {
  /** Idempotency keys of writes that may have been done: the same write is sent with the same key. */
  readonly #undecided = new Map<string, string>();

  override request<T>(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): APIPromise<T> {
    return apiPromise(this.#send<T>(method, path, body, options));
  }

  async #send<T>(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions | undefined,
  ): Promise<APIResponse<T>> {
    const call = `${method} ${path} ${JSON.stringify(body)}`;
    const idempotencyKey = method === 'GET' ? undefined : (this.#undecided.get(call) ?? uuid());
    if (idempotencyKey !== undefined) this.#undecided.set(call, idempotencyKey);
    try {
      const sent = super.request<T>(method, path, body, { ...options, idempotencyKey });
      const answer = await sent.withResponse();
      this.#undecided.delete(call);
      return answer;
    } catch (error) {
      if (!(error instanceof APIError) || error.status >= 500) throw error;
      this.#undecided.delete(call);
      const isTooOld = error.code === TOO_OLD;
      if (error.status !== 401 && !isTooOld) throw error;
      if (!(await signIn(isTooOld ? 'proof' : 'ended'))) throw new NameplateError(NOT_SIGNED_IN);
      return this.#send<T>(method, path, body, options);
    }
  }
}
