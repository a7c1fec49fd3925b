import { listFormat } from '#contract/shared/intl-formats.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { countOpenReports, listOpenReports } from '#db/queries/reports.ts';
import type { ToDoReader } from '../define-feature.ts';

const MAX_NAMED = 4;

export const findOpenReports: ToDoReader = async (_app, db, t) => {
  const count = await countOpenReports(db, LIMITS.countedReports);
  if (count === 0) return undefined;
  const reports = await listOpenReports(db, { limit: MAX_NAMED });
  const names = [...new Set(reports.map(({ name }) => `@${name}`))];
  if (reports.length < count) names.push('…');
  const title = t('{count, plural, one {# open report} other {# open reports}}', { count });
  const text = t('About {names}', { names: listFormat(t.locale).format(names) });
  return { code: 'reportsOpen', level: 'warning', title, text, count };
};
