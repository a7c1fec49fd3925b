interface KindFields {
  /** What it sends to, for the API reference. */
  description: string;
  /** What its URL leads to. Kinds without it send to the account itself. */
  url?: string;
  /** `token`: the owner may set one. `key`: the server creates it, and shows it once. */
  secret?: 'token' | 'key';
  needsToken?: true;
}

const KINDS = {
  discord: { description: 'a Discord webhook', url: 'the Discord webhook' },
  ntfy: {
    description: 'a topic of an ntfy server',
    url: 'the ntfy topic (`https://ntfy.sh/my-topic`)',
    secret: 'token',
  },
  email: { description: 'your confirmed address' },
  webhook: {
    description:
      'signed requests to your program, as https://www.standardwebhooks.com describes them',
    url: 'your program',
    secret: 'key',
  },
} as const satisfies Record<string, KindFields>;

export type ConnectionKind = keyof typeof KINDS;
/** In the order of the dashboard. */
export const CONNECTION_KINDS: Readonly<Record<ConnectionKind, KindFields>> = KINDS;
export const CONNECTION_KIND_LIST = Object.keys(KINDS) as ConnectionKind[];
