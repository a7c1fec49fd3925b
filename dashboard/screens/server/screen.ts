import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const server: Screen = {
  path: 'operator',
  title: t('Your server'),
  icon: ICON_PATHS.server,
  group: 'server',
  shape: 'columns',
  load: async () => (await import('../operator.ts')).Server,
};
