interface KindFields {
  /** What it sends to, for the API reference. */
  description: string;
  /** What `url` has to be. Kinds without it send to the account itself. */
  url?: string;
  /** `token`: the owner may set one. `key`: the server creates it, and shows it once. */
  secret?: 'token' | 'key';
  needsToken?: true;
}

const KINDS = {
  discord: { description: 'a Discord webhook', url: 'the URL of the Discord webhook' },
  slack: {
    description: 'an incoming webhook of Slack, Mattermost or Rocket.Chat',
    url: 'the URL of the incoming webhook',
  },
  telegram: {
    description: 'a chat that a Telegram bot writes to',
    url: 'the number of the chat or the name of a channel (`@my_channel`), or the URL of the method with its parameters (`https://api.telegram.org/sendMessage?chat_id=-100123&message_thread_id=7`)',
    secret: 'token',
    needsToken: true,
  },
  ntfy: {
    description: 'a topic of an ntfy server',
    url: 'the URL of the ntfy topic (`https://ntfy.sh/my-topic`)',
    secret: 'token',
  },
  email: { description: 'your confirmed address' },
  webhook: {
    description:
      'signed requests to your program, as https://www.standardwebhooks.com describes them',
    url: 'the URL of your program',
    secret: 'key',
  },
  apprise: {
    description: 'an Apprise server, which sends to more than 100 services',
    url: 'the URL of a stored configuration (`https://apprise.example/notify/my-key`), or `…/notify` with the URLs of the services as `token`',
    secret: 'token',
  },
} as const satisfies Record<string, KindFields>;

export type ConnectionKind = keyof typeof KINDS;
/** In the order of the dashboard. */
export const CONNECTION_KINDS: Readonly<Record<ConnectionKind, KindFields>> = KINDS;
export const CONNECTION_KIND_LIST = Object.keys(KINDS) as ConnectionKind[];
