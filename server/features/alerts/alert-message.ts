import type { AlertCondition } from '#contract/alert-condition.ts';
import { formatAlertValue, describeCondition } from '#contract/alert-text.ts';
import type { ChatMessage } from '#contract/chat-message.ts';
import type { JobData } from '#server/jobs/job-kinds.ts';
import { translatorFor } from '#server/language.ts';

export type AlertMessage = JobData['alert-message']['message'];

const TITLES: Readonly<Record<AlertMessage['kind'], string>> = {
  firing: 'Alert',
  recovered: 'Alert resolved',
  test: 'Test alert',
};
const EMOJI: Readonly<Record<AlertMessage['kind'], string>> = {
  firing: '🔴',
  recovered: '🟢',
  test: '🔔',
};
const MAX_TEXT_LENGTH = 1_250;

export function createAlertMessage(
  kind: AlertMessage['kind'],
  { project, value, ...condition }: AlertCondition & { project: string; value: number | null },
): AlertMessage {
  const t = translatorFor('en');
  const showsValue = kind !== 'test' && condition.comparison !== 'absent';
  const currentValue = showsValue ? ` It is ${formatAlertValue(value, t)} now.` : '';
  const text = `${describeCondition(condition, t)}.${currentValue}`.slice(0, MAX_TEXT_LENGTH);
  return { kind, project: replaceControlCharacters(project), text: replaceControlCharacters(text) };
}

export function getAlertTitle({ kind }: AlertMessage): string {
  return TITLES[kind];
}

export function formatAlertLine(message: AlertMessage): string {
  return `${getAlertTitle(message)}: ${message.project}: ${message.text}`;
}

/** Escapes markup and disables mentions, because users choose the project and field names. */
export function toChatMessage(message: AlertMessage): ChatMessage {
  const title = `${getAlertTitle(message)}: ${message.project}`;
  return {
    content: `${EMOJI[message.kind]} **${escapeMarkdown(title)}**\n${escapeMarkdown(message.text)}`,
    allowed_mentions: { parse: [] },
  };
}

function replaceControlCharacters(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<]/g, String.raw`\$&`);
}
