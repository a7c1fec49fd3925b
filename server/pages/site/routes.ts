import type { FastifyInstance } from 'fastify';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { AT_EVERY_HOST } from '#server/http/access/own-host.ts';
import { securityHeaders } from '#server/http/answers/headers.ts';
import { PAGE_REFUSALS } from '#server/http/answers/refusals.ts';
import { refuserOf } from '#server/refusal.ts';
import type { PageDependencies } from '../dependencies.ts';
import { nameIn } from './page-address.ts';
import { pictureFiles } from './pictures.ts';
import { reportPages } from './report.ts';
import { type Named, PAGE_UNKNOWN, type SiteAnswers } from './site-answers.ts';

const refuse = refuserOf(PAGE_REFUSALS);

const URI = /^[a-z][a-z\d+.-]*:./is;

const AT_PAGES = { config: { isFoundAt: ['pages'] } } as const;
const AT_DOMAINS = { config: { isFoundAt: ['domains'] } } as const;

/** Where files of pages are: below the name of a page, and at the root of a custom domain. */
const PLACES = [
  ['/@:name', AT_PAGES],
  ['', AT_DOMAINS],
] as const;

/** A font never changes: its name is of what is in it. */
const FONT_HEADERS = {
  'content-type': 'font/woff2',
  'cache-control': 'public, max-age=31536000, immutable',
  ...securityHeaders(),
};

/** Headers of an answer without content. */
const NO_CONTENT = securityHeaders();

/** Files below a page, beside the page itself. */
const FILES = ['card.png', 'qr.svg', 'card.vcf', 'page.json'] as const;

/** The pages of sites, their files, pictures and fonts, and WebFinger. */
export function sitePages(
  scope: FastifyInstance,
  dependencies: PageDependencies,
  answers: SiteAnswers,
): void {
  scope.get<Named>('/@:name', AT_PAGES, (request, reply) => answers.answer(request, reply, 'page'));
  scope.get<Named>('/@:name/', AT_PAGES, (request, reply) =>
    answers.answer(request, reply, 'page'),
  );
  for (const [root, place] of PLACES) {
    for (const file of FILES)
      scope.get<Named>(`${root}/${file}`, place, (request, reply) =>
        answers.answer(request, reply, file),
      );
    scope.get<{ Params: Named['Params'] & { block: string } }>(
      `${root}/metric/:block.svg`,
      place,
      async (request, reply) => {
        const { block } = request.params;
        if (!UUID_PATTERN.test(block)) throw await answers.unknown(request);
        return answers.answer(request, reply, `metric/${block}.svg`);
      },
    );
    scope.post<Named>(`${root}/click`, place, async (request, reply) => {
      await answers.countClick(request);
      return reply.status(204).headers(NO_CONTENT).removeHeader('content-type').send();
    });
  }

  scope.get('/report', AT_DOMAINS, (request, reply) => answers.leadToReport(request, reply));

  pictureFiles(scope, dependencies);
  reportPages(scope, answers, dependencies);

  // Previews have them, too.
  scope.get<{ Params: { file: string } }>(
    '/fonts/:file',
    AT_EVERY_HOST,
    async ({ params }, reply) => {
      const { fontFile } = await import('#page/fonts.ts');
      const bytes = fontFile(params.file);
      if (!bytes) throw PAGE_UNKNOWN;
      return reply.headers(FONT_HEADERS).send(bytes);
    },
  );

  scope.get<{ Querystring: { resource?: unknown } }>(
    '/.well-known/webfinger',
    AT_PAGES,
    async (request, reply) => {
      const { resource } = request.query;
      if (typeof resource !== 'string' || !URI.test(resource)) throw refuse('resourceMalformed');
      await answers.refuseGuesses(request);
      const { host } = new URL(answers.origin);
      const [, user = '', at] = /^acct:([^@]+)@(.+)$/.exec(resource) ?? [];
      const name = nameIn(user);
      if (name === undefined || at?.toLowerCase() !== host) throw await answers.unknown(request);
      return answers.send(request, reply, { name, file: 'webfinger' });
    },
  );
}
