import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const metrics: Screen = {
  path: 'metrics',
  title: t('Metrics'),
  icon: ICON_PATHS.chart,
  group: 'developer',
  toDoCodes: ['alertsFiring'],
  shape: 'few',
  load: async () => (await import('./metrics.tsx')).Metrics,
};
