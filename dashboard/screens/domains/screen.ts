import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const domains: Screen = {
  path: 'domains',
  title: t('Domains'),
  icon: ICON_PATHS.globe,
  group: 'own',
  needs: 'domains',
  parent: 'settings',
  shape: 'stacked',
  load: async () => (await import('../account.ts')).Domains,
};
