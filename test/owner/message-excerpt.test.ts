import { expect, it } from 'vitest';
import { messageExcerpt } from '#server/features/chat/send-message.ts';

it.each([
  ['the text', { content: 'Hello' }, 'Hello'],
  ['one line of several', { content: ' Hello,\n\tworld ' }, 'Hello, world'],
  ['the title of a card', { content: ' ', embeds: [{ title: 'Release 1.2' }] }, 'Release 1.2'],
  ['the text of a card alone', { embeds: [{ title: '', description: 'Now' }] }, 'Now'],
  ['nothing of a message without words', { embeds: [{}] }, ''],
  ['nothing that a database refuses', { content: 'a\u0000b\ud800c' }, 'a b c'],
  ['a hundred characters, none of them cut', { content: '👋'.repeat(200) }, '👋'.repeat(100)],
])('an excerpt of a message is %s', (_, message, excerpt) => {
  expect(messageExcerpt(message)).toBe(excerpt);
});
