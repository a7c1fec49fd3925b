import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/shared/limits.ts';
import { html } from '#page/html/html.ts';
import type { OAuthServices } from '#server/entry/oauth/oauth-services.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { limitUnauthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { createSameOriginCheck } from '#server/platform/http/access/same-origin.ts';
import { acceptForms } from '../form.ts';
import { sendReturn } from './consent-page.ts';
import { endSession, findSession } from './flow.ts';

const FIELDS = {
  id_token_hint: 4_000,
  client_id: 500,
  post_logout_redirect_uri: LIMITS.url,
  state: 1_000,
};
/** The website may send more parameters. */
const OTHER_FIELDS = { count: 10, maxNameLength: 50, maxLength: 200 };

/** A website signs its user out here, too (OpenID Connect RP-Initiated Logout 1.0). The person confirms it. */
export function registerLogoutRoutes(server: FastifyInstance, app: OAuthServices): void {
  limitUnauthenticated(server, app);
  const checkSameOrigin = createSameOriginCheck(app.origin);
  const readForm = acceptForms(server, FIELDS, OTHER_FIELDS);
  server.get(ROUTES.end_session, { exposeHeadRoute: false }, async (request) => {
    const { t } = request;
    const backUrl = (await findReturnUrl(app, request)) ?? '/dashboard';
    return renderCardPage(app, {
      t,
      title: t('Sign out of {server}?', { server: app.instanceStore.current.displayName }),
      text: t('Websites that you opened with it sign you out, too.'),
      body: html`<form method="post"><button class="primary">${t('Sign out')}</button></form>
        <p class="actions">
          <a class="button" href="${backUrl}" rel="noreferrer">${t('Stay signed in')}</a>
        </p>`,
    });
  });

  server.post(ROUTES.end_session, async (request, reply) => {
    const { t } = request;
    // The form of a website, which asks the question.
    if (checkSameOrigin(request)) {
      const params = Object.entries(readForm(request).values).filter(([, value]) => value !== '');
      const query = new URLSearchParams(params).toString();
      return reply.redirect(`${ROUTES.end_session}?${query}`, 303);
    }
    const session = await findSession(app, request);
    if (session) await endSession(app, session);
    reply.headers(app.sessionCookie.headerFor(null));
    const url = await findReturnUrl(app, request);
    if (url === undefined) return renderCardPage(app, { t, title: t('You are signed out') });
    return sendReturn(app, request, reply, url);
  });
}

/** Undefined if the website has not registered the address, or the token is that of another one. */
async function findReturnUrl(
  app: OAuthServices,
  request: FastifyRequest,
): Promise<string | undefined> {
  const { searchParams } = new URL(request.url, app.oauth.issuer);
  const hint = searchParams.get('id_token_hint');
  const audience = hint ? await readAudience(app, hint) : undefined;
  const clientId = searchParams.get('client_id') ?? audience;
  if (hint && audience !== clientId) return undefined;
  const client = clientId ? await app.oauth.findClient(clientId) : undefined;
  const uri = searchParams.get('post_logout_redirect_uri') ?? '';
  if (!client?.post_logout_redirect_uris.includes(uri)) return undefined;
  const url = new URL(uri);
  const state = searchParams.get('state');
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

/** Of an ID token of this server, which may have expired. */
async function readAudience({ oauth }: OAuthServices, token: string): Promise<string | undefined> {
  const { compactVerify, createLocalJWKSet, decodeJwt } = await import('jose');
  const keys = createLocalJWKSet({ keys: (await oauth.keys.listPublic()) as never });
  const isOwn = await compactVerify(token, keys).then(
    () => true,
    () => false,
  );
  const audience = isOwn ? decodeJwt(token).aud : undefined;
  return typeof audience === 'string' ? audience : undefined;
}
