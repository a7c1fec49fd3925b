import { hasDeveloperTools, isOperator, type ToDo } from '../current-account.ts';
import { isOn } from '../facts.ts';
import { screens } from '../screens/screens.ts';
import { t } from '../translate.ts';
import type { Screen } from './screen.ts';

interface Group {
  /** Empty for the first group, whose screens are always listed. */
  title: string;
  /** Whether the group is listed only with developer tools. Its screens open without them, too. */
  isForDevelopers?: boolean;
  isForOperators?: boolean;
}

/** In the order of the navigation. */
const GROUPS: Readonly<Record<Screen['group'], Group>> = {
  own: { title: '' },
  developer: { title: t('Developer tools'), isForDevelopers: true },
  people: { title: t('People'), isForOperators: true },
  server: { title: t('Server'), isForOperators: true },
};

export interface ScreenGroup extends Group {
  screens: readonly Screen[];
}

export function findScreen(path: string): Screen | undefined {
  const matches = screens.filter((screen) =>
    screen.path === '' ? path === '' : `${path}/`.startsWith(`${screen.path}/`),
  );
  // `operator` is also a prefix of `operator/members`.
  return matches.toSorted((a, b) => b.path.length - a.path.length)[0];
}

const pathByToDoCode = new Map(
  screens.flatMap(({ toDoCodes = [], path }) => toDoCodes.map((code) => [code, path] as const)),
);

/** Path of the screen whose badge counts the item. */
export function toDoPath({ code, path }: ToDo): string {
  return pathByToDoCode.get(code) ?? (path ? '' : 'operator');
}

export function isForOperators({ group }: Screen): boolean {
  return GROUPS[group].isForOperators === true;
}

export function isScreenOn({ needs }: Screen): boolean {
  return needs === undefined || isOn(needs);
}

export function isScreenAvailable(screen: Screen): boolean {
  return isScreenOn(screen) && (!isForOperators(screen) || isOperator.value === true);
}

/** The screen that the navigation shows as current instead: without developer tools, Settings links to them. */
export function parentPath(screen: Screen | undefined): string | undefined {
  if (!screen) return undefined;
  const isListed = listScreenGroups().some(({ screens: listed }) => listed.includes(screen));
  return screen.parent ?? (isListed ? undefined : 'settings');
}

/** The groups and screens to list for this account. */
export function listScreenGroups(): ScreenGroup[] {
  return Object.entries(GROUPS)
    .filter(([, { isForDevelopers }]) => !isForDevelopers || hasDeveloperTools.value)
    .map(([name, group]) => ({
      ...group,
      screens: screens.filter((screen) => screen.group === name && isScreenAvailable(screen)),
    }))
    .filter((group) => group.screens.length > 0);
}
