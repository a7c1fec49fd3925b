import { USAGE_KINDS, type UsageKind } from '#contract/owner/operator-accounts.ts';
import type { UsageRow } from '#db/queries/usage.ts';
import { ALLOWANCE_BY_USAGE, type Allowances } from '../limits/allowances/allowances.ts';
import { formatMegabytes, formatTable } from './output.ts';

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

/** The first row shows the limits, the others the usage of each account. */
export function formatUsageTable(allowances: Allowances, rows: readonly UsageRow[]): string {
  return formatTable(
    ['Account', 'Display name', ...USAGE_KINDS.map((kind) => HEADINGS[kind])],
    [
      [
        'allowed',
        null,
        ...USAGE_KINDS.map((kind) => {
          const limit = allowances[ALLOWANCE_BY_USAGE[kind]];
          return limit === 0 ? null : formatAmount(kind, limit);
        }),
      ],
      ...rows.map((row) => [
        row.account_id,
        row.display_name,
        ...USAGE_KINDS.map((kind) => formatAmount(kind, row[kind])),
      ]),
    ],
    '',
  );
}

function formatAmount(kind: UsageKind, used: number): string {
  return kind.includes('bytes') ? formatMegabytes(used) : String(used);
}
