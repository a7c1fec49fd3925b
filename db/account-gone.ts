/** The account of a key that was valid a moment ago was deleted meanwhile. */
export class AccountGoneError extends Error {
  override readonly name = 'AccountGoneError';

  constructor() {
    super('the account was deleted');
  }
}
