import { SETTINGS_BLOCK } from '#contract/blocks.ts';
import { DESIGN_PRESETS, type DesignPreset } from '#contract/design-presets.ts';
import { type PageSettings, type Site, newSettings, toRequest } from './site.ts';

const NON_DESIGN_SETTINGS = new Set(['lang', 'pronouns', 'fediverse', 'indexing']);

/** Names of the page settings that belong to the design, in contract order. */
export const DESIGN_SETTINGS: readonly string[] = Object.keys(SETTINGS_BLOCK.fields).filter(
  (name) => !NON_DESIGN_SETTINGS.has(name),
);

export function designOf(settings: PageSettings | null): Record<string, unknown> {
  const fields = Object.entries(settings?.fields ?? {});
  return Object.fromEntries(fields.filter(([name]) => DESIGN_SETTINGS.includes(name)));
}

/** The design preset that exactly matches the page's colors and design settings, if any. */
export function matchingPreset({ custom_theme, settings }: Site): DesignPreset | undefined {
  const design = designOf(settings);
  const isEqual = (a: object | null, b: object) =>
    JSON.stringify(Object.entries(a ?? {}).toSorted()) ===
    JSON.stringify(Object.entries(b).toSorted());
  return DESIGN_PRESETS.find(
    (preset) => isEqual(custom_theme, preset.custom_theme) && isEqual(design, preset.page),
  );
}

const MAX_THUMBNAIL_BLOCKS = 5;

export function withDesign(
  settings: PageSettings | null,
  design: Readonly<Record<string, unknown>> = {},
): PageSettings | null {
  if (!settings && Object.keys(design).length === 0) return null;
  const { fields, ...rest } = settings ?? newSettings();
  const otherFields = Object.entries(fields).filter(([name]) => !DESIGN_SETTINGS.includes(name));
  return { ...rest, fields: { ...Object.fromEntries(otherFields), ...design } };
}

/** Has a fixed id, because a thumbnail is rendered again whenever its request changes. */
const EMPTY_SETTINGS = { ...newSettings(), id: '00000000-0000-4000-8000-000000000000' };

/**
 * JSON body of the preview request for a thumbnail: the first blocks of the page in another design.
 */
export function thumbnailRequest(
  { settings, blocks, ...site }: Site,
  { theme_id, custom_theme }: Pick<Site, 'theme_id' | 'custom_theme'>,
  design?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(
    toRequest({
      ...site,
      theme_id,
      custom_theme,
      settings: withDesign(settings ?? EMPTY_SETTINGS, design),
      blocks: blocks.filter(({ enabled }) => enabled).slice(0, MAX_THUMBNAIL_BLOCKS),
    }),
  );
}
