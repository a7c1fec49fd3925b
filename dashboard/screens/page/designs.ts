import { SETTINGS_BLOCK } from '#contract/blocks.ts';
import { DESIGN_PRESETS, type DesignPreset } from '#contract/design-presets.ts';
import { type PageSettings, type Site, newSettings, toRequest } from './site.ts';

/** Settings of the page that are not about its looks. */
const NON_DESIGN_SETTINGS = new Set(['lang', 'pronouns', 'fediverse', 'indexing']);

/** Settings of the page about its looks, in the order of the contract. */
export const DESIGN_SETTINGS: readonly string[] = Object.keys(SETTINGS_BLOCK.fields).filter(
  (name) => !NON_DESIGN_SETTINGS.has(name),
);

/** The page settings about its looks. */
export function designOf(settings: PageSettings | null): Record<string, unknown> {
  const fields = Object.entries(settings?.fields ?? {});
  return Object.fromEntries(fields.filter(([name]) => DESIGN_SETTINGS.includes(name)));
}

/** The look that a page has exactly. */
export function matchingLook({ custom_theme, settings }: Site): DesignPreset | undefined {
  const design = designOf(settings);
  const has = (one: object | null, other: object) =>
    JSON.stringify(Object.entries(one ?? {}).toSorted()) ===
    JSON.stringify(Object.entries(other).toSorted());
  return DESIGN_PRESETS.find(
    (look) => has(custom_theme, look.custom_theme) && has(design, look.page),
  );
}

/** Number of blocks on a thumbnail. */
const MAX_THUMBNAIL_BLOCKS = 5;

/** The settings with this design and no other. */
export function withDesign(
  settings: PageSettings | null,
  design: Readonly<Record<string, unknown>> = {},
): PageSettings | null {
  if (!settings && Object.keys(design).length === 0) return null;
  const { fields, ...rest } = settings ?? newSettings();
  const others = Object.entries(fields).filter(([name]) => !DESIGN_SETTINGS.includes(name));
  return { ...rest, fields: { ...Object.fromEntries(others), ...design } };
}

/** A fixed id, because a thumbnail is rendered again when its request changes. */
const EMPTY_SETTINGS = { ...newSettings(), id: '00000000-0000-4000-8000-000000000000' };

/** The beginning of a page in a design, for a thumbnail. */
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
