import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const settings: Screen = {
  path: 'settings',
  title: t('Settings'),
  icon: ICON_PATHS.settings,
  group: 'own',
  shape: 'columns',
  load: async () => (await import('../account.ts')).Settings,
};
