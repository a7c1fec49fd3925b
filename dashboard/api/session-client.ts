import { type APIPromise, type APIResponse, apiPromise } from '#client/api-promise.ts';
import { Nameplate } from '#client/client.ts';
import { APIError, NameplateError } from '#client/errors.ts';
import type { RequestOptions } from '#client/options.ts';
import { uuid } from '#client/uuid.ts';
import type { RECENT_LOGIN_REFUSALS } from '#contract/recent-login.ts';
import { t } from '../translate.ts';

const RECENT_LOGIN_REQUIRED: keyof typeof RECENT_LOGIN_REFUSALS = 'reauthenticationRequired';

const NOT_SIGNED_IN = t('Nothing was changed because you did not sign in.');

/** Resolves to whether the user signed in. If so, the failed request is sent again. */
type SignInPrompt = (reason: 'sessionEnded' | 'loginTooOld') => Promise<boolean>;
let promptSignIn: SignInPrompt = () => Promise.resolve(false);

export function setSignInPrompt(prompt: SignInPrompt): void {
  promptSignIn = prompt;
}

/** If a request needs a new login, asks the user to sign in, then sends the request again. */
export class SessionClient extends Nameplate {
  /** Idempotency keys of writes whose outcome is unknown. Retrying a write reuses its key. */
  readonly #pendingKeys = new Map<string, string>();

  override request<T>(
    method: string,
    path: string,
    body?: unknown,
    options?: RequestOptions,
  ): APIPromise<T> {
    return apiPromise(this.#send<T>(method, path, body, options), {});
  }

  async #send<T>(
    method: string,
    path: string,
    body: unknown,
    options: RequestOptions | undefined,
  ): Promise<APIResponse<T>> {
    const requestKey = `${method} ${path} ${JSON.stringify(body)}`;
    const idempotencyKey =
      method === 'GET' ? undefined : (this.#pendingKeys.get(requestKey) ?? uuid());
    if (idempotencyKey !== undefined) this.#pendingKeys.set(requestKey, idempotencyKey);
    try {
      const pendingResponse = super.request<T>(method, path, body, { ...options, idempotencyKey });
      const response = await pendingResponse.withResponse();
      this.#pendingKeys.delete(requestKey);
      return response;
    } catch (error) {
      if (!(error instanceof APIError) || error.status >= 500) throw error;
      this.#pendingKeys.delete(requestKey);
      const needsRecentLogin = error.code === RECENT_LOGIN_REQUIRED;
      if (error.status !== 401 && !needsRecentLogin) throw error;
      if (!(await promptSignIn(needsRecentLogin ? 'loginTooOld' : 'sessionEnded')))
        throw new NameplateError(NOT_SIGNED_IN);
      return this.#send<T>(method, path, body, options);
    }
  }
}
