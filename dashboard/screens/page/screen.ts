import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { pageDraft } from '#dashboard/draft-storage.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const page: Screen = {
  path: 'page',
  title: t('Page'),
  icon: ICON_PATHS.page,
  group: 'own',
  isTab: true,
  draft: pageDraft,
  shape: 'split',
  load: async () => (await import('./page.tsx')).PageEditor,
};
