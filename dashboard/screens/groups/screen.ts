import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const groups: Screen = {
  path: 'operator/members/groups',
  title: t('Groups'),
  group: 'people',
  needs: 'groups',
  parent: 'operator/members',
  load: async () => (await import('../operator.ts')).Groups,
};
