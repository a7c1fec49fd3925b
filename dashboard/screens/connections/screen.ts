import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { connectionDraft } from '#dashboard/draft-storage.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const connections: Screen = {
  path: 'connections',
  title: t('Connections'),
  icon: ICON_PATHS.link,
  group: 'developer',
  needs: 'connections',
  draft: connectionDraft,
  toDoCodes: ['connectionsFailing'],
  shape: 'few',
  load: async () => (await import('../account.ts')).Connections,
};
