import type { ChatMessage } from '../../../contract/chat-message.ts';

/** Maximum length of an excerpt in code points. */
const LENGTH = 100;

/** Beginning of a message on one line, by which its sender recognizes it among the events. */
export function excerptOf({ content, embeds }: ChatMessage): string {
  const [embed] = embeds ?? [];
  const text = [content, embed?.title, embed?.description].find((part) => part?.trim()) ?? '';
  // The database stores neither NUL nor half a character.
  const line = text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return [...line].slice(0, LENGTH).join('');
}
