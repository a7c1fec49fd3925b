import { USAGE_KINDS, USAGE_LABELS, type UsageKind } from '#contract/shared/usage-kinds.ts';
import type { UsageRow } from '#db/queries/usage.ts';
import {
  ALLOWANCE_BY_USAGE,
  type Allowances,
} from '#server/platform/limits/allowances/allowances.ts';
import { formatMegabytes, formatTable } from './output.ts';

export function formatUsageTable(allowances: Allowances, rows: readonly UsageRow[]): string {
  return formatTable(
    ['Account', 'Display name', ...Object.values(USAGE_LABELS)],
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

function formatAmount(kind: UsageKind, amount: number): string {
  return kind.includes('bytes') ? formatMegabytes(amount) : String(amount);
}
