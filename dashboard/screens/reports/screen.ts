import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const reports: Screen = {
  path: 'operator/reports',
  title: t('Reports'),
  icon: ICON_PATHS.flag,
  group: 'people',
  needs: 'reports',
  toDoCodes: ['reportsOpen'],
  shape: 'few',
  load: async () => (await import('../operator.ts')).Reports,
};
