import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { authenticatedContract } from '#contract/owner/index.ts';
import { UpdateInstanceRequest } from '#contract/owner/instance.ts';
import { PATH_NOT_FOUND_REFUSALS } from '#contract/request-refusals.ts';
import { logoPath } from '#contract/shared/instance.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { parseStoredPicture, picturePath } from '#contract/shared/pictures.ts';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { findOurPage, isHiddenByOperator } from '#db/queries/public-sites.ts';
import { createPageStyle } from '#server/entry/pages/shell/page-style.ts';
import { sendErrorsAsPages, PAGE_POLICY } from '#server/entry/pages/shell/page.ts';
import { readMemberName } from '#server/features/keepers/change-keepers.ts';
import { previewMemberMessage } from '#server/features/messages/member-message-mail.ts';
import type { Services } from '#server/features/services.ts';
import { guardAuthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { requireCaller } from '#server/platform/http/access/caller.ts';
import { createValidationRefusal } from '#server/platform/http/contract/field-refusals.ts';
import { parseJsonBody } from '#server/platform/http/contract/json-body.ts';
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { createInstance } from '#server/platform/instance-store.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { requireOperator } from '../api/require-operator.ts';
import { createFrontPage } from '../pages/landing/front-page.ts';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};
/** Only the dashboard may frame the preview. Scripts do not run, and links open in a new tab. */
const FRAME_POLICY = {
  'frame-ancestors': "'self'",
  sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
};

const { previewPage: previewRoute } = authenticatedContract.page;
const { getMember } = authenticatedContract.members;
const { updateInstance } = authenticatedContract.server;
const { previewMessage } = authenticatedContract.messages;
const refuse = createRefuser(PATH_NOT_FOUND_REFUSALS);
export const MESSAGE_PREVIEW_PATH = '/dashboard/message';

/**
 * Renders the page with unsaved changes for a frame of the dashboard. A form posts them as `site`,
 * because Trusted Types prevent scripts from writing HTML into the frame.
 */
export function registerPreviewRoute(server: FastifyInstance, app: Services): void {
  const headers = { ...HEADERS, ...securityHeaders({ ...PAGE_POLICY, ...FRAME_POLICY }) };
  sendErrorsAsPages(server, app, { headers });
  // Forms send no headers.
  server.addHook('onRequest', async (request) => {
    const { account } = request.query as { account?: unknown };
    if (account !== undefined) request.headers['nameplate-account'] = String(account);
  });
  guardAuthenticated(server, app);
  server.removeAllContentTypeParsers();
  // A `text/plain` form sends `name=value`.
  server.addContentTypeParser(
    'text/plain',
    { parseAs: 'buffer', bodyLimit: LIMITS.bodyBytes },
    async (_request: FastifyRequest, body: Buffer) =>
      parseJsonBody(body.subarray(body.indexOf('=') + 1)),
  );
  server.post(
    '/dashboard/preview',
    { config: { tsRestRoute: previewRoute } },
    async (request, reply) => {
      const { data: update, error } = UpdateSiteConfigurationRequest.safeParse(request.body);
      if (!update) throw createValidationRefusal(error.issues, previewRoute, request);
      const { accountId } = requireCaller(request);
      return sendPage(app, reply, app.queues.reads.databaseFor(accountId), { accountId, update });
    },
  );
  void server.register(async (operatorOnly) => {
    requireOperator(operatorOnly, app);
    registerHiddenPageRoute(operatorOnly, app);
    registerFrontPagePreview(operatorOnly, app);
    if (!app.features.off.includes('messages')) registerMessagePreview(operatorOnly, app);
  });
}

/**
 * Shows operators a page that one of them hides, for example before they answer a report. 404 if
 * none does, or if its owner has unpublished it.
 */
