import type * as Api from '#client/generated/owner-operations.ts';
import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import { MINUTE_MS } from '#contract/shared/durations.ts';
import type { CarriedEventType } from '#contract/shared/event-types.ts';
import { formatMoment, formatTimeAgo } from '#dashboard/components/format-time-ago.ts';
import { t } from '#dashboard/translate.ts';

// The server is not newer than its dashboard, so there are no other values.
export type Delivery = Api.Delivery & { status: 'pending' | 'delivered' | 'failed' };
export type Connection = Omit<Api.Connection, 'kind' | 'event_types' | 'last_delivery'> & {
  kind: ConnectionKind;
  event_types: readonly CarriedEventType[];
  last_delivery: Delivery | null;
};
export type ConnectionList = Omit<Api.ListConnectionsResponse, 'connections'> & {
  connections: Connection[];
};

interface ConnectionState {
  tone: 'good' | 'bad' | 'off';
  /** One line for the list. */
  text: string;
  /** What happens next, or what the owner can do. */
  advice?: string;
}

/** The worst that is known about the connection. */
export function describeState(connection: Connection, now = new Date()): ConnectionState {
  const { kind, disabled_at, disabled_reason, failing_since, pending } = connection;
  const { next_attempt_at, last_delivery: last } = connection;
  if (disabled_reason === 'gone')
    return {
      tone: 'bad',
      text: t('Switched off: its address or token is no longer valid'),
      advice: t('Switch it on again if the address works now.'),
    };
  if (disabled_at !== null)
    return {
      tone: 'off',
      text: t('Switched off'),
      advice: t('What happens in the meantime is not sent later.'),
    };
  if (connection.target === null)
    return kind === 'email'
      ? {
          tone: 'bad',
          text: t('No confirmed address'),
          advice: t('Events are mailed to the inbox that you confirm in Settings.'),
        }
      : {
          tone: 'bad',
          text: t('Address not readable'),
          advice: t(
            'The encryption key or the settings of the server have changed. The connection works again once an operator restores them.',
          ),
        };
  const { response_status: status = null, error = null } = last ?? {};
  const answer = status === null ? error : t('responds with {status}', { status });
  const withAnswer = (text: string) => [text, answer].filter(Boolean).join(' · ');
  if (failing_since !== null)
    return {
      tone: 'bad',
      text: withAnswer(t('Failing since {time}', { time: formatMoment(failing_since, now) })),
      advice: t(
        '{count, plural, =0 {Nothing is waiting. The next event is sent as usual.} one {# delivery is waiting. The next attempt is {time}.} other {# deliveries are waiting. The next attempt is {time}.}}',
        { count: pending, time: formatNextTry(next_attempt_at, now) },
      ),
    };
  if (!last?.attempted_at)
    return { tone: 'off', text: last ? t('Waiting to be sent') : t('Nothing sent yet') };
  const time = formatTimeAgo(last.attempted_at, now);
  return last.status === 'delivered' && error === null
    ? { tone: 'good', text: t('Delivered {time}', { time }) }
    : {
        tone: 'bad',
        text: withAnswer(t('Failed {time}', { time })),
        advice:
          last.type === 'test'
            ? t('Tests are not repeated. Fix the cause, then send another test.')
            : t('It is not tried again by itself. Fix the cause, then send it again below.'),
      };
}

function formatNextTry(time: string | null, now: Date): string {
  return time !== null && Date.parse(time) - now.getTime() >= MINUTE_MS
    ? formatTimeAgo(time, now)
    : t('in a few seconds');
}

export function carriesAlerts({ event_types, disabled_at }: Connection): boolean {
  return disabled_at === null && event_types.includes('alert_firing');
}

/** The text of the event that the receiver shows. */
export function describeDelivery({ data, summary }: Pick<Delivery, 'data' | 'summary'>): string {
  // The text of an alert has its value, too.
  return 'text' in data ? `${String(data['project'])}: ${String(data['text'])}` : summary;
}

/** Failing connections first, then other problems, and otherwise in the order of the server. */
export function withProblemsFirst(connections: readonly Connection[]): Connection[] {
  const rank = (connection: Connection) =>
    describeState(connection).tone === 'bad' ? Number(connection.failing_since === null) : 2;
  return connections.toSorted((a, b) => rank(a) - rank(b));
}

/** The result of a test or of another attempt in words. */
export function describeResult(kind: ConnectionKind, delivery: Delivery): string {
  const { status, error, response_status, duration_ms } = delivery;
  if (status === 'delivered')
    return kind === 'email'
      ? t('The mail is on its way. Look into your inbox.')
      : t('Delivered: answer {status} after {ms} ms.', {
          status: response_status ?? 'OK',
          ms: duration_ms ?? 0,
        });
  const text = t('Not delivered. {error}', { error: error ?? '' });
  return kind === 'webhook' && [400, 401, 403].includes(response_status ?? 0)
    ? `${text} ${t('If your program checks the signature, give it the key and send a test again.')}`
    : text;
}
