import type {
  BlockUpdate,
  UpdatePageRequest,
  GetPageVersionResponse,
} from '#client/generated/owner-operations.ts';
import { uuid } from '#client/uuid.ts';
import type { Block } from '#contract/block.ts';
import {
  type PageSettings,
  addPageSettingsBlock,
  extractPageSettings,
} from '#contract/shared/page-settings-block.ts';
import type { SiteDetails } from '#contract/site.ts';

export type { Block, PageSettings };

/** A site in the editor. Page settings are separate from the blocks. */
export type Site = SiteDetails & {
  settings: PageSettings | null;
  blocks: Block[];
};

/** A site as the API expects it: page settings are one of the blocks. */
type SiteRequest = Omit<UpdatePageRequest, 'version'> & { blocks: (Block & BlockUpdate)[] };

export function createPageSettings(): PageSettings {
  return { id: uuid(), position: 0, fields: {} };
}

export function toSite({ site, blocks }: Pick<GetPageVersionResponse, 'site' | 'blocks'>): Site {
  const { themes: _preset, ...details } = site;
  return { ...details, ...extractPageSettings(blocks as Block[]) };
}

export function toRequest({ settings, blocks, ...details }: Site): SiteRequest {
  return {
    ...details,
    theme_id: details.theme_id as SiteRequest['theme_id'],
    blocks: addPageSettingsBlock({ settings, blocks }) as SiteRequest['blocks'],
  };
}
