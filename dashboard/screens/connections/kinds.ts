import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';

interface Kind {
  title: string;
  iconPath: string;
  description: string;
  /** Kinds without it send to the account itself. */
  address?: { label: string; placeholder: string; hint: string; type?: 'text' };
  /** Fills in a URL that works as it is. */
  suggestUrl?: () => string;
  /** Shown while the field has the suggested URL. */
  suggestionHint?: string;
  token?: { label: string; hint: string };
}

export const KINDS: Readonly<Record<ConnectionKind, Kind>> = {
  discord: {
    title: 'Discord',
    iconPath: ICON_PATHS.message,
    description: t('A channel of your server'),
    address: {
      label: t('Webhook URL of the channel'),
      placeholder: 'https://discord.com/api/webhooks/…',
      hint: t(
        'In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL. It is stored encrypted and never shown again.',
      ),
    },
  },
  slack: {
    title: 'Slack',
    iconPath: ICON_PATHS.hash,
    description: t('Also Mattermost, Rocket.Chat'),
    address: {
      label: t('Webhook URL of the channel'),
      placeholder: 'https://hooks.slack.com/services/…',
      hint: t(
        'Slack: an app with Incoming Webhooks. Mattermost and Rocket.Chat: Integrations, incoming webhook. It is stored encrypted and never shown again.',
      ),
    },
  },
  telegram: {
    title: 'Telegram',
    iconPath: ICON_PATHS.send,
    description: t('A chat with your bot'),
    address: {
      label: t('Chat'),
      type: 'text',
      placeholder: '@my_channel',
      hint: t(
        'The name of a public channel, or the number of a chat. First write to the bot, or make it a member of the group or an administrator of the channel.',
      ),
    },
    token: {
      label: t('Bot token'),
      hint: t('@BotFather gives it to you with a new bot. It is stored encrypted.'),
    },
  },
  ntfy: {
    title: 'ntfy',
    iconPath: ICON_PATHS.bell,
    description: t('A notification on your phone'),
    address: {
      label: t('Topic URL'),
      placeholder: 'https://ntfy.sh/my-topic',
      hint: t(
        'Anyone who knows the topic can read it. A server in your own network works once the operator of this server has allowed it.',
      ),
    },
    suggestionHint: t(
      'Nobody can guess this topic. Subscribe to it in the ntfy app or at ntfy.sh/app, or enter the URL of a topic of your own, also at another server.',
    ),
    suggestUrl: () => `https://ntfy.sh/nameplate-${crypto.randomUUID().slice(19).replace('-', '')}`,
    token: {
      label: t('Access token (optional)'),
      hint: t('Only for a topic that needs a login. In ntfy: Account, Access tokens.'),
    },
  },
  email: {
    title: t('Email'),
    iconPath: ICON_PATHS.mail,
    description: t('Your confirmed inbox'),
  },
  webhook: {
    title: t('Webhook'),
    iconPath: ICON_PATHS.api,
    description: t('JSON to your program'),
    address: {
      label: t('URL of your program'),
      placeholder: 'https://shop.example/hooks/nameplate',
      hint: t(
        'Each event is sent there as a POST with JSON. After adding, you get the signing key. A program in your own network works once the operator of this server has allowed it.',
      ),
    },
  },
  apprise: {
    title: 'Apprise',
    iconPath: ICON_PATHS.server,
    description: t('More than 100 services'),
    address: {
      label: t('URL of your Apprise server'),
      placeholder: 'https://apprise.example/notify/my-key',
      hint: t(
        'With the key of a stored configuration. A server in your own network works once the operator of this server has allowed it.',
      ),
    },
    token: {
      label: t('Service URLs (optional)'),
      hint: t('Instead of a key, if the URL ends with /notify: where to send, such as {url}.', {
        url: 'mailtos://jane:password@example.com',
      }),
    },
  },
};
