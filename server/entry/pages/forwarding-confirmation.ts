import type { FastifyInstance, FastifyRequest } from 'fastify';
import { html } from '#page/html/html.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import {
  confirmWithToken,
  findConfirmationByToken,
} from '#server/features/forwarding/change-forwarding.ts';
import type { Services } from '#server/features/services.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { createRecipientPages } from './recipient-confirmation.ts';

interface TokenParams {
  Params: { token: string };
}

/**
 * Opening the mailed link only shows a page with a button, because mail scanners follow links. The
 * button confirms the address.
 */
export function registerConfirmationRoutes(server: FastifyInstance, app: Services): void {
  const { pageReadDb, config } = app;
  const path = '/confirm/:token';
  // Anyone can send made-up tokens, so lookups wait in a queue that is fair between networks.
  const queue = createPerNetworkQueue('confirmations');
  const inQueue = <Result>(request: FastifyRequest, work: () => Promise<Result>) =>
    queue.run(clientNetwork(request), work);
  const find = (request: FastifyRequest<TokenParams>) =>
    inQueue(request, () => findConfirmationByToken(pageReadDb, request.params.token));

  const recipients = createRecipientPages(app);

  server.get<TokenParams>(path, async (request, reply) => {
    const confirmation = await find(request);
    if (!confirmation) return reply.send(await inQueue(request, () => recipients.show(request)));
    const { t } = request;
    const { name, email, isForwarding } = confirmation;
    const values = { name, email, address: `${name}@${config.MAIL_DOMAIN}` };
    return reply.send(
      renderCardPage(app, {
        t,
        title: t('Confirm your address'),
        text: isForwarding
          ? t('Mail to {address}, and its login links, will go to {email}.', values)
          : name === email
            ? t('Login links will go to {email}.', values)
            : t('Login links for the account {name} will go to {email}.', values),
        button: t('Confirm address'),
        footnote: html`${t('Not you? Close this page. Nothing will change.')}`,
      }),
    );
  });

  server.post<TokenParams>(path, async (request, reply) => {
    const confirmation =
      (await find(request)) && (await confirmWithToken(app, request.params.token));
    if (!confirmation)
      return reply.send(await inQueue(request, () => recipients.change(request, true)));
    const { t } = request;
    const { name, email, isForwarding } = confirmation;
    const values = { name, email, address: `${name}@${config.MAIL_DOMAIN}` };
    return reply.send(
      renderCardPage(app, {
        t,
        title: t('Address confirmed'),
        text: isForwarding
          ? t('Mail to {address}, and its login links, now go to {email}.', values)
          : name === email
            ? t('Login links now go to {email}.', values)
            : t('Login links for the account {name} now go to {email}.', values),
        body: html`<p class="actions">
          <a class="button primary" href="${app.origin()}/dashboard/"
            >${t('Go to the dashboard')}</a
          >
        </p>`,
      }),
    );
  });

  server.post<TokenParams>(`${path}/end`, async (request, reply) =>
    reply.send(await inQueue(request, () => recipients.change(request, false))),
  );
}
