import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const mail: Screen = {
  path: 'mail',
  title: t('Mail'),
  icon: ICON_PATHS.mail,
  group: 'own',
  isTab: true,
  toDoCodes: ['inboxUnconfirmed'],
  shape: 'stacked',
  load: async () => (await import('../account.ts')).Mail,
};
