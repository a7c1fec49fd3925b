import type { Reads } from '../../../db/connections/databases.ts';
import type { UpdateSiteConfigurationRequest } from '../../../contract/site.ts';
import { findOwnSite } from '../../../db/queries/sites/public-sites.ts';
import type { Figures } from '../metrics/figures.ts';
import { changeOf, changed } from '../sites/change-site.ts';
import { firstBlocks } from './first-blocks.ts';
import { showSite } from './show-site.ts';
import { type SitePage, renderSite } from './site-page.ts';

/** The name on a page whose account has none yet. */
const NO_NAME = 'your-name';

/** Settings of pages, beside the site. */
export interface PageSettings {
  figures: Figures;
  mailDomain: string;
  abuseContact?: string | undefined;
  /** Days of an account in which search engines do not list its page. */
  noindexDays: number;
}

/** Which change of whose site, and how it is shown. */
interface Preview {
  accountId: string;
  sent: UpdateSiteConfigurationRequest;
  origin: string;
  isFramed?: boolean;
}

/** The page of an account, as it would be with a change of its site; nothing is stored. */
export async function previewPage(
  db: Reads,
  { figures, mailDomain, abuseContact, noindexDays }: PageSettings,
  { accountId, sent, origin, isFramed = false }: Preview,
): Promise<SitePage> {
  const stored = await findOwnSite(db, accountId);
  const now = new Date();
  const name = stored.name ?? NO_NAME;
  const wanted = changed(stored, changeOf(sent));
  const { site } = await showSite(
    { ...wanted, ...firstBlocks(wanted.blocks) },
    { name, now, mailDomain, noindexDays, isPreview: true },
    figures,
  );
  return renderSite(site, { url: `${origin}/@${name}`, now, isFramed }, { abuseContact });
}
