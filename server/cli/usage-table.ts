import { USAGE_KINDS, type UsageKind } from '#contract/owner/operator-accounts.ts';
import type { UsageRow } from '#db/queries/usage.ts';
import { ALLOWANCES, type Allowances } from '../limits/allowances/allowances.ts';
import { megabytes, table } from './output.ts';

const HEADINGS: Readonly<Record<UsageKind, string>> = {
  metric_bytes_today: 'Metrics today',
  answer_bytes: 'Answers',
  picture_bytes: 'Pictures',
  events: 'Events',
  projects: 'Projects',
  keys: 'Keys',
  names_held_back: 'Names held back',
  name_changes_today: 'Name changes today',
};

/** Formats the usage of accounts below their allowances. */
export function usageTable(allowed: Allowances, rows: readonly UsageRow[]): string {
  return table(
    ['Account', 'Display name', ...USAGE_KINDS.map((kind) => HEADINGS[kind])],
    [
      [
        'allowed',
        null,
        ...USAGE_KINDS.map((kind) => {
          const limit = allowed[ALLOWANCES[kind]];
          return limit === 0 ? null : amount(kind, limit);
        }),
      ],
      ...rows.map((row) => [
        row.account_id,
        row.display_name,
        ...USAGE_KINDS.map((kind) => amount(kind, row[kind])),
      ]),
    ],
    '',
  );
}

function amount(kind: UsageKind, used: number): string {
  return kind.includes('bytes') ? megabytes(used) : String(used);
}
