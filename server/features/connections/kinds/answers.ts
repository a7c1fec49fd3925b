import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import type { Attempt } from './connection-kind.ts';

const PAUSE_SECONDS = 3_600;

/** `gone`: needs another URL or token. `paused`: somebody can undo it at the receiver. */
type Meaning = 'gone' | 'paused' | 'refused';

/** What `<status> <body>` means. Everything else is tried again soon, except 410. */
const MEANINGS: Partial<Record<ConnectionKind, readonly (readonly [RegExp, Meaning])[]>> = {
  slack: [
    // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
    [/^\d+ (no_service|no_service_id|no_active_hooks|no_team|invalid_token)\s*$/, 'gone'],
    [
      /^\d+ (action_prohibited|channel_\w+|posting_to_\w+|team_disabled|user_not_found)\s*$/,
      'paused',
    ],
    [/^400 (invalid_payload|no_text)\s*$/, 'refused'],
    // Rocket.Chat, apps/meteor/app/integrations/server/api/api.ts: deleted, and switched off.
    [/^40\d .*Invalid integration id or token provided/s, 'gone'],
    [/^503 .*"error":\s*"Service Unavailable"/s, 'paused'],
    // Mattermost, server/channels/app/webhook.go: deleted, or its database failed; archived; switched off.
    [/^(4\d\d|501) .*"id":\s*"(web|app|api)\./s, 'paused'],
  ],
  telegram: [
    // https://github.com/tdlib/telegram-bot-api/blob/master/telegram-bot-api/ClientManager.cpp
    [/^401 .*"error_code":\s*401\b/s, 'gone'],
    [/^403 .*"error_code":\s*403\b/s, 'paused'],
    [/^400 .*(can't parse entities|message is too long|message text is empty)/s, 'refused'],
    [
      /^400 .*(chat not found|not enough rights|thread not found|_FORBIDDEN|TOPIC_CLOSED)/s,
      'paused',
    ],
  ],
  // https://docs.ntfy.sh/config/#access-control
  ntfy: [[/^40[13] /, 'paused']],
};

export function interpretFailure(
  kind: ConnectionKind,
  { status, text }: { status: number; text: string },
): Pick<Attempt, 'outcome' | 'retryAfterSeconds'> {
  const [, meaning] = MEANINGS[kind]?.find(([answer]) => answer.test(`${status} ${text}`)) ?? [];
  if (meaning === 'paused') return { outcome: 'failed', retryAfterSeconds: PAUSE_SECONDS };
  return { outcome: meaning ?? (status === 410 ? 'gone' : 'failed') };
}
