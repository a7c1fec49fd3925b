import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { exists } from '#db/queries/rows.ts';
import { unsubscribeMailbox } from '#db/queries/messages.ts';
import type { App } from '#server/app.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { type CardPage, renderCardPage } from '#server/platform/http/responses/page.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/**
 * Opening the link in a message only shows a page with a button, because mail scanners follow links.
 * The button, and mail programs (RFC 8058), post to the same address.
 */
export function registerUnsubscribeRoutes(server: FastifyInstance, app: App): void {
  // Anyone can send made-up tokens.
  const queue = createPerNetworkQueue('confirmations');
  const respond = async (
    request: FastifyRequest,
    findToken: (token: string) => Promise<boolean>,
    page: Pick<CardPage, 'title' | 'text' | 'button'>,
  ) => {
    const { token } = request.params as { token: string };
    const isFound = () => queue.run(clientNetwork(request), () => findToken(token));
    if (!UUID_PATTERN.test(token) || !(await isFound())) throw refuse('linkInvalid');
    return renderCardPage(app, { t: request.t, ...page });
  };

  server.get('/unsubscribe/:token', (request) => {
    const { t } = request;
    const findToken = (token: string) =>
      exists(app.pageReadDb, sql`message_subscriptions WHERE token = ${token}`);
    return respond(request, findToken, {
      title: t('Unsubscribe?'),
      text: t('You will get no more messages from {server}. Login links and notices still come.', {
        server: app.instanceStore.current.displayName,
      }),
      button: t('Unsubscribe'),
    });
  });

  server.post('/unsubscribe/:token', (request) => {
    const { t } = request;
    return respond(request, (token) => unsubscribeMailbox(app.db, token), {
      title: t('You are unsubscribed'),
      text: t('You get no more messages. To get them again, turn them on under Settings.'),
    });
  });
}
