import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listFormat } from '#contract/shared/intl-formats.ts';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { listSubscribers, setSubscribed } from '#db/queries/messages.ts';
import { html } from '#page/html/html.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import type { Services } from '#server/features/services.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/**
 * Opening the link in a message only shows a page with a button, because mail scanners follow links.
 * The button, and mail programs (RFC 8058), post to the same address.
 */
export function registerUnsubscribeRoutes(server: FastifyInstance, app: Services): void {
  // Anyone can send made-up tokens.
  const queue = createPerNetworkQueue('confirmations');
  const findSubscribers = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string };
    const names = UUID_PATTERN.test(token)
      ? await queue.run(clientNetwork(request), () => listSubscribers(app.pageReadDb, token))
      : [];
    if (names.length === 0) throw refuse('linkInvalid');
    const { t } = request;
    const labels = names.map((name) =>
      name === null ? t('an account without a name') : `@${name}`,
    );
    const accounts = listFormat(t.locale).format(labels);
    const { displayName } = app.instanceStore.current;
    return { token, t, values: { accounts, server: displayName } };
  };

  server.get('/unsubscribe/:token', async (request) => {
    const { t, values } = await findSubscribers(request);
    return renderCardPage(app, {
      t,
      title: t('No more messages from {server}?', values),
      text: t(
        'This is for {accounts}. Login links, security notices and official notices still come.',
        values,
      ),
      button: t('Unsubscribe'),
    });
  });

  const change = async (request: FastifyRequest, isSubscribed: boolean) => {
    const { t, token, values } = await findSubscribers(request);
    await setSubscribed(app.db, { token }, isSubscribed);
    const path = `${app.origin()}/unsubscribe/${token}`;
    return renderCardPage(app, {
      t,
      title: isSubscribed
        ? t('You get messages from {server} again', values)
        : t('No more messages from {server}', values),
      text: t('This is for {accounts}.', values),
      body: html`<form method="post" action="${isSubscribed ? path : `${path}/undo`}">
        <button>${isSubscribed ? t('Unsubscribe') : t('Subscribe again')}</button>
      </form>`,
    });
  };
  server.post('/unsubscribe/:token', (request) => change(request, false));
  server.post('/unsubscribe/:token/undo', (request) => change(request, true));
}
