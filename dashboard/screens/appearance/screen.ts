import { appearanceDraft } from '#dashboard/draft-storage.ts';
import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const appearance: Screen = {
  path: 'operator/appearance',
  title: t('Appearance'),
  icon: 'M13.6 2.4c-3.4 1.4-6 3.8-7.4 6.2l1.3 1.3c2.4-1.4 4.7-4 6.1-7.5M5.2 9.6c-1.7.2-2 1.4-2.1 2.3-.1.8-.6 1.3-1.3 1.6 2.2.8 5.2.3 5.3-2.2',
  group: 'server',
  draft: appearanceDraft,
  shape: 'form',
  load: async () => (await import('../operator.ts')).Appearance,
};

export const legalTexts: Screen = {
  path: 'operator/legal',
  title: t('Imprint and privacy'),
  group: 'server',
  parent: 'operator/appearance',
  shape: 'form',
  load: async () => (await import('../operator.ts')).LegalTexts,
};
