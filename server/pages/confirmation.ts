import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  confirmDestination,
  findNameByConfirmationLink,
} from '../features/forwarding/destinations.ts';
import { createNetworkQueue } from '../limits/fair-queue.ts';
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

/** Opening the mailed link does not confirm: mail scanners follow links. The button does. */
export function registerConfirmationRoutes(
  app: FastifyInstance,
  dependencies: PageDependencies,
): void {
  const { db, readDb, forwarding, mailDomain } = dependencies;
  const path = '/confirm/:token';
  // Anyone can send made-up tokens, so lookups wait in a queue that is fair between networks.
  const queue = createNetworkQueue('confirmations');
  const findName = (request: FastifyRequest<TokenParams>) =>
    queue.run(clientNetwork(request), () =>
      findNameByConfirmationLink(readDb, request.params.token),
    );

  app.get<TokenParams>(path, async (request, reply) => {
    const name = await findName(request);
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderCardPage(app, dependencies, {
        title: 'Confirm your address',
        text: 'Mail to this name will go to your inbox.',
        body: html`<dl class="facts">
          <dt>Mail to</dt>
          <dd>${name}@${mailDomain}</dd>
          <dt>goes to</dt>
          <dd>the address where you got this link</dd>
        </dl>`,
        button: 'Confirm address',
        footnote: html`Not you? Close this page. Nothing will change.`,
      }),
    );
  });

  app.post<TokenParams>(path, async (request, reply) => {
    const name =
      (await findName(request)) && (await confirmDestination(db, forwarding, request.params.token));
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderCardPage(app, dependencies, {
        title: 'Address confirmed',
        text: `Mail to ${name}@${mailDomain} now goes to your inbox, until its owner turns that off.`,
        body: html`<p class="next">
          <a class="button primary" href="${publicOrigin(app, dependencies.publicUrl)}/dashboard/"
            >Go to the dashboard</a
          >
        </p>`,
      }),
    );
  });
}
