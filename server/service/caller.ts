/** Who calls: an account, and the way by which it came in. */
export interface Caller {
  accountId: string;
  via: { kind: 'key'; keyId: string };
}
