import type { UsageRow } from '../../db/queries/usage.ts';
import type { Allowances } from '../service/allowances/allowances.ts';
import { megabytes, table } from './output.ts';

/** Formats the usage of accounts below their allowances. */
export function usageTable(allowed: Allowances, rows: readonly UsageRow[]): string {
  return table(
    [
      ...['Account', 'Display name', 'Metrics today', 'Answers', 'Pictures'],
      ...['Events', 'Projects', 'Keys', 'Names held back', 'Name changes today'],
    ],
    [
      [
        'allowed',
        null,
        ...[allowed.metricBytesPerDay, allowed.answerBytes, allowed.pictureBytes].map((bytes) =>
          bytes === 0 ? null : megabytes(bytes),
        ),
        ...[
          ...[allowed.events, allowed.projects, allowed.keys],
          ...[allowed.heldBackNames, allowed.nameChangesPerDay],
        ].map((count) => (count === 0 ? null : String(count))),
      ],
      ...rows.map((row) => [
        row.account_id,
        row.display_name,
        megabytes(row.metric_bytes_today),
        megabytes(row.answer_bytes),
        megabytes(row.picture_bytes),
        ...[
          ...[row.events, row.projects, row.keys],
          ...[row.names_held_back, row.name_changes_today],
        ].map(String),
      ]),
    ],
    '',
  );
}
