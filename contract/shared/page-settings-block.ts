import type { Block } from '../block.ts';
import { findPageSettingsIndex } from './find-page-settings.ts';

/** Page settings. In requests and responses of the API they are a block of type `page`. */
export interface PageSettings {
  id: string;
  /** The index of the `page` block among all blocks. */
  position: number;
  /** All fields as they were sent, including unknown ones. */
  fields: Readonly<Record<string, unknown>>;
}

/** The settings and the blocks, which the API combines into one list. */
export interface PageContent {
  settings: PageSettings | null;
  blocks: readonly Block[];
}

export function extractPageSettings(blocks: readonly Block[]): PageContent & { blocks: Block[] } {
  const position = findPageSettingsIndex(blocks);
  if (position < 0) return { settings: null, blocks: [...blocks] };
  const { id, type: _type, enabled: _enabled, ...fields } = blocks[position]!;
  return { settings: { id, position, fields }, blocks: blocks.toSpliced(position, 1) };
}

export function addPageSettingsBlock({ settings, blocks }: PageContent): Block[] {
  if (!settings) return [...blocks];
  const { id, position, fields } = settings;
  return blocks.toSpliced(position, 0, { id, type: 'page', enabled: true, ...fields });
}
