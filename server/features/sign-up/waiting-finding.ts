import { countWaitingApplications } from '#db/queries/applications.ts';
import type { ToDoReader } from '../define-feature.ts';

export const findWaitingPeople: ToDoReader = async (_app, db, t) => {
  const count = await countWaitingApplications(db);
  if (count === 0) return undefined;
  const title = t('{count, plural, one {# person wants to join} other {# people want to join}}', {
    count,
  });
  const text = t('Read their applications.');
  return { code: 'applicationsWaiting', level: 'warning', title, text, count };
};
