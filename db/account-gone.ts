/** The account of a key that was valid a moment ago was deleted meanwhile. */
export class AccountGoneError extends Error {
  constructor() {
    super('the account was deleted');
  }
}
