import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const home: Screen = {
  path: '',
  title: t('Home'),
  icon: 'M2 7.5 8 2l6 5.5M3.5 6.5V14h9V6.5M6.5 14v-4h3v4',
  group: 'own',
  isTab: true,
  shape: 'columns',
  load: async () => (await import('./overview.tsx')).Overview,
};
