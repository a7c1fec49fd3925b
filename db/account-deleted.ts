/** The account was deleted after the caller was authenticated. */
export class AccountDeletedError extends Error {
  override readonly name = 'AccountDeletedError';

  constructor() {
    super('the account was deleted');
  }
}
