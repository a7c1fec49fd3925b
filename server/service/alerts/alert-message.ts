import type { AlertCondition } from '../../../contract/alert-condition.ts';
import { alertNumber, alertWords } from '../../../contract/alert-words.ts';
import type { ChatMessage } from '../../../contract/chat-message.ts';

/** Kind of message: the alert fires, that is over, or this is a test. */
type AlertKind = 'firing' | 'recovered' | 'test';

const TITLES: Readonly<Record<AlertKind, string>> = {
  firing: 'Alert',
  recovered: 'Alert over',
  test: 'Test of an alert',
};
const MARKS: Readonly<Record<AlertKind, string>> = { firing: '🔴', recovered: '🟢', test: '🔔' };
/** Characters of a message: paths and names of projects can be long. */
const MAX_LENGTH = 1_500;

/** The text of an alert: a title of one line, then what it is about. */
export function alertText(
  kind: AlertKind,
  { project, value, ...condition }: AlertCondition & { project: string; value: number | null },
): string {
  const now = condition.comparison === 'absent' ? '' : ` It is ${alertNumber(value)} now.`;
  return `${TITLES[kind]}: ${project}\n${alertWords(condition)}.${kind === 'test' ? '' : now}`
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .slice(0, MAX_LENGTH);
}

/** The text as a message of the chat platform, which mentions nobody and draws nothing. */
export function chatMessageOf(text: string): ChatMessage {
  const kind = (['recovered', 'test'] as const).find((each) => text.startsWith(`${TITLES[each]}:`));
  const [title = '', ...rest] = text.split('\n');
  return {
    content: `${MARKS[kind ?? 'firing']} **${escaped(title)}**\n${escaped(rest.join('\n'))}`,
    allowed_mentions: { parse: [] },
  };
}

/** Characters that the platform would read as its markup stand for themselves. */
function escaped(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, String.raw`\$&`);
}
