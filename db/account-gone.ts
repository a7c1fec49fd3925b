/** The account was deleted after the caller was authenticated. */
export class AccountGoneError extends Error {
  override readonly name = 'AccountGoneError';

  constructor() {
    super('the account was deleted');
  }
}