function registerHiddenPageRoute(server: FastifyInstance, app: Services): void {
  server.get(
    '/dashboard/hidden-page',
    { config: { tsRestRoute: getMember } },
    async (request, reply) => {
      const { data, error } = getMember.query.safeParse(request.query);
      if (!data) throw createValidationRefusal(error.issues, getMember, request);
      const { account_id: accountId } = data;
      const db = app.queues.reads.databaseFor(requireCaller(request).accountId);
      if (!(await isHiddenByOperator(db, accountId))) throw refuse('pathNotFound');
      // Attributes instead of CSS, because the policy allows only the page's own style sheet.
      const note = `<table role="presentation" width="100%" bgcolor="#222222" cellpadding="10"><tr><th><font color="#ffffff">${request.t('Hidden: visitors do not see this page.')}</font></th></tr></table>`;
      return sendPage(app, reply, db, { accountId, update: {}, note });
    },
  );
}

function registerFrontPagePreview(server: FastifyInstance, app: Services): void {
  const renderFrontPage = createFrontPage(app);
  server.post(
    '/dashboard/front-page',
    { config: { tsRestRoute: updateInstance } },
    async (request, reply) => {
      const { data, error } = UpdateInstanceRequest.safeParse(request.body);
      if (!data) throw createValidationRefusal(error.issues, updateInstance, request);
      const { logo_url, dark_logo_url, cover_url, our_page, ...fields } = data;
      const { current } = app.instanceStore;
      const logo = previewPicture(logo_url, current.logo_id);
      const darkLogo = previewPicture(dark_logo_url, current.dark_logo_id);
      const cover = previewPicture(cover_url, current.cover_id);
      const ids = {
        logo_id: logo.id,
        dark_logo_id: darkLogo.id,
        cover_id: cover.id,
        ...(our_page !== undefined && {
          our_page_id:
            (await findOurPage(app.pageReadDb, { name: readMemberName(our_page ?? '') }))
              ?.account_id ?? null,
        }),
      };
      const { headers, document } = await renderFrontPage(request, {
        instance: await createInstance(Object.assign({ ...current }, fields, ids)),
        framePolicy: FRAME_POLICY,
      });
      reply.headers(headers);
      return reply.send(cover.replaceUrl(darkLogo.replaceUrl(logo.replaceUrl(document))));
    },
  );
}

function registerMessagePreview(server: FastifyInstance, app: Services): void {
  server.post(
    MESSAGE_PREVIEW_PATH,
    { config: { tsRestRoute: previewMessage } },
    async (request, reply) => {
      const { data, error } = previewMessage.body.safeParse(request.body);
      if (!data) throw createValidationRefusal(error.issues, previewMessage, request);
      const { accountId } = requireCaller(request);
      const db = app.queues.reads.databaseFor(accountId);
      const { html } = await previewMemberMessage(db, app.origin(), { accountId, ...data });
      const [, css = ''] = html!.split(/<\/?style>/);
      const { cspSource } = createPageStyle(css);
      // Spam filters read the backgrounds of a mail from its style attributes only. Its texts are escaped.
      const policy = {
        'style-src': cspSource,
        'style-src-attr': "'unsafe-inline'",
        ...FRAME_POLICY,
      };
      reply.headers(securityHeaders(policy));
      return reply.send(html);
    },
  );
}

/** Until it is saved, a new logo or cover is only an uploaded picture. */
function previewPicture(url: string | null | undefined, currentId: string | null) {
  const picture = parseStoredPicture(url);
  return {
    id: picture?.id ?? (url === null ? null : currentId),
    replaceUrl: (text: string) =>
      picture ? text.replaceAll(logoPath(picture.id), picturePath(picture.id)) : text,
  };
}

async function sendPage(
  app: Services,
  reply: FastifyReply,
  db: ReadDatabase,
  { note = '', ...page }: PagePreview,
): Promise<FastifyReply> {
  const { previewPage } = await import('#server/features/sites/preview.ts');
  const {
    html,
    cspStyleSource: styleSource,
    cspFrameSources: frames,
  } = await previewPage(db, app, { ...page, isFramed: true });
  const policy = securityHeaders({
    'style-src': styleSource,
    'img-src': "'self' https: data:",
    'font-src': "'self'",
    ...(frames.length > 0 && { 'frame-src': frames.join(' ') }),
    ...FRAME_POLICY,
  });
  return reply.headers(policy).send(html.replace(/<body[^<>]*>/, `$&${note}`));
}

interface PagePreview {
  accountId: string;
  update: UpdateSiteConfigurationRequest;
  /** HTML above the page. */
  note?: string;
}
