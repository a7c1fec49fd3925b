import type { Block } from '#contract/block.ts';
import { utcDay } from '#contract/shared/durations.ts';
import { extractPageSettings } from '#contract/shared/page-settings-block.ts';
import { DIRECT_REFERRER, OTHER_VALUE } from '#contract/shared/visits.ts';
import { api, owner, type ResponseOf } from '#dashboard/api/api.ts';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { loadPageVisibility } from '#dashboard/page-visibility.ts';
import { forwardsMail } from '#dashboard/session.ts';
import type { Forwarding } from '../mail/forwarding-text.ts';
import type { Project } from '../metrics/metrics-query.ts';
import { findLinkTitles } from '../visitors/link-titles.ts';
import type { PageStage, TodaysVisits } from './home-text.ts';

export interface AccountSummary extends PageStage {
  /** The page's title, or the display name if it has none. */
  title: string;
  /** Whether the page is or was published. */
  wasPublished: boolean;
  blockCount: number;
  hasPicture: boolean;
  today: TodaysVisits;
  /** Undefined if the server forwards no mail. */
  forwarding: Forwarding | undefined;
  projects: readonly Project[];
  hasMetric: boolean;
  isOperator: boolean;
  hasDeveloperTools: boolean;
  /** Whether the account has a way to log in again, such as a passkey or a key. */
  canLogInAgain: boolean;
}

export async function loadSummary(): Promise<AccountSummary> {
  const [{ display_name }, visibility, { site, blocks }, projects, session, visits, forwarding] =
    await Promise.all([
      api.account.getDisplayName(),
      loadPageVisibility(),
      owner.page.getPageVersion(),
      loadProjects(),
      loadCurrentAccount(),
      loadToday(),
      forwardsMail ? owner.forwarding.getForwarding() : undefined,
    ]);
  const page = extractPageSettings(blocks as Block[]);
  return {
    name: display_name,
    title: site.display_name || display_name,
    visibility,
    isSuspended: session.page_suspension_reason !== null,
    isCounting: visits?.counting ?? false,
    hadVisits: typeof visits?.first_day === 'string',
    forwarding,
    wasPublished: session.page_was_visible,
    blockCount: page.blocks.length,
    hasPicture: Boolean(site.avatar_url),
    today: visits ? summarizeToday(visits.visitors, page.blocks) : NO_VISITS,
    isOperator: session.operator,
    hasDeveloperTools: session.developer_tools,
    canLogInAgain: session.can_log_in_again,
    ...projects,
  };
}

const MAX_PROJECTS = 3;

async function loadProjects(): Promise<Pick<AccountSummary, 'projects' | 'hasMetric'>> {
  const projects = (await api.stats.getProjects()).projects.slice(0, MAX_PROJECTS);
  const metricLists = projects.map(({ id }) =>
    owner.metrics.listMetrics({ project_id: id, limit: 1 }),
  );
  const hasMetric = (await Promise.all(metricLists)).some(({ metrics }) => metrics.length > 0);
  return { projects, hasMetric };
}

const NO_VISITS: TodaysVisits = { views: 0, clicks: 0, source: undefined, link: undefined };

async function loadToday() {
  if (!isOn('visitors')) return undefined;
  const day = utcDay(Date.now());
  const [visitors, counting] = await Promise.all([
    owner.visitors.queryVisitors({ since: day, until: day, limit: 3 }),
    owner.visitors.getVisitorCounting(),
  ]);
  return { visitors, ...counting };
}

function summarizeToday(
  { views, clicks, referrers: [top], links }: ResponseOf<typeof owner.visitors.queryVisitors>,
  blocks: readonly Block[],
): TodaysVisits {
  const isSource =
    top && top.value !== DIRECT_REFERRER && top.value !== OTHER_VALUE && top.count > views / 2;
  const titles = findLinkTitles(blocks);
  const link = links.find(({ value }) => titles.has(value));
  return {
    views,
    clicks,
    source: isSource ? top.value : undefined,
    link: link && { title: titles.get(link.value)!, clicks: link.count },
  };
}
