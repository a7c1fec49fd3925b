import type { FastifyInstance, FastifyRequest } from 'fastify';
import { UUID_PATTERN } from '#contract/uuid.ts';
import { findListingAccount, saveListingChoice } from '#db/queries/listings.ts';
import { html } from '#page/html/html.ts';
import type { Services } from '#server/features/services.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { renderCardPage } from '#server/platform/http/responses/page.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import type { Translator } from '#translations/translator.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/** The link in the mail only shows a page with a button, because mail scanners follow links. */
export function registerObjectionRoutes(server: FastifyInstance, app: Services): void {
  // Anyone can send made-up tokens.
  const queue = createPerNetworkQueue('confirmations');
  const findAccount = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string };
    const account = UUID_PATTERN.test(token)
      ? await queue.run(clientNetwork(request), () => findListingAccount(app.pageReadDb, token))
      : undefined;
    if (!account) throw refuse('linkInvalid');
    const { t } = request;
    const { id: accountId, objected_at: objectedAt } = account;
    const name = account.name === null ? t('an account without a name') : `@${account.name}`;
    const text = t('This is for {accounts}.', { accounts: name });
    return { t, accountId, hasObjected: objectedAt !== null, text };
  };

  const renderObjected = (t: Translator, text: string) =>
    renderCardPage(app, {
      t,
      title: t('You are not in the list of members'),
      text,
      body: html`<a class="button" href="/dashboard/settings#front-page">${t('Settings')}</a>`,
    });

  server.get('/unsubscribe/listing/:token', async (request) => {
    const { t, text, hasObjected } = await findAccount(request);
    if (hasObjected) return renderObjected(t, text);
    return renderCardPage(app, {
      t,
      title: t('Leave the list of members?'),
      text,
      button: t('Object'),
    });
  });

  server.post('/unsubscribe/listing/:token', async (request) => {
    const { t, text, accountId } = await findAccount(request);
    await app.db.transaction().execute((trx) => saveListingChoice(trx, accountId, false));
    return renderObjected(t, text);
  });
}
