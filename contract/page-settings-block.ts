import type { Block } from './block.ts';

/** Page settings. In requests and responses of the API they are a block of type `page`. */
export interface PageSettings {
  id: string;
  /** Index of the block among the blocks of the API. */
  position: number;
  /** All fields as they were sent, known or not. */
  fields: Readonly<Record<string, unknown>>;
}

/** What the API sends and returns as one list of blocks. */
export interface PageContent {
  settings: PageSettings | null;
  blocks: readonly Block[];
}

/** Takes the settings out of the blocks of a request: the first enabled block of type `page`. */
export function extractPageSettings(all: readonly Block[]): PageContent & { blocks: Block[] } {
  const position = all.findIndex(({ type, enabled }) => type === 'page' && enabled);
  if (position < 0) return { settings: null, blocks: [...all] };
  const { id, type: _type, enabled: _enabled, ...fields } = all[position]!;
  return { settings: { id, position, fields }, blocks: all.toSpliced(position, 1) };
}

/** Puts the settings back among the blocks. */
export function insertPageSettings({ settings, blocks }: PageContent): Block[] {
  if (!settings) return [...blocks];
  const { id, position, fields } = settings;
  return blocks.toSpliced(position, 0, { id, type: 'page', enabled: true, ...fields });
}
