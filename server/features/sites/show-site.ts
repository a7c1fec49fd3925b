import type { Block } from '#contract/block.ts';
import type { SiteRow } from '#db/queries/sites/sites.ts';
import type { Figures } from '../metrics/figures.ts';
import { currentBlocks, nextChangeOf } from '#page/blocks/index.ts';
import { figureQueriesOf } from '#page/blocks/metric.ts';
import { listedFromOf } from '#page/listed-from.ts';
import type { PublicSite } from '#page/public-site.ts';

/** A site as it is stored, with the blocks that are enabled; or with the first of them, if there are more. */
interface StoredSite extends SiteRow {
  account_id: string;
  account_created_at: Date;
  has_mail: boolean;
  blocks: readonly Block[];
  has_more?: boolean;
}

/** Settings that a site is shown with. */
interface Settings {
  name: string;
  now: Date;
  mailDomain: string;
  /** Days of an account in which search engines do not list its page. */
  noindexDays: number;
  /** Whether its owner looks at it before it is saved, and would rather wait than miss a number. */
  isPreview?: boolean;
}

/** Reads what is shown of a site under a name at a time, with its numbers, and until when; undefined if it stays so. */
export async function showSite(
  row: StoredSite,
  { name, now, mailDomain, noindexDays, isPreview }: Settings,
  figures: Pick<Figures, 'find'> | undefined,
): Promise<{ site: PublicSite; until: Date | undefined }> {
  const blocks = currentBlocks(row.blocks, now);
  const listedFrom = listedFromOf(row.account_created_at, noindexDays);
  const isNew = listedFrom > now;
  const shown = await figures?.find(row.account_id, figureQueriesOf(blocks), { isPreview });
  const site = {
    name,
    title: row.display_name,
    bio: row.bio,
    avatarUrl: row.avatar_url,
    location: row.location,
    mood: row.mood,
    themeId: row.theme_id,
    customTheme: row.custom_theme,
    settings: row.settings,
    blocks,
    hasMore: row.has_more ?? false,
    mailAddress: row.has_mail ? `${name}@${mailDomain}` : undefined,
    isNew,
    figures: shown?.figures ?? new Map(),
  };
  const changes = [nextChangeOf(row.blocks, now), shown?.until, isNew ? listedFrom : undefined];
  return { site, until: earliest(changes) };
}

function earliest(times: (Date | undefined)[]): Date | undefined {
  return times.filter((time) => time !== undefined).toSorted((one, other) => +one - +other)[0];
}
