import type { Block } from '#contract/block.ts';
import { pickSiteFields } from '#contract/shared/site-fields.ts';
import type { PageCovers } from '#db/queries/public-sites.ts';
import type { SiteRow } from '#db/queries/sites.ts';
import { activeBlocks, nextChangeTime } from '#page/blocks/index.ts';
import { pageMetricQueries } from '#page/blocks/metric.ts';
import { resolveClubTheme } from '#page/design/club-theme.ts';
import type { PublicSite } from '#page/public-site.ts';
import type { Core } from '#server/core.ts';
import { withCovers } from '../covers/with-covers.ts';
import type { PageMetrics } from '../metrics/page-metrics.ts';
import { listedFromOf } from './listed-from.ts';

/** `blocks` contains only enabled blocks. `has_more` means that some of them were left out. */
interface StoredSite extends SiteRow {
  account_id: string;
  account_created_at: Date;
  changed_at?: ReadonlyMap<string, Date>;
  has_mail: boolean;
  has_confirmed_address: boolean;
  blocks: readonly Block[];
  has_more?: boolean;
  for_members?: boolean;
  covers: PageCovers;
}

interface BuildOptions {
  name: string;
  now: Date;
  pageMetrics?: PageMetrics | undefined;
  /** Previews wait longer for page metrics than public pages do. */
  isPreview?: boolean;
}

/** The page may change at `until`, for example because a block is scheduled. */
export async function buildPublicSite(
  {
    config,
    covers,
    instanceStore,
    outbox,
    pagesOrigin,
  }: Pick<Core, 'config' | 'instanceStore' | 'outbox' | 'pagesOrigin'> & {
    covers?: object | undefined;
  },
  row: StoredSite,
  { name, now, pageMetrics, isPreview }: BuildOptions,
): Promise<{ site: PublicSite; until: Date | undefined }> {
  const blocks = withCovers(
    activeBlocks(row.blocks, now),
    covers ? row.covers : null,
    pagesOrigin(),
  );
  const listedFrom = listedFromOf(row.account_created_at, config);
  const isNew = listedFrom > now;
  const metricResult = await pageMetrics?.find(row.account_id, pageMetricQueries(blocks), {
    isPreview,
  });
  const site = {
    ...pickSiteFields(row),
    ...resolveClubTheme(row, instanceStore.current),
    name,
    settings: row.settings,
    blocks,
    isTruncated: row.has_more ?? false,
    mailAddress: row.has_mail ? `${name}@${config.MAIL_DOMAIN}` : undefined,
    takesMessages: row.has_confirmed_address && outbox.isAvailable,
    isNew,
    isForMembers: row.for_members ?? false,
    changedAt: row.changed_at ?? new Map(),
    pageMetrics: metricResult?.pageMetrics ?? new Map(),
  };
  const changeTimes = [
    nextChangeTime(row.blocks, now),
    metricResult?.until,
    isNew ? listedFrom : undefined,
  ];
  const [until] = changeTimes.filter((time) => time !== undefined).toSorted((a, b) => +a - +b);
  return { site, until };
}
