import type { Block } from '../../../contract/block.ts';
import type { SiteRow } from '../../../db/queries/sites.ts';
import type { Figures } from '../metrics/figures.ts';
import { currentBlocks, nextChangeOf } from './blocks/index.ts';
import { figureQueriesOf } from './blocks/metric.ts';
import type { PublicSite } from './public-site.ts';

/** A site as it is stored, with the blocks that are enabled. */
interface StoredSite extends SiteRow {
  account_id: string;
  has_mail: boolean;
  blocks: readonly Block[];
}

/** What is shown of a site under a name at a time, with its numbers, and until when; undefined if it stays so. */
export async function showSite(
  row: StoredSite,
  { name, now, mailDomain }: { name: string; now: Date; mailDomain: string },
  figures: Pick<Figures, 'find'> | undefined,
): Promise<{ site: PublicSite; until: Date | undefined }> {
  const blocks = currentBlocks(row.blocks, now);
  const shown = await figures?.find(row.account_id, figureQueriesOf(blocks));
  const site = {
    name,
    title: row.display_name,
    bio: row.bio,
    avatarUrl: row.avatar_url,
    location: row.location,
    mood: row.mood,
    themeId: row.theme_id,
    customTheme: row.custom_theme,
    blocks,
    mailAddress: row.has_mail ? `${name}@${mailDomain}` : undefined,
    figures: shown?.figures ?? new Map(),
  };
  return { site, until: earlier(nextChangeOf(row.blocks, now), shown?.until) };
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (!one || !other) return one ?? other;
  return one < other ? one : other;
}
