import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inTransaction } from '#db/connections/transaction.ts';
import type { OAuthServices } from '#server/entry/oauth/oauth-services.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import { ROUTES } from '#server/features/oauth/provider.ts';
import { revokeSession } from '#server/features/sessions/owner-routes.ts';
import { acceptForms } from '../form.ts';
import { renderReturn } from './consent-page.ts';
import { findSession } from './flow.ts';

/** A website signs its user out here, too (OpenID Connect RP-Initiated Logout 1.0). The person confirms it. */
export function registerLogoutRoutes(server: FastifyInstance, app: OAuthServices): void {
  acceptForms(server, {});
  server.get(ROUTES.end_session, { exposeHeadRoute: false }, async ({ t }) =>
    renderCardPage(app, {
      t,
      title: t('Sign out of {server}?', { server: app.instanceStore.current.displayName }),
      text: t('Websites that you opened with it sign you out, too.'),
      button: t('Sign out'),
    }),
  );

  server.post(ROUTES.end_session, async (request, reply) => {
    const { t } = request;
    const session = await findSession(app, request);
    if (session) {
      const { id: sessionId, account_id: accountId } = session;
      await inTransaction(app.db, (trx) =>
        revokeSession(trx, app, { accountId, sessionId, by: sessionId }),
      );
    }
    reply.headers(app.sessionCookie.headerFor(null));
    const url = await findReturnUrl(app, request);
    if (url === undefined) return renderCardPage(app, { t, title: t('You are signed out') });
    return reply.header('refresh', `0; url=${url}`).send(renderReturn(app, t, url));
  });
}

/** Undefined if the website has not registered the address. */
async function findReturnUrl(
  app: OAuthServices,
  request: FastifyRequest,
): Promise<string | undefined> {
  const { searchParams } = new URL(request.url, app.oauth.issuer);
  const hint = searchParams.get('id_token_hint');
  const clientId = searchParams.get('client_id') ?? (hint && (await readAudience(app, hint)));
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
