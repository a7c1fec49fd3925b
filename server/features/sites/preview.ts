import type { Block } from '#contract/block.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import type { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findOwnSite } from '#db/queries/public-sites.ts';
import { type SitePage, renderSite } from '#page/render-site.ts';
import type { Core } from '#server/core.ts';
import { toPageInstance } from '#server/platform/instance-store.ts';
import type { PageMetrics } from '../metrics/page-metrics.ts';
import { buildPublicSite } from './build-public-site.ts';
import { toSiteChange, applyChange } from './change-site.ts';
import { type ReportContactApp, reportContactOf } from './report-contact.ts';

/** Used if the account has no display name yet. */
const PLACEHOLDER_NAME = 'your-name';

interface PreviewOptions {
  accountId: string;
  update: UpdateSiteConfigurationRequest;
  isFramed?: boolean;
}

export async function previewPage(
  db: ReadDatabase,
  app: Pick<Core, 'config' | 'instanceStore' | 'origin' | 'outbox' | 'pagesOrigin'> &
    ReportContactApp & { covers?: object | undefined; metrics: PageMetrics },
  { accountId, update, isFramed = false }: PreviewOptions,
): Promise<SitePage> {
  await app.instanceStore.refresh();
  const currentSite = await findOwnSite(db, accountId);
  const now = new Date();
  const name = currentSite.name ?? PLACEHOLDER_NAME;
  const changedSite = applyChange(currentSite, toSiteChange(update));
  const { site } = await buildPublicSite(
    app,
    { ...changedSite, ...takeBlocksThatFit(changedSite.blocks) },
    { name, now, pageMetrics: app.metrics, isPreview: true },
  );
  const instance = toPageInstance(app.instanceStore.current, app.origin());
  const context = { url: `${app.pagesOrigin()}/@${name}`, now, isFramed };
  return renderSite(site, context, { abuseContact: reportContactOf(app), instance });
}

/** Returns the enabled blocks that fit on a page, like `findPages` for public pages. */
export function takeBlocksThatFit(blocks: readonly Block[]): {
  blocks: Block[];
  has_more: boolean;
} {
  const enabled = blocks.filter((block) => block.enabled);
  let remainingBytes: number = LIMITS.pageBytes;
  for (const [index, block] of enabled.entries()) {
    remainingBytes -= blockBytes(block);
    if (remainingBytes < 0) return { blocks: enabled.slice(0, index), has_more: true };
  }
  return { blocks: enabled, has_more: false };
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
