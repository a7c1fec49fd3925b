import { SETTINGS_BLOCK } from '#contract/blocks.ts';
import { LOOKS, type Look } from '#contract/looks.ts';
import { type PageSettings, type Site, newSettings, requestOf } from './site.ts';

/** Settings of the page that are not about its looks. */
const OTHERS = new Set(['lang', 'pronouns', 'fediverse', 'indexing']);

/** Settings of the page about its looks, in the order of the contract. */
export const DESIGN_SETTINGS: readonly string[] = Object.keys(SETTINGS_BLOCK.fields).filter(
  (name) => !OTHERS.has(name),
);

/** The page settings about its looks. */
export function designOf(settings: PageSettings | null): Record<string, unknown> {
  const fields = Object.entries(settings?.fields ?? {});
  return Object.fromEntries(fields.filter(([name]) => DESIGN_SETTINGS.includes(name)));
}

/** The look that a page has exactly. */
export function lookOf({ custom_theme, settings }: Site): Look | undefined {
  const design = designOf(settings);
  const has = (one: object | null, other: object) =>
    JSON.stringify(Object.entries(one ?? {}).toSorted()) ===
    JSON.stringify(Object.entries(other).toSorted());
  return LOOKS.find((look) => has(custom_theme, look.custom_theme) && has(design, look.page));
}

/** Number of blocks on a thumbnail. */
const SHOWN = 5;

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
const NO_SETTINGS = { ...newSettings(), id: '00000000-0000-4000-8000-000000000000' };

/** The beginning of a page in a design, for a thumbnail. */
export function thumbOf(
  { settings, blocks, ...site }: Site,
  { theme_id, custom_theme }: Pick<Site, 'theme_id' | 'custom_theme'>,
  design?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(
    requestOf({
      ...site,
      theme_id,
      custom_theme,
      settings: withDesign(settings ?? NO_SETTINGS, design),
      blocks: blocks.filter(({ enabled }) => enabled).slice(0, SHOWN),
    }),
  );
}
