import type { Screen } from '#dashboard/shell/screen.ts';
import { t } from '#dashboard/translate.ts';

export const addresses: Screen = {
  path: 'operator/addresses',
  title: t('Group addresses'),
  icon: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M10.8 5.5v3.2a1.7 1.7 0 0 0 3.4 0V8a6.2 6.2 0 1 0-2.6 5.1',
  group: 'people',
  needs: 'addresses',
  toDoCodes: ['groupAddressUnread'],
  shape: 'few',
  load: async () => (await import('../operator.ts')).Addresses,
};
