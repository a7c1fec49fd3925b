import type { ReadDatabase } from '#db/connections/read-database.ts';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { HostOptions } from '../http/access/hosts.ts';
import type { SignUpService } from '../features/sign-up/sign-up-service.ts';
import type { RateLimits } from '../http/access/rate-limits.ts';
import type { SignInDeps } from '../http/access/signed-in-caller.ts';
import type { PageSettings } from '../http/responses/page.ts';
import type { CustomDomains } from '../features/domains/custom-domains.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Forwarding } from '../features/forwarding/forwarding.ts';
import type { SignOnProvider } from '../features/sign-on/sign-on.ts';
import type { PageMetrics } from '../features/metrics/page-metrics.ts';

export interface PageDependencies extends SignInDeps, HostOptions, PageSettings {
  db: Kysely<Database>;
  /** For single SELECT statements. May be the same as `db`. */
  readDb: ReadDatabase;
  pageMetrics: PageMetrics;
  forwarding: Forwarding;
  outbox: Outbox;
  mailDomain: string;
  rateLimits: RateLimits;
  customDomains?: CustomDomains | undefined;
  signUps: SignUpService;
  signOn?: Pick<SignOnProvider, 'name'> | undefined;
  /** Redirect target of `/`. If undefined, `/` is the landing page. */
  homeUrl?: string | undefined;
  /** Email address or URL for reports. If undefined, pages have a report form. */
  abuseContact?: string | undefined;
  /** Days after sign-up during which a page is `noindex`. */
  noindexDays: number;
  /** How long shared caches may keep a page. */
  pageCacheSeconds: number;
  countryHeader?: string | undefined;
}
