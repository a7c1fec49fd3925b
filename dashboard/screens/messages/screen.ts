import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const messages: Screen = {
  path: 'operator/members/messages',
  title: t('Write to members'),
  group: 'people',
  needs: 'messages',
  parent: 'operator/members',
  load: async () => (await import('../operator.ts')).WriteToMembers,
};
