import type { FastifyInstance } from 'fastify';
import { LIMITS } from '#contract/limits.ts';
import { authenticatedContract } from '#contract/owner/index.ts';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import type { DatabaseQueues } from '../limits/database-queues.ts';
import { refuseInvalid } from '../http/contract/adapter.ts';
import { callerOf } from '../http/access/caller.ts';
import { type Guarding, guard } from '../http/access/guard.ts';
import { securityHeaders } from '../http/answers/headers.ts';
import { parseJson } from '../http/contract/json-body.ts';
import { answerInPages, PAGE_POLICY, type PageFrame } from '../http/answers/page.ts';
import type { Whereabouts } from '../http/access/own-host.ts';
import { originOf } from '../http/access/public-origin.ts';
import type { PreviewDeps } from '../features/sites/preview.ts';

/** Dependencies of previews. */
export interface PreviewDependencies
  extends Guarding, PageFrame, PreviewDeps, Pick<Whereabouts, 'pagesUrl'> {
  queues: DatabaseQueues;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};
/** A frame of the dashboard shows it; nothing in it runs, and its links open beside the dashboard. */
const FRAMED = {
  'frame-ancestors': "'self'",
  sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
};

const { preview } = authenticatedContract.page;
const FIELD = 'site=';

/**
 * The page with a change that is not saved, for a frame of the dashboard: its form posts the change
 * in its field `site`, since scripts there cannot write HTML into a frame.
 */
export function previewFrame(
  scope: FastifyInstance,
  { queues, ...dependencies }: PreviewDependencies,
): void {
  answerInPages(scope, dependencies, {
    ...HEADERS,
    ...securityHeaders({ ...PAGE_POLICY, ...FRAMED }),
  });
  guard(scope, dependencies);
  scope.removeAllContentTypeParsers();
  // A form of type text/plain sends the name of its field and its value.
  scope.addContentTypeParser(
    'text/plain',
    { parseAs: 'buffer', bodyLimit: LIMITS.bodyBytes },
    (_request, body, done) => {
      try {
        done(
          null,
          parseJson((body as Buffer).subarray(FIELD.length), preview.metadata.exactNumbersIn),
        );
      } catch (error) {
        done(error as Error);
      }
    },
  );
  scope.post('/dashboard/preview', { config: { tsRestRoute: preview } }, async (request, reply) => {
    const { data: sent, error } = UpdateSiteConfigurationRequest.safeParse(request.body);
    if (!sent) throw refuseInvalid(error.issues, preview);
    const { accountId } = callerOf(request);
    const { previewPage } = await import('../features/sites/preview.ts');
    const {
      html,
      cspStyleSource: styleSource,
      cspFrameSources: frames,
    } = await previewPage(queues.reads.of(accountId), dependencies, {
      accountId,
      sent,
      origin: originOf(scope, dependencies.pagesUrl),
      isFramed: true,
    });
    const policy = securityHeaders({
      'style-src': styleSource,
      'img-src': "'self' https: data:",
      'font-src': "'self'",
      ...(frames.length > 0 && { 'frame-src': frames.join(' ') }),
      ...FRAMED,
    });
    return reply.headers(policy).send(html);
  });
}
