import type { FastifyInstance, FastifyRequest } from 'fastify';
import { confirmDestination, findLinkedName } from '../features/forwarding/destinations.ts';
import { networkQueue } from '../limits/fair-queue.ts';
import { refuserOf } from '../refusal.ts';
import { html } from '#page/html.ts';
import { networkOf } from '../http/access/address.ts';
import { originOf } from '../http/access/public-origin.ts';
import { renderPage } from '../http/answers/page.ts';
import { PAGE_REFUSALS } from '../http/answers/refusals.ts';
import type { PageDependencies } from './dependencies.ts';

const refuse = refuserOf(PAGE_REFUSALS);

interface Linked {
  Params: { token: string };
}

/**
 * Where a mailed link leads: the page asks, and only its button confirms, because programs that look
 * for harmful links follow them, too.
 */
export function confirmationPages(scope: FastifyInstance, dependencies: PageDependencies): void {
  const { db, reads, forwarding, mailDomain } = dependencies;
  const path = '/confirm/:token';
  // Anybody can make up links that look right.
  const queue = networkQueue('confirmations');
  const findName = (request: FastifyRequest<Linked>) =>
    queue.run(networkOf(request), () => findLinkedName(reads, request.params.token));

  scope.get<Linked>(path, async (request, reply) => {
    const name = await findName(request);
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderPage(scope, dependencies, {
        title: 'Confirm your address',
        text: 'Mail to this name will go to your inbox.',
        body: html`<dl class="facts">
          <dt>Mail to</dt>
          <dd>${name}@${mailDomain}</dd>
          <dt>goes to</dt>
          <dd>the address where you got this link</dd>
        </dl>`,
        button: 'Confirm address',
        below: html`Not you? Close this page. Nothing will change.`,
      }),
    );
  });

  scope.post<Linked>(path, async (request, reply) => {
    const name =
      (await findName(request)) && (await confirmDestination(db, forwarding, request.params.token));
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderPage(scope, dependencies, {
        title: 'Address confirmed',
        text: `Mail to ${name}@${mailDomain} now goes to your inbox, until its owner turns that off.`,
        body: html`<p class="next">
          <a class="button primary" href="${originOf(scope, dependencies.publicUrl)}/dashboard/"
            >Go to the dashboard</a
          >
        </p>`,
      }),
    );
  });
}
