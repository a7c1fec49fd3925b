import { NameplateError } from '#client/errors.ts';
import type { ResponseOf, owner } from '#dashboard/api/api.ts';
import { currentAccountId } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

/** The response to a retry leaves out the link. */
export const lostLinkError = () =>
  new NameplateError(t('The link was created, but the response was lost. Create another one.'));

export type ServerState = ResponseOf<typeof owner.server.getServer>;
export type AddressList = ResponseOf<typeof owner.addresses.listAddresses>;
export type Address = AddressList['addresses'][number];
export type Recipient = Address['recipients'][number];
export type Member = ResponseOf<typeof owner.members.listMembers>['members'][number];

/** Why a reader of a group address does not get its mail. */
export const READER_STATES: Readonly<Record<string, string>> = {
  waiting: t('waits'),
  failed: t('failed'),
  stopped: t('recipient|left'),
  suspended: t('recipient|suspended'),
  unreachable: t('no confirmed address'),
};

export const MEMBER_STATES = {
  active: { text: t('Active'), pillClass: 'muted' },
  waiting: { text: t('Waiting'), pillClass: 'pill warn' },
  suspended: { text: t('Suspended'), pillClass: 'pill bad' },
  deleting: { text: t('Being deleted'), pillClass: 'pill warn' },
};

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
export function actorName({ who, via }: { who: string; via: string }): string {
  if (via !== 'operator') return who;
  const [id = '', display_name = null] = who.replace('@', '').split(' ').toReversed();
  return nameOrYou({ id, display_name });
}

function nameOrYou(member: Pick<Member, 'display_name' | 'id'>): string {
  return member.id === currentAccountId.value ? t('You') : memberName(member);
}

/** The display name of an account, or the beginning of its id if it has none. */
export function memberName({ display_name, id }: Pick<Member, 'display_name' | 'id'>): string {
  return display_name === null ? t('Account {id}', { id: id.slice(0, 8) }) : `@${display_name}`;
}

export function pageState({
  state,
  page_visible,
  page_for_members,
  page_suspended,
}: Pick<Member, 'state' | 'page_visible' | 'page_for_members' | 'page_suspended'>): string {
  if (page_suspended) return t('Hidden by an operator');
  if (state === 'suspended') return t('Account suspended');
  if (page_for_members) return t('page|Members only');
  return page_visible ? t('page|Visible') : t('page|Not published');
}

export const MEMBERS_SCREEN = { title: t('All members'), path: 'operator/members' };
