import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const members: Screen = {
  path: 'operator/members',
  title: t('Members'),
  icon: 'M6 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 6 8M1 14v-.7A3.3 3.3 0 0 1 4.3 10h3.4a3.3 3.3 0 0 1 3.3 3.3v.7M10.7 2.8a2.7 2.7 0 0 1 0 5M15 14v-.7a3.3 3.3 0 0 0-2.5-3.2',
  group: 'people',
  toDoCodes: ['applicationsWaiting', 'membersLeft'],
  load: async () => (await import('../operator.ts')).Members,
};
