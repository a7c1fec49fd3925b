import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const domains: Screen = {
  path: 'domains',
  title: t('Domains'),
  group: 'own',
  needs: 'domains',
  parent: 'settings',
  shape: 'stacked',
  load: async () => (await import('../account.ts')).Domains,
};
