import {
  AS_IN_THEME,
  type ChosenSettings,
  PAGE_SETTINGS,
  type PageSettingName,
} from '../../../contract/page-settings.ts';
import type { Fields } from './fields.ts';
import { pictureOf } from './picture.ts';

/** Look of the page that its owner chose. What is absent is up to the theme. */
export interface PageLook {
  chosen: ChosenSettings;
  /** Address of the picture behind the page. */
  picture: string | undefined;
}

/** The look in page settings, without unknown values. */
export function lookOf(settings: Fields): PageLook {
  const names = Object.keys(PAGE_SETTINGS) as PageSettingName[];
  const chosen: Record<string, unknown> = Object.fromEntries(
    names
      .map((name) => [name, settings[name]] as const)
      .filter(([name, value]) => value !== AS_IN_THEME && isOption(name, value)),
  );
  const picture =
    chosen['background'] === 'picture' ? pictureOf(settings['background_picture'])?.src : undefined;
  if (!picture && chosen['background'] === 'picture') delete chosen['background'];
  return { chosen, picture };
}

function isOption(name: PageSettingName, value: unknown): boolean {
  return typeof value === 'string' && Object.hasOwn(PAGE_SETTINGS[name].options, value);
}

/** Names of the style sheets of a look, in `styles/settings`. */
export function lookStyles({ chosen }: PageLook): string[] {
  return Object.entries(chosen)
    .filter(([name]) => name !== 'fonts')
    .map(([name, value]) => `${name}-${value}`);
}
