import type { Answer, owner } from '../api/api.ts';

type Event = Answer<typeof owner.events.listEvents>['events'][number];

const TYPES: Readonly<Record<string, string>> = {
  display_name_updated: 'Display name changed',
  chat_message_sent: 'Chat message sent',
  chat_message_edited: 'Chat message edited',
};

/** What happened, for people; of a kind that is newer than this page, its name. */
export function eventWords({ type, detail }: Event): string {
  const words = TYPES[type] ?? type.replaceAll('_', ' ');
  const { from, to } = detail;
  if (typeof to !== 'string') return words;
  return typeof from === 'string' && from ? `${words} from ${from} to ${to}` : `${words} to ${to}`;
}
