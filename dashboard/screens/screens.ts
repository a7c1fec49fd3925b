import type { ComponentType } from 'preact';
import type { ScreenShape } from '../components/async-content.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { hasDeveloperTools, isOperator } from '../current-account.ts';
import { t } from '../translate.ts';

export interface Screen {
  /** Path after `/dashboard/`. The screen also handles the paths below it. */
  path: string;
  title: string;
  icon: string;
  /** Shown in the tab bar of narrow windows, not under “More”. */
  isTab?: boolean;
  /** Path of the screen that links to this one. The navigation shows that screen instead. */
  parent?: string;
  isForOperators?: boolean;
  /** What to outline while the screen loads. Default: a list. */
  shape?: ScreenShape;
  load: () => Promise<ComponentType>;
}

export interface ScreenGroup {
  /** Empty for the first group, whose screens are always listed. */
  title: string;
  /** Whether the group is listed only with developer tools. Its screens open without them, too. */
  isForDevelopers?: boolean;
  screens: readonly Screen[];
}

const forOperators = (list: readonly Screen[]) =>
  list.map((screen) => ({ ...screen, isForOperators: true }));

/** All screens, grouped and ordered as in the navigation. */
const screenGroups: readonly ScreenGroup[] = [
  {
    title: '',
    screens: [
      {
        path: '',
        title: t('Home'),
        icon: 'M2 7.5 8 2l6 5.5M3.5 6.5V14h9V6.5M6.5 14v-4h3v4',
        isTab: true,
        shape: 'columns',
        load: async () => (await import('./overview/overview.tsx')).Overview,
      },
      {
        path: 'page',
        title: t('Page'),
        icon: ICON_PATHS.page,
        isTab: true,
        shape: 'split',
        load: async () => (await import('./page/page.tsx')).PageEditor,
      },
      {
        path: 'visitors',
        title: t('Visitors'),
        icon: ICON_PATHS.eye,
        isTab: true,
        shape: 'numbers',
        load: async () => (await import('./visitors/visitors.tsx')).Visitors,
      },
      {
        path: 'mail',
        title: t('Mail'),
        icon: ICON_PATHS.mail,
        isTab: true,
        shape: 'stacked',
        load: async () => (await import('./account.ts')).Mail,
      },
      {
        path: 'activity',
        title: t('Activity'),
        icon: 'M1.5 8h3L6.3 2.5l3.4 11L11.5 8h3',
        load: async () => (await import('./activity/activity.tsx')).Activity,
      },
      {
        path: 'settings',
        title: t('Settings'),
        icon: ICON_PATHS.settings,
        shape: 'columns',
        load: async () => (await import('./account.ts')).Settings,
      },
      {
        path: 'domains',
        title: t('Domains'),
        icon: ICON_PATHS.globe,
        parent: 'settings',
        shape: 'stacked',
        load: async () => (await import('./account.ts')).Domains,
      },
    ],
  },
  {
    title: t('Developer tools'),
    isForDevelopers: true,
    screens: [
      {
        path: 'metrics',
        title: t('Metrics'),
        icon: ICON_PATHS.chart,
        shape: 'few',
        load: async () => (await import('./metrics/metrics.tsx')).Metrics,
      },
      {
        path: 'keys',
        title: t('Keys'),
        icon: ICON_PATHS.key,
        shape: 'few',
        load: async () => (await import('./account.ts')).Keys,
      },
      {
        path: 'connections',
        title: t('Connections'),
        icon: ICON_PATHS.link,
        shape: 'few',
        load: async () => (await import('./account.ts')).Connections,
      },
    ],
  },
  {
    title: t('Operator'),
    screens: forOperators([
      {
        path: 'operator',
        title: t('Your server'),
        icon: ICON_PATHS.server,
        shape: 'columns',
        load: async () => (await import('./operator.ts')).Server,
      },
      {
        path: 'operator/members',
        title: t('Members'),
        icon: 'M6 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 6 8M1 14v-.7A3.3 3.3 0 0 1 4.3 10h3.4a3.3 3.3 0 0 1 3.3 3.3v.7M10.7 2.8a2.7 2.7 0 0 1 0 5M15 14v-.7a3.3 3.3 0 0 0-2.5-3.2',
        load: async () => (await import('./operator.ts')).Members,
      },
      {
        path: 'operator/addresses',
        title: t('Group addresses'),
        icon: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M10.8 5.5v3.2a1.7 1.7 0 0 0 3.4 0V8a6.2 6.2 0 1 0-2.6 5.1',
        shape: 'few',
        load: async () => (await import('./operator.ts')).Addresses,
      },
      {
        path: 'operator/reports',
        title: t('Reports'),
        icon: ICON_PATHS.flag,
        shape: 'few',
        load: async () => (await import('./operator.ts')).Reports,
      },
      {
        path: 'operator/appearance',
        title: t('Appearance'),
        icon: 'M13.6 2.4c-3.4 1.4-6 3.8-7.4 6.2l1.3 1.3c2.4-1.4 4.7-4 6.1-7.5M5.2 9.6c-1.7.2-2 1.4-2.1 2.3-.1.8-.6 1.3-1.3 1.6 2.2.8 5.2.3 5.3-2.2',
        shape: 'form',
        load: async () => (await import('./operator.ts')).Appearance,
      },
      {
        path: 'operator/legal',
        title: t('Imprint and privacy'),
        icon: ICON_PATHS.page,
        parent: 'operator/appearance',
        shape: 'form',
        load: async () => (await import('./operator.ts')).LegalTexts,
      },
    ]),
  },
];

export const screens: readonly Screen[] = screenGroups.flatMap((group) => group.screens);

export function findScreen(path: string): Screen | undefined {
  // `operator` is also a prefix of `operator/members`, which is listed after it.
  return screens.findLast((screen) =>
    screen.path === '' ? path === '' : `${path}/`.startsWith(`${screen.path}/`),
  );
}

export function isScreenAvailable(screen: Screen): boolean {
  return !screen.isForOperators || isOperator.value === true;
}

/** The screen that the navigation shows as current instead: without developer tools, Settings links to them. */
export function parentPath(screen: Screen | undefined): string | undefined {
  const isListed = listScreenGroups().some(({ screens: listed }) => listed.includes(screen!));
  return screen?.parent ?? (isListed ? undefined : 'settings');
}

/** The groups and screens to list for this account. */
export function listScreenGroups(): ScreenGroup[] {
  return screenGroups
    .filter(({ isForDevelopers }) => !isForDevelopers || hasDeveloperTools.value)
    .map((group) => ({ ...group, screens: group.screens.filter(isScreenAvailable) }))
    .filter((group) => group.screens.length > 0);
}
