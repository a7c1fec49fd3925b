import { guardFormula } from '#contract/shared/csv-formula.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { type DayRange, listPageVisits } from '#db/queries/page-visits.ts';

/** CSV (RFC 4180), sorted by kind and day. */
export async function* exportVisits(
  db: ReadDatabase,
  accountId: string,
  days: { [Day in keyof DayRange]?: DayRange[Day] | undefined } = {},
): AsyncGenerator<string> {
  // Spreadsheets read UTF-8 only after a byte order mark.
  yield '\uFEFFkind,day,value,count\r\n';
  for await (const batch of listPageVisits(db, accountId, days))
    yield batch
      .map(
        ({ kind, day, value, count }) =>
          `${kind},${day},"${guardFormula(value).replaceAll('"', '""')}",${count}\r\n`,
      )
      .join('');
}
