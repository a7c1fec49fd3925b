import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const keepers: Screen = {
  path: 'keepers',
  title: t('Keepers'),
  group: 'own',
  needs: 'keepers',
  parent: 'settings',
  shape: 'columns',
  load: async () => (await import('../account.ts')).Keepers,
};

/** Mails link to it, with a token in the fragment. */
export const keep: Screen = {
  path: 'keep',
  title: t('Invitations to keep an account'),
  group: 'own',
  needs: 'keepers',
  parent: 'settings',
  shape: 'few',
  load: async () => (await import('../account.ts')).Keep,
};
