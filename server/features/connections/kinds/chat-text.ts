import type { EventMessage } from '../event-message.ts';

export const EMOJI: Readonly<Record<EventMessage['tone'], string>> = {
  firing: '🔴',
  recovered: '🟢',
  news: '🔔',
};

/**
 * For chats that find mentions and Markdown links in plain text and know no escape for them. Users
 * choose the names in the text, so a zero-width space breaks `@all` and `[text](url)`.
 */
export function chatText({ tone, title, text, url }: EventMessage): string {
  const message = `${EMOJI[tone]} ${title}\n${text}`;
  return `${message.replace(/@|\](?=\()/g, '$&\u200B')}\n${url}`;
}
