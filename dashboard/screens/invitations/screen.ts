import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const invitations: Screen = {
  path: 'operator/members/invitations',
  title: t('Invitations'),
  group: 'people',
  needs: 'invitations',
  parent: 'operator/members',
  load: async () => (await import('../operator.ts')).Invitations,
};

export const addMembers: Screen = {
  path: 'operator/members/add',
  title: t('Add members'),
  group: 'people',
  needs: 'invitations',
  parent: 'operator/members',
  load: async () => (await import('../operator.ts')).AddMembers,
};
