import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const visitors: Screen = {
  path: 'visitors',
  title: t('Visitors'),
  icon: ICON_PATHS.eye,
  group: 'own',
  needs: 'visitors',
  isTab: true,
  shape: 'numbers',
  load: async () => (await import('./visitors.tsx')).Visitors,
};
