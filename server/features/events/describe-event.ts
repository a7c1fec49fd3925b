import type { DeliveredEventType } from '#contract/shared/event-types.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { listApiKeys } from '#db/queries/api-keys.ts';
import type { EventRow } from '#db/queries/events.ts';
import { OPERATOR_ACTOR, SIGN_ON_ACTOR } from '#server/platform/caller.ts';
import type { Translator } from '#translations/translator.ts';
import {
  describeServerWeek,
  describeWeek,
  describeTest,
  type SummariesSoFar,
  type ServerWeekSummary,
  type WeekSummary,
} from './describe-week.ts';

interface EventDetail {
  from?: string | null;
  to: string;
  enabled: boolean;
  members?: boolean;
  destination_changed?: boolean;
  via: 'link' | 'key' | 'passkey' | 'oidc';
  reason: string;
  sessions: number;
  key_id?: string;
  label?: string | null;
  scope: string;
  by?: string;
  alert: string;
  domain: string;
  /** Of messages that 0.3 sent through a connection. */
  text?: string;
  connection: string;
  app: string;
  address: string;
  page: string;
  display_name: string | null;
  account_id: string;
  error: string;
}

type EventDescriber = (t: Translator, detail: EventDetail, isFailed: boolean) => string;

const DESCRIBERS: Record<EventRow['type'] | DeliveredEventType, EventDescriber> = {
  display_name_updated: (t, { from, to }) =>
    from
      ? t('Name changed from @{from} to @{to}', { from, to })
      : t('Name changed to @{to}', { to }),
  forwarding_updated: (t, { enabled, destination_changed: isNewDestination }) => {
    if (enabled)
      return isNewDestination
        ? t('Email forwarding turned on with a new destination')
        : t('Email forwarding turned on');
    return isNewDestination
      ? t('Email address without forwarding changed')
      : t('Email forwarding turned off');
  },
  chat_message_sent: (t, { text }, isFailed) => {
    if (isFailed)
      return text
        ? t('Chat message could not be sent: {text}', { text })
        : t('Chat message could not be sent');
    return text ? t('Chat message sent: {text}', { text }) : t('Chat message sent');
  },
  chat_message_edited: (t, _, isFailed) =>
    isFailed ? t('Chat message could not be edited') : t('Chat message edited'),
  logged_in: (t, { via, ...detail }) =>
    via === 'key'
      ? t('Signed in with {key, select, none {an unnamed key} other {the key {key}}}', {
          key: keyName(t, detail),
        })
      : t(
          'Signed in with {via, select, oidc {single sign-on} passkey {a passkey} other {a link}}',
          { via },
        ),
  login_failed: (t, { via, reason, ...detail }) =>
    via === 'passkey'
      ? t('Sign-in with a passkey refused: it may have been copied')
      : t(
          'Sign-in with {key, select, none {an unnamed key} other {the key {key}}} refused: {reason, select, secretWrong {its secret was wrong} keyRevoked {it is revoked} keyExpired {it has expired} accountSuspended {the account is suspended} other {it does not have full access}}',
          { key: keyName(t, detail), reason },
        ),
  logged_out: (t) => t('Signed out'),
  session_ended: (t) => t('Session ended'),
  sessions_ended: (t, { sessions, via }) =>
    via === 'oidc'
      ? t(
          'Single sign-on ended its sessions ({sessions, plural, one {# session} other {# sessions}})',
          { sessions },
        )
      : t('All sessions ended ({sessions, plural, one {# session} other {# sessions}})', {
          sessions,
        }),
  key_created: (t, { scope, ...detail }) =>
    t(
      '{key, select, none {Unnamed key} other {Key {key}}} created {scope, select, read {for reading only} metrics {for sending metrics only} operator {with full access and operator rights} other {with full access}}',
      { key: keyName(t, detail), scope },
    ),
  key_revoked: (t, detail) =>
    t('{key, select, none {Unnamed key} other {Key {key}}} revoked', { key: keyName(t, detail) }),
  app_connected: (t, { app }) => t('“{connection}” connected', { connection: app }),
  app_disconnected: (t, { app }) => t('“{connection}” disconnected', { connection: app }),
  passkey_added: (t, { label }) =>
    label ? t('Passkey “{label}” added', { label }) : t('Passkey added'),
  passkey_removed: (t, { label }) =>
    label ? t('Passkey “{label}” removed', { label }) : t('Passkey removed'),
  identity_linked: (t, { label }) =>
    label ? t('Single sign-on as {label} linked', { label }) : t('Single sign-on linked'),
  identity_unlinked: (t, { label }) =>
    label ? t('Single sign-on as {label} unlinked', { label }) : t('Single sign-on unlinked'),
  account_suspended: (t) => t('Account suspended'),
  account_resumed: (t) => t('Account resumed'),
  operator_added: (t, { sessions }) =>
    t('Made an operator ({sessions, plural, one {# session} other {# sessions}} ended)', {
      sessions,
    }),
  operator_removed: (t) => t('Made a member again'),
  keeper_invited: (t, detail) =>
    t('{member} invited to keep the account', { member: memberName(detail) }),
  keeper_joined: (t, detail) =>
    t('{member} keeps the account, too', { member: memberName(detail) }),
  keeper_left: (t, detail) =>
    t('{member} no longer keeps the account', { member: memberName(detail) }),
  account_transferred: (t, detail) =>
    t('Account handed over to {member}', { member: memberName(detail) }),
  page_changed: (t) => t('Page changed'),
  alert_firing: (t, { alert }) => t('Alert: {alert}', { alert }),
  alert_no_data: (t, { alert }) => t('No data for the alert: {alert}', { alert }),
  alert_recovered: (t, { alert }) => t('No longer true: {alert}', { alert }),
  page_visibility_changed: (t, { enabled, members, by }) => {
    if (members === true) return t('Page shown to members');
    if (!enabled) return t('Page hidden');
    return by === OPERATOR_ACTOR ? t('Page shown again') : t('Page published');
  },
  domain_added: (t, { domain }) => t('Domain {domain} added', { domain }),
  domain_verified: (t, { domain }) => t('Domain {domain} verified', { domain }),
  domain_lost: (t, { domain }) => t('Domain {domain} lost: its TXT record is missing', { domain }),
  domain_removed: (t, { domain }) => t('Domain {domain} removed', { domain }),
  contact_message_received: (t) => t('Message received through the contact form'),
  group_address_joined: (t, { address }) => t('{address} now reaches you', { address }),
  group_address_left: (t, { address }) => t('{address} no longer reaches you', { address }),
  connection_created: (t, { connection }) => t('“{connection}” connected', { connection }),
  connection_updated: (t, { connection }) =>
    t('“{connection}” sends to another address', { connection }),
  connection_deleted: (t, { connection }) => t('“{connection}” disconnected', { connection }),
  connection_disabled: (t, { connection }) =>
    t('“{connection}” switched off: its address or token is no longer valid', { connection }),
  week_summary: (t, detail) => describeWeek(t, detail as unknown as WeekSummary),
  server_week_summary: (t, detail) => describeServerWeek(t, detail as unknown as ServerWeekSummary),
  application_received: (t, { display_name }) =>
    t('@{name} wants to join', { name: `${display_name}` }),
  member_joined: (t, detail) => t('{member} joined', { member: memberName(detail) }),
  member_left: (t, detail) => t('{member} left', { member: memberName(detail) }),
  member_suspended: (t, detail) => t('{member} was suspended', { member: memberName(detail) }),
  page_reported: (t, detail) => t('Page of {member} reported', { member: memberName(detail) }),
  backup_failed: (t) => t('Backup failed'),
  forwarding_failing: (t, { display_name }) =>
    t('Forwarding of @{name} cannot be changed at the provider', { name: `${display_name}` }),
  test: (t, detail) => describeTest(t, detail as SummariesSoFar),
};

