import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const connectedApps: Screen = {
  path: 'connected-apps',
  title: t('Connected apps'),
  group: 'own',
  needs: 'oauth',
  parent: 'settings',
  shape: 'columns',
  load: async () => (await import('../account.ts')).ConnectedApps,
};
