import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const activity: Screen = {
  path: 'activity',
  title: t('Activity'),
  icon: 'M1.5 8h3L6.3 2.5l3.4 11L11.5 8h3',
  group: 'own',
  load: async () => (await import('./activity.tsx')).Activity,
};
