import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const keys: Screen = {
  path: 'keys',
  title: t('Keys'),
  icon: ICON_PATHS.key,
  group: 'developer',
  shape: 'few',
  load: async () => (await import('../account.ts')).Keys,
};
