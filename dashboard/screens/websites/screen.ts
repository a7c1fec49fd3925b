import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const websites: Screen = {
  path: 'operator/websites',
  title: t('Websites'),
  icon: 'M1.5 3h13v10h-13zM1.5 6h13M3.8 4.5v.01M5.6 4.5v.01',
  group: 'server',
  needs: 'oauth',
  load: async () => (await import('../operator.ts')).Websites,
};
