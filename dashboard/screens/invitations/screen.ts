import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const invitations: Screen = {
  path: 'operator/members/invitations',
  title: t('Invitations'),
  icon: ICON_PATHS.user,
  group: 'people',
  needs: 'invitations',
  parent: 'operator/members',
  load: async () => (await import('../operator.ts')).Invitations,
};

export const addMembers: Screen = {
  path: 'operator/members/add',
  title: t('Add members'),
  icon: ICON_PATHS.plus,
  group: 'people',
  needs: 'invitations',
  parent: 'operator/members',
  load: async () => (await import('../operator.ts')).AddMembers,
};
