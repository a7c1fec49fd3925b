import { type Signal, signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import { CONNECTION_KIND_LIST, type ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import type { Connection, ConnectionList } from './connection-state.ts';

const NTFY_HOST = 'ntfy.sh';

interface Kind {
  title: string;
  iconPath: string;
  description: string;
  /** Kinds without it send to the account itself. */
  address?: { label: string; placeholder: string; hint: string };
  /** Fills in a URL that works as it is. */
  suggestUrl?: () => string;
  /** What to do at the receiver, by the URL. */
  Guide?: ComponentType<{ url: string }>;
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
  ntfy: {
    title: 'ntfy',
    iconPath: ICON_PATHS.bell,
    description: t('A notification on your phone'),
    address: {
      label: t('Topic URL'),
      placeholder: 'https://ntfy.sh/my-topic',
      hint: t(
        'We made up a topic that nobody can guess. Replace it if you have a topic or a server of your own. The operator can allow private addresses with CONNECTION_PRIVATE_ORIGINS.',
      ),
    },
    // Anyone who knows the topic can read its messages.
    suggestUrl: () =>
      `https://${NTFY_HOST}/nameplate-${crypto.randomUUID().replaceAll('-', '').slice(16)}`,
    Guide: TopicGuide,
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
        'Each event is sent there as a POST with JSON. Answer with a status such as 204 within 10 seconds. After adding, you get the key to check the signature with. The operator can allow private addresses with CONNECTION_PRIVATE_ORIGINS.',
      ),
    },
  },
};

/** Why a connection of this kind cannot be added, and what to do. */
export function findObstacle(kind: ConnectionKind, list: ConnectionList): string | undefined {
  if (kind === 'email')
    return list.email === null
      ? t('Confirm an email address under Mail first. Events are mailed to it.')
      : undefined;
  return list.available
    ? undefined
    : t('This server stores no addresses. Its operator has to set ENCRYPTION_KEY first.');
}

/** Names of the fields for the enclosing `Form`. */
export const ADDRESS_FIELDS = ['url', 'token', 'name'] as const;

export interface AddressDraft {
  name: Signal<string>;
  /** By kind, so that what belongs to one is not sent to another. */
  fields: Readonly<Record<ConnectionKind, Record<'url' | 'token', Signal<string>>>>;
}

export function useAddressDraft(): AddressDraft {
  const fields = useMemo(
    () =>
      Object.fromEntries(
        CONNECTION_KIND_LIST.map((kind) => [
          kind,
          { url: signal(KINDS[kind].suggestUrl?.() ?? ''), token: signal('') },
        ]),
      ) as AddressDraft['fields'],
    [],
  );
  return { name: useSignal(''), fields };
}

function defaultName(kind: ConnectionKind, url: string): string {
  return kind === 'webhook' && URL.canParse(url) ? new URL(url).host : KINDS[kind].title;
}

export async function createConnection(
  kind: ConnectionKind,
  { name, fields }: AddressDraft,
  event_types: Connection['event_types'],
) {
  const [url, token] = [fields[kind].url.value.trim(), fields[kind].token.value.trim()];
  const { connection, secret } = await owner.connections.createConnection({
    kind,
    name: name.value.trim() || defaultName(kind, url),
    event_types: [...event_types],
    ...(KINDS[kind].address && { url }),
    ...(token && { token }),
  });
  return { connection: connection as Connection, secret };
}

export function AddressFields({ kind, draft }: { kind: ConnectionKind; draft: AddressDraft }) {
  const { address, Guide, token } = KINDS[kind];
  const fields = draft.fields[kind];
  const url = fields.url.value;
  return (
    <>
      {address && (
        <BoundField
          key={kind}
          signal={fields.url}
          type="url"
          name="url"
          autocomplete="off"
          spellcheck={false}
          {...address}
        />
      )}
      {Guide && <Guide url={url} />}
      {token && (
        <BoundField
          signal={fields.token}
          type="password"
          name="token"
          autocomplete="off"
          {...token}
        />
      )}
      <BoundField
        signal={draft.name}
        name="name"
        label={t('Name (optional)')}
        placeholder={defaultName(kind, url)}
        maxLength={LIMITS.connectionName}
      />
    </>
  );
}

function TopicGuide({ url }: { url: string }) {
  const { host, origin, pathname } = URL.canParse(url) ? new URL(url) : {};
  const topic = pathname?.slice(1);
  if (!topic) return null;
  return (
    <div class="field">
      <p class="label">
        {host === NTFY_HOST
          ? t('In the ntfy app or at ntfy.sh/app, subscribe to this topic')
          : t(
              'In the ntfy app, choose “Use another server”, enter {server}, and subscribe to this topic',
              {
                server: String(origin),
              },
            )}
      </p>
      <div class="code">
        <code>{topic}</code>
        <CopyButton text={topic} label={t('Copy topic')} isIconOnly />
      </div>
    </div>
  );
}
