import type { ResponseOf, owner } from '#dashboard/api/api.ts';

export type ServerState = ResponseOf<typeof owner.operator.getServer>;
export type Account = ResponseOf<typeof owner.operator.listAccounts>['accounts'][number];

export const ACCOUNT_STATES = {
  active: ['Active', 'muted'],
  suspended: ['Suspended', 'pill bad'],
  deleting: ['Being deleted', 'pill warn'],
} as const;

const PAST_TENSE: Readonly<Record<string, string>> = {
  add: 'Added',
  close: 'Closed',
  create: 'Created',
  delete: 'Deleted',
  export: 'Exported',
  release: 'Released',
  reopen: 'Reopened',
  remove: 'Removed',
  rename: 'Renamed',
  resume: 'Resumed',
  revoke: 'Revoked',
  suspend: 'Suspended',
};

const SPECIAL_ACTIONS: Readonly<Record<string, string>> = {
  invite: 'Created invitation',
  login: 'Created login link',
  'mail test': 'Sent test mail',
};

/** Describes a CLI command as an action: `accounts suspend` becomes “Suspended account”. */
export function describeAction(action: string): string {
  const special = SPECIAL_ACTIONS[action];
  if (special) return special;
  const [noun = '', verb = ''] = action.split(' ');
  const past = PAST_TENSE[verb];
  return past ? `${past} ${noun.replace(/s$/, '')}` : action[0]!.toUpperCase() + action.slice(1);
}

const wholeFormat = new Intl.NumberFormat();
const decimalFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Formats usage: bytes in decimal units (1 KB = 1,000 bytes), other kinds as plain numbers. */
export function formatAmount(kind: string, amount: number): string {
  if (!kind.includes('bytes')) return wholeFormat.format(amount);
  if (amount === 0) return '0';
  const power = Math.min(3, Math.floor(Math.log10(amount) / 3));
  return `${decimalFormat.format(amount / 1_000 ** power)} ${['bytes', 'KB', 'MB', 'GB'][power]}`;
}

/** The display name of an account, or the beginning of its id if it has none. */
export function accountName({
  display_name,
  account_id,
}: Pick<Account, 'display_name' | 'account_id'>): string {
  return display_name === null ? `Account ${account_id.slice(0, 8)}` : `@${display_name}`;
}
