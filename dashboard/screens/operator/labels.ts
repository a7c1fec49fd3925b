import type { Answer, owner } from '#dashboard/api/api.ts';

export type Account = Answer<typeof owner.operator.listAccounts>['accounts'][number];
type Usage = Answer<typeof owner.operator.getAccount>['usage'][number]['kind'];

/** Words for each state of an account, with the class of its pill. */
export const ACCOUNT_STATES = {
  active: ['Active', 'pill good'],
  suspended: ['Suspended', 'pill bad'],
  deleting: ['Being deleted', 'pill warn'],
} as const;

/** Words for each kind of usage. */
export const USAGE_LABELS: Readonly<Record<Usage, string>> = {
  metric_bytes_today: 'Metrics today',
  answer_bytes: 'Stored answers',
  picture_bytes: 'Pictures',
  events: 'Events',
  projects: 'Projects',
  keys: 'Keys',
  names_held_back: 'Names held back',
  name_changes_today: 'Name changes today',
};

/** Verbs of commands, as what was done. */
const PAST_TENSE: Readonly<Record<string, string>> = {
  add: 'Added',
  close: 'Closed',
  create: 'Created',
  delete: 'Deleted',
  release: 'Released',
  remove: 'Removed',
  rename: 'Renamed',
  resume: 'Resumed',
  revoke: 'Revoked',
  suspend: 'Suspended',
};

/** Says what a command did: `accounts suspend` as Suspended account. */
export function describeAction(action: string): string {
  if (action === 'invite') return 'Created invitation';
  const [things = '', verb = ''] = action.split(' ');
  const done = PAST_TENSE[verb];
  return done ? `${done} ${things.replace(/s$/, '')}` : action[0]!.toUpperCase() + action.slice(1);
}

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Formats an amount of usage: bytes in the largest unit that fits, other kinds as plain numbers. */
export function formatAmount(kind: string, amount: number): string {
  if (!kind.includes('bytes')) return whole.format(amount);
  if (amount === 0) return '0';
  const power = Math.min(3, Math.floor(Math.log10(amount) / 3));
  return `${short.format(amount / 1_000 ** power)} ${['bytes', 'KB', 'MB', 'GB'][power]}`;
}

/** How an account is called: its name, or the beginning of its id. */
export function accountName({
  display_name,
  account_id,
}: Pick<Account, 'display_name' | 'account_id'>): string {
  return display_name === null ? `Account ${account_id.slice(0, 8)}` : `@${display_name}`;
}