export type LabelsByKeyId = ReadonlyMap<string, string | null>;

export async function findKeyLabels(db: ReadDatabase, accountId: string): Promise<LabelsByKeyId> {
  const keys = await listApiKeys(db, accountId);
  return new Map(keys.map(({ key_id, label }) => [key_id, label]));
}

interface EventDescription {
  summary: string;
  /** The summary without who caused the event. */
  action: string;
  key_label: string | null;
}

export function describeEvent(
  t: Translator,
  {
    type,
    outcome,
    detail,
  }: Pick<EventRow, 'outcome' | 'detail'> & { type: keyof typeof DESCRIBERS },
  labels: LabelsByKeyId,
): EventDescription {
  const { by, key_id: id = '', label = labels.get(id) } = detail as Partial<EventDetail>;
  const labeledDetail = (label ? { ...detail, label } : detail) as unknown as EventDetail;
  const action = DESCRIBERS[type](t, labeledDetail, outcome === 'failed');
  if (by === OPERATOR_ACTOR) {
    const summary = t('{action} by the operator of this server', { action });
    return { summary, action, key_label: null };
  }
  if (by === SIGN_ON_ACTOR) {
    const summary = t('{action} by single sign-on', { action });
    return { summary, action, key_label: null };
  }
  // A keeper, by name.
  if (by?.startsWith('@'))
    return { summary: t('{action} by {by}', { action, by }), action, key_label: null };
  // Changes from other sessions need no actor, because only the owner has sessions.
  if (!by?.startsWith('np_')) return { summary: action, action, key_label: null };
  const keyLabel = labels.get(by) ?? null;
  const key = keyName(t, { label: keyLabel });
  const summary = t('{action} by {key, select, none {an unnamed key} other {the key {key}}}', {
    action,
    key,
  });
  return { summary, action, key_label: keyLabel || by };
}

function memberName({ display_name, account_id }: EventDetail): string {
  return display_name === null ? account_id : `@${display_name}`;
}

/** Texts choose their words for a key without a name by `none`. */
function keyName(t: Translator, { label }: Partial<EventDetail>): string {
  return label ? t('“{name}”', { name: label }) : 'none';
}
