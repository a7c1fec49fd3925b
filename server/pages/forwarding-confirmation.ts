import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  confirmDestination,
  findNameByConfirmationToken,
} from '../features/forwarding/destinations.ts';
import { createPerNetworkQueue } from '../limits/fair-queue.ts';
import { createRefuser } from '../refusal.ts';
import { html } from '#page/html.ts';
import { clientNetwork } from '../http/access/client-address.ts';
import { publicOrigin } from '../http/access/public-origin.ts';
import { renderCardPage } from '../http/responses/page.ts';
import { PAGE_REFUSALS } from '../http/responses/refusals.ts';
import type { PageDependencies } from './dependencies.ts';

const refuse = createRefuser(PAGE_REFUSALS);

interface TokenParams {
  Params: { token: string };
}

/**
 * Opening the mailed link only shows a page with a button, because mail scanners follow links. The
 * button confirms the address.
 */
export function registerConfirmationRoutes(
  app: FastifyInstance,
  dependencies: PageDependencies,
): void {
  const { db, readDb, forwarding, mailDomain } = dependencies;
  const path = '/confirm/:token';
  // Anyone can send made-up tokens, so lookups wait in a queue that is fair between networks.
  const queue = createPerNetworkQueue('confirmations');
  const findName = (request: FastifyRequest<TokenParams>) =>
    queue.run(clientNetwork(request), () =>
      findNameByConfirmationToken(readDb, request.params.token),
    );

  app.get<TokenParams>(path, async (request, reply) => {
    const name = await findName(request);
    if (name === undefined) throw refuse('linkInvalid');
    const { t } = request;
    return reply.send(
      renderCardPage(app, dependencies, {
        t,
        title: t('Confirm your address'),
        text: t('Mail to this name will go to your inbox.'),
        body: html`<dl class="facts">
          <dt>${t('Mail to')}</dt>
          <dd>${name}@${mailDomain}</dd>
          <dt>${t('goes to')}</dt>
          <dd>${t('the address where you got this link')}</dd>
        </dl>`,
        button: t('Confirm address'),
        footnote: html`${t('Not you? Close this page. Nothing will change.')}`,
      }),
    );
  });

  app.post<TokenParams>(path, async (request, reply) => {
    const name =
      (await findName(request)) && (await confirmDestination(db, forwarding, request.params.token));
    if (name === undefined) throw refuse('linkInvalid');
    const { t } = request;
    return reply.send(
      renderCardPage(app, dependencies, {
        t,
        title: t('Address confirmed'),
        text: t('Mail to {address} now goes to your inbox, until its owner turns that off.', {
          address: `${name}@${mailDomain}`,
        }),
        body: html`<p class="next">
          <a class="button primary" href="${publicOrigin(app, dependencies.publicUrl)}/dashboard/"
            >${t('Go to the dashboard')}</a
          >
        </p>`,
      }),
    );
  });
}
