import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';
import type { Event } from '../../../client/src/generated/owner-operations.ts';
import { type Connection, type Delivery, describeDelivery } from './connection-state.ts';

/** A message in a channel: an event that was delivered, or a message by a person or a program. */
export interface Post {
  id: string;
  author: string;
  iconPath: string;
  text: string;
  created_at: string;
  /** Why it was not sent. Empty if it is on its way. */
  error?: string | undefined;
  isDelivery: boolean;
}

const FAILURE_REASONS: Readonly<Record<string, string>> = {
  chatPlatformFailed: t('Discord could not be reached'),
  chatPlatformRateLimited: t('Discord is limiting messages right now'),
  chatPlatformRefused: t('Discord refused the message'),
  outcomeUnknown: t('Discord did not respond. Check whether the message is there.'),
  webhookNotFound: t('Discord no longer knows the webhook'),
};

const MAX_POSTS = 50;

/** The latest posts of a channel, oldest first. `author` is the name of deliveries. */
export function listPosts(
  { id, target }: Pick<Connection, 'id' | 'target'>,
  author: string,
  { deliveries, events }: { deliveries: readonly Delivery[]; events: readonly Event[] },
): Post[] {
  // A program may send to the same webhook by its URL, whose id is not secret.
  const isInChannel = ({ detail }: Event) =>
    detail['connection_id'] === id ||
    target?.includes(`/webhooks/${String(detail['platform_id'])}/`) === true;
  const sent = deliveries.map(({ id: deliveryId, status, created_at, error, ...event }): Post => ({
    id: deliveryId,
    author,
    created_at,
    isDelivery: true,
    iconPath: ICON_PATHS.bell,
    text: describeDelivery(event),
    error: status === 'delivered' ? undefined : (error ?? ''),
  }));
  return [...sent, ...events.filter(isInChannel).map(messagePost)]
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
    .slice(-MAX_POSTS);
}

function messagePost({ id, type, outcome, detail, key_label, created_at }: Event): Post {
  const text = String(detail['text'] || t('A message that a program sent to the webhook URL'));
  const reason = FAILURE_REASONS[String(detail['code'])] ?? t('Not sent');
  return {
    id,
    created_at,
    isDelivery: false,
    author: key_label ?? t('You'),
    iconPath: key_label === null ? ICON_PATHS.user : ICON_PATHS.api,
    text: type === 'chat_message_edited' ? t('Edited: {text}', { text }) : text,
    error: outcome === 'succeeded' ? undefined : outcome === 'failed' ? reason : '',
  };
}
