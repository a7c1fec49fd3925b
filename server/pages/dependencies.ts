import type { Reads } from '#db/connections/databases.ts';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Whereabouts } from '../http/access/own-host.ts';
import type { SignUps } from '../features/sign-up/sign-up-limits.ts';
import type { Rates } from '../http/access/rate-limits.ts';
import type { SignIns } from '../http/access/signed-in.ts';
import type { PageFrame } from '../http/answers/page.ts';
import type { CustomDomains } from '../features/domains/custom-domains.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { Forwarding } from '../features/forwarding/forwarding.ts';
import type { SignOn } from '../features/sign-on/sign-on.ts';
import type { PageNumbers } from '../features/metrics/page-numbers.ts';

/** Everything that pages need. */
export interface PageDependencies extends SignIns, Whereabouts, PageFrame {
  db: Kysely<Database>;
  /** Where single reading statements run; may be the same. */
  reads: Reads;
  pageNumbers: PageNumbers;
  forwarding: Forwarding;
  outbox: Outbox;
  mailDomain: string;
  rates: Rates;
  /** Undefined if the server has no custom domains. */
  customDomains?: CustomDomains | undefined;
  signUps: SignUps;
  /** Undefined if the operator set no single sign-on up. */
  signOn?: Pick<SignOn, 'name'> | undefined;
  /** Where the bare address leads; without it, there is the landing page. */
  homeUrl?: string | undefined;
  /** Where visitors report a page: an e-mail address or a URL. */
  abuseContact?: string | undefined;
  /** Days of an account in which search engines do not list its page. */
  noindexDays: number;
  /** For how long others may keep a page without asking. */
  pageCacheSeconds: number;
  /** Header in which a proxy says a visitor's country. */
  countryHeader?: string | undefined;
}
