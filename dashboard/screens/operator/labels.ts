import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { currentAccountId } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

export type ServerState = ResponseOf<typeof owner.server.getServer>;
export type AuditEntry = ResponseOf<typeof owner.server.listAuditEntries>['entries'][number];
export type Member = ResponseOf<typeof owner.members.listMembers>['members'][number];

export const MEMBER_STATES = {
  active: [t('Active'), 'muted'],
  suspended: [t('Suspended'), 'pill bad'],
  deleting: [t('Being deleted'), 'pill warn'],
} as const;

/** Keyed by CLI command. */
const ACTIONS: Readonly<Record<string, string>> = {
  'accounts create': t('Created account'),
  'accounts delete': t('Deleted account'),
  'accounts export': t('Exported account'),
  'accounts limit': t('Changed picture storage'),
  'accounts rename': t('Renamed account'),
  'accounts resume': t('Resumed account'),
  'accounts suspend': t('Suspended account'),
  backup: t('Started backup'),
  'backup download': t('Downloaded backup'),
  'forwarding sync': t('Synced mail forwarding'),
  'instance set': t('Changed appearance or legal texts'),
  invite: t('Created invitation'),
  'keys create': t('Created key'),
  'keys revoke': t('Revoked key'),
  login: t('Created login link'),
  'mail test': t('Tested sending mail'),
  'members import': t('Invited members'),
  'members correct': t('Corrected the address of an invitation'),
  'members resend': t('Sent invitations again'),
  'members revoke': t('Revoked invitation'),
  'names release': t('Released name'),
  'operators add': t('Added operator'),
  'operators remove': t('Removed operator'),
  'pages resume': t('Showed page again'),
  'pages suspend': t('Hid page'),
  'reports close': t('Closed reports: no problem'),
  'reports reopen': t('Reopened reports'),
};

export function describeAction(action: string): string {
  return ACTIONS[action] ?? action;
}

const wholeFormat = new Intl.NumberFormat(t.locale);
const decimalFormat = new Intl.NumberFormat(t.locale, { maximumFractionDigits: 1 });

/** Formats usage: bytes in decimal units (1 KB = 1,000 bytes), other kinds as plain numbers. */
export function formatAmount(kind: string, amount: number): string {
  if (!kind.includes('bytes')) return wholeFormat.format(amount);
  if (amount === 0) return `0 ${t('bytes')}`;
  const power = Math.min(3, Math.floor(Math.log10(Number(amount.toPrecision(4))) / 3));
  return `${decimalFormat.format(amount / 1_000 ** power)} ${[t('bytes'), 'KB', 'MB', 'GB'][power]}`;
}

/** For operators, `who` is `@name account-id`, or only the account id if they have no name. */
export function actorName({ who, via }: Pick<AuditEntry, 'who' | 'via'>): string {
  if (via !== 'operator') return who;
  const [id = '', display_name = null] = who.replace('@', '').split(' ').toReversed();
  return nameOrYou({ id, display_name });
}

export function nameOrYou(member: Pick<Member, 'display_name' | 'id'>): string {
  return member.id === currentAccountId.value ? t('You') : memberName(member);
}

/** The display name of an account, or the beginning of its id if it has none. */
export function memberName({ display_name, id }: Pick<Member, 'display_name' | 'id'>): string {
  return display_name === null ? t('Account {id}', { id: id.slice(0, 8) }) : `@${display_name}`;
}

export function pageState({
  state,
  page_visible,
  page_suspended,
}: Pick<Member, 'state' | 'page_visible' | 'page_suspended'>): string {
  if (page_suspended) return t('Hidden by an operator');
  if (state === 'suspended') return t('Account suspended');
  return page_visible ? t('page|Visible') : t('page|Not published');
}
