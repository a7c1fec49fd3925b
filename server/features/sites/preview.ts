import type { Block } from '#contract/block.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { findOwnSite } from '#db/queries/sites/public-sites.ts';
import { type InstanceStore, toPageInstance } from '../instance/instance-store.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import type { PageMetrics } from '../metrics/page-metrics.ts';
import { toSiteChange, applyChange } from './change-site.ts';
import { buildPublicSite } from './build-public-site.ts';
import { type SitePage, renderSite } from '#page/render-site.ts';

/** Used if the account has no display name yet. */
const PLACEHOLDER_NAME = 'your-name';

export interface PreviewDeps {
  pageMetrics: PageMetrics;
  mailDomain: string;
  abuseContact?: string | undefined;
  instanceStore: InstanceStore;
  publicUrl?: string | undefined;
  noindexDays: number;
  outbox: Pick<Outbox, 'isAvailable'>;
}

interface PreviewOptions {
  accountId: string;
  update: UpdateSiteConfigurationRequest;
  origin: string;
  isFramed?: boolean;
}

export async function previewPage(
  db: ReadDatabase,
  {
    pageMetrics,
    mailDomain,
    abuseContact,
    noindexDays,
    outbox,
    instanceStore,
    publicUrl,
  }: PreviewDeps,
  { accountId, update, origin, isFramed = false }: PreviewOptions,
): Promise<SitePage> {
  const currentSite = await findOwnSite(db, accountId);
  const now = new Date();
  const name = currentSite.name ?? PLACEHOLDER_NAME;
  const changedSite = applyChange(currentSite, toSiteChange(update));
  const { site } = await buildPublicSite(
    { ...changedSite, ...takeBlocksThatFit(changedSite.blocks) },
    { name, now, mailDomain, noindexDays, outbox, isPreview: true },
    pageMetrics,
  );
  const instance = toPageInstance(instanceStore.current, publicUrl ?? origin);
  const context = { url: `${origin}/@${name}`, now, isFramed };
  return renderSite(site, context, { abuseContact, instance });
}

/** Returns the enabled blocks that fit on a page, like `findPages` for public pages. */
export function takeBlocksThatFit(blocks: readonly Block[]): {
  blocks: Block[];
  has_more: boolean;
} {
  const enabled = blocks.filter((block) => block.enabled);
  let remainingBytes: number = LIMITS.pageBytes;
  const end = enabled.findIndex((block) => (remainingBytes -= blockBytes(block)) < 0);
  return end < 0
    ? { blocks: enabled, has_more: false }
    : { blocks: enabled.slice(0, end), has_more: true };
}

/** Size in bytes as stored, without the id and the type. */
function blockBytes({
  id: _id,
  type: _type,
  enabled: _enabled,
  content,
  url,
  ...fields
}: Block): number {
  return [content ?? '', url ?? '', JSON.stringify(fields)]
    .map((text) => Buffer.byteLength(text))
    .reduce((a, b) => a + b);
}
