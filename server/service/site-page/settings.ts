import {
  AS_IN_THEME,
  type ChosenSettings,
  PAGE_SETTINGS,
  type PageSettingName,
} from '../../../contract/page-settings.ts';
import type { Fields } from './fields.ts';
import { pictureOf } from './picture.ts';

/** How an owner wants the page to look; what is not there is as in the theme. */
export interface PageSettings {
  chosen: ChosenSettings;
  /** Address of the picture behind the page. */
  picture: string | undefined;
}

/** Reads the settings of a `page` block; values that there are not count for nothing. */
export function settingsOf(block: Fields): PageSettings {
  const names = Object.keys(PAGE_SETTINGS) as PageSettingName[];
  const chosen: Record<string, unknown> = Object.fromEntries(
    names
      .map((name) => [name, block[name]] as const)
      .filter(([name, value]) => value !== AS_IN_THEME && isOption(name, value)),
  );
  const picture =
    chosen['background'] === 'picture' ? pictureOf(block['background_picture'])?.src : undefined;
  if (!picture && chosen['background'] === 'picture') delete chosen['background'];
  return { chosen, picture };
}

function isOption(name: PageSettingName, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(PAGE_SETTINGS[name].options, value);
}

/** Names of the style sheets of some settings, in `styles/settings`. */
export function settingStyles({ chosen }: PageSettings): string[] {
  return Object.entries(chosen)
    .filter(([name]) => name !== 'fonts')
    .map(([name, value]) => `${name}-${value}`);
}
