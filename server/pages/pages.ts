import type { FastifyPluginAsync } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { surface } from '../http/surface.ts';
import { type Limits, shedFirst } from '../http/shedding.ts';
import { type Whereabouts, refuseOtherHosts } from '../http/access/own-host.ts';
import type { Rates } from '../http/access/rate-limits.ts';
import type { SignIns } from '../http/access/signed-in.ts';
import type { Forwarding } from '../service/forwarding/service.ts';
import type { Figures } from '../service/metrics/figures.ts';
import { confirmationPages } from './confirmation.ts';
import { answerInPages } from '../http/answers/page.ts';
import { sitePages } from './site/routes.ts';
import { wellKnown } from './well-known.ts';

/** What pages work with. */
export interface PageDependencies extends SignIns, Whereabouts {
  db: Kysely<Database>;
  /** Where single reading statements run; may be the same. */
  reads: Kysely<Database>;
  figures: Figures;
  forwarding: Forwarding;
  mailDomain: string;
  limits: Limits;
  rates: Rates;
  /** Where the bare address leads; without it, to the dashboard. */
  homeUrl?: string | undefined;
  /** Where visitors report a page: an e-mail address or a URL. */
  abuseContact?: string | undefined;
  /** Days of an account in which search engines do not list its page. */
  noindexDays: number;
  /** For how long others may keep a page without asking. */
  pageCacheSeconds: number;
}

/** Pages for people, in HTML without scripts. */
export function pages(dependencies: PageDependencies): FastifyPluginAsync {
  return surface(async (scope) => {
    answerInPages(scope);
    shedFirst(scope, dependencies.limits);
    scope.addHook('onRequest', refuseOtherHosts(dependencies));
    // Forms here hold nothing but a button: no body is read.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    confirmationPages(scope, dependencies);
    sitePages(scope, dependencies);
    wellKnown(scope, dependencies);
  });
}
