import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { LEGAL_DOCUMENTS, legalTitle } from '#contract/shared/instance.ts';
import { PICTURE_ID_PATTERN } from '#contract/shared/pictures.ts';
import { findInstancePicture } from '#db/queries/instance.ts';
import { type Html, html, trustedHtml } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { plateStyle } from '#server/entry/pages/shell/page-style.ts';
import { renderDocument } from '#server/entry/pages/shell/page.ts';
import { ON_EVERY_HOST } from '#server/platform/http/access/hosts.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import {
  createRepresentation,
  type Representation,
  sendRepresentation,
} from '#server/platform/http/responses/representation.ts';
import { PAGE_NOT_FOUND } from './site/site-responder.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const MAX_CACHED_LOGOS = 4;

/** Many texts start with their title, which is the heading of the page. */
function withoutTitle(text: Html, title: string): Html {
  const [heading = '', ownTitle] = /^\s*<h\d[^<>]*>([^<]+)<\/h\d>/.exec(text.toString()) ?? [];
  return ownTitle?.toLowerCase() === title.toLowerCase()
    ? trustedHtml(text.toString().slice(heading.length))
    : text;
}

/** The colors and logos of the installation, whose paths change with their content, and its texts. */
export function registerInstanceRoutes(
  scope: FastifyInstance,
  app: Pick<Core, 'instanceStore' | 'origin' | 'pageReadDb'>,
): void {
  for (const name of LEGAL_DOCUMENTS)
    scope.get(`/${name}`, (request, reply) => {
      const text = app.instanceStore.current.legalHtml[name];
      if (!text) throw PAGE_NOT_FOUND;
      const { t } = request;
      const title = legalTitle(name, t);
      const main = html`<main id="main" class="text">
        <p>
          <a href="/">${t('Back to {name}', { name: app.instanceStore.current.displayName })}</a>
        </p>
        <article>
          <h1>${title}</h1>
          ${withoutTitle(text, title)}
        </article>
      </main>`;
      return reply.send(renderDocument(app, { t, title, main }));
    });

  scope.get<{ Params: { top: string; bottom: string } }>(
    '/instance/:top([0-9a-f]{6})-:bottom([0-9a-f]{6}).css',
    ON_EVERY_HOST,
    (request, reply) => {
      const { top, bottom } = request.params;
      return reply
        .headers({ ...securityHeaders(), 'cache-control': IMMUTABLE })
        .type('text/css; charset=utf-8')
        .send(plateStyle({ top: `#${top}`, bottom: `#${bottom}` }));
    },
  );

  const logos = new LRUCache<string, Representation>({ max: MAX_CACHED_LOGOS });
  scope.get<{ Params: { logo: string } }>(
    '/instance/:logo.webp',
    ON_EVERY_HOST,
    async (request, reply) => {
      const { logo: id } = request.params;
      let logo = logos.get(id);
      if (!logo) {
        const body = PICTURE_ID_PATTERN.test(id)
          ? await findInstancePicture(app.pageReadDb, id)
          : undefined;
        if (!body) throw PAGE_NOT_FOUND;
        const content = { type: 'image/webp', headers: securityHeaders(), body };
        logo = await createRepresentation(content, 'identity');
        logos.set(id, logo);
      }
      return sendRepresentation(request, reply, logo, IMMUTABLE);
    },
  );
}
