import { uuid } from '../../../client/src/uuid.ts';
import { BLOCKS } from '../../../contract/blocks.ts';
import { LOOKS, type Look } from '../../../contract/looks.ts';
import { isSettings } from './kinds.ts';
import type { Block, Site } from './site.ts';

/** Settings of the page that are not about its looks. */
const OTHERS = new Set(['lang', 'pronouns', 'fediverse', 'indexing']);

/** Settings of the page about its looks, in the order of the contract. */
export const DESIGN_SETTINGS: readonly string[] = Object.keys(BLOCKS.page.fields).filter(
  (name) => !OTHERS.has(name),
);

/** The design that the settings of the page hold. */
export function designOf(blocks: readonly Block[]): Record<string, unknown> {
  const settings = Object.entries(blocks.find(isSettings) ?? {});
  return Object.fromEntries(settings.filter(([name]) => DESIGN_SETTINGS.includes(name)));
}

/** The look that a page has exactly. */
export function lookOf({ custom_theme, blocks }: Site): Look | undefined {
  const design = designOf(blocks);
  const has = (one: object | null, other: object) =>
    JSON.stringify(Object.entries(one ?? {}).toSorted()) ===
    JSON.stringify(Object.entries(other).toSorted());
  return LOOKS.find((look) => has(custom_theme, look.custom_theme) && has(design, look.page));
}

/** Number of blocks on a thumbnail. */
const SHOWN = 5;

/** Blocks whose settings of the page have this design and no other. */
export function withDesign(
  blocks: readonly Block[],
  design: Readonly<Record<string, unknown>> = {},
  makeId: () => string = uuid,
): Block[] {
  const has = blocks.some(isSettings);
  if (!has && Object.keys(design).length === 0) return [...blocks];
  const all = has ? blocks : [{ id: makeId(), type: 'page', enabled: true }, ...blocks];
  return all.map((block) => {
    if (!isSettings(block)) return block;
    const others = Object.entries(block).filter(([name]) => !DESIGN_SETTINGS.includes(name));
    return { ...Object.fromEntries(others), ...design } as Block;
  });
}

/** The beginning of a page in a design, for a thumbnail. */
export function thumbOf(
  { blocks, ...site }: Site,
  { theme_id, custom_theme }: Pick<Site, 'theme_id' | 'custom_theme'>,
  design?: Readonly<Record<string, unknown>>,
): string {
  const settings = blocks.filter(isSettings);
  const first = blocks.filter((block) => block.enabled && !isSettings(block)).slice(0, SHOWN);
  const id = () => '00000000-0000-4000-8000-000000000000';
  return JSON.stringify({
    ...site,
    theme_id,
    custom_theme,
    blocks: withDesign([...settings, ...first], design, id),
  });
}
