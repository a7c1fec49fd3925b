import type { AlertCondition } from '#contract/alert-condition.ts';
import { formatAlertValue, describeCondition } from '#contract/alert-text.ts';
import type { ChatMessage } from '#contract/chat-message.ts';
import type { JobData } from '#server/jobs/kinds.ts';

/** A message about an alert, for chat or mail. */
export type AlertMessage = JobData['alert-message']['message'];

const TITLES: Readonly<Record<AlertMessage['kind'], string>> = {
  firing: 'Alert',
  recovered: 'Alert over',
  test: 'Test of an alert',
};
const MARKS: Readonly<Record<AlertMessage['kind'], string>> = {
  firing: '🔴',
  recovered: '🟢',
  test: '🔔',
};
/** Characters of a text, in which paths can be long. */
const MAX_LENGTH = 1_250;

export function alertMessage(
  kind: AlertMessage['kind'],
  { project, value, ...condition }: AlertCondition & { project: string; value: number | null },
): AlertMessage {
  const hasNumber = kind !== 'test' && condition.comparison !== 'absent';
  const now = hasNumber ? ` It is ${formatAlertValue(value)} now.` : '';
  const text = `${describeCondition(condition)}.${now}`.slice(0, MAX_LENGTH);
  return { kind, project: withoutControls(project), text: withoutControls(text) };
}

export function alertTitle({ kind }: AlertMessage): string {
  return TITLES[kind];
}

/** The whole message in one line. */
export function alertLine(message: AlertMessage): string {
  return `${alertTitle(message)}: ${message.project}: ${message.text}`;
}

/** Formats a message for the chat platform, without mentions, links or other markup. */
export function chatMessageOf(message: AlertMessage): ChatMessage {
  const title = `${alertTitle(message)}: ${message.project}`;
  return {
    content: `${MARKS[message.kind]} **${escaped(title)}**\n${escaped(message.text)}`,
    allowed_mentions: { parse: [] },
  };
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

/** Escapes the markup of the chat platform. */
function escaped(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, String.raw`\$&`);
}
