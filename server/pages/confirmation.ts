import type { FastifyInstance, FastifyRequest } from 'fastify';
import { confirmDestination, findLinkedName } from '../service/forwarding/confirm-destination.ts';
import { networkQueue } from '../load/fair-queue.ts';
import { refuserOf } from '../service/refusal.ts';
import { networkOf } from '../http/access/address.ts';
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
export function confirmationPages(
  scope: FastifyInstance,
  { db, reads, forwarding, mailDomain }: PageDependencies,
): void {
  const path = '/confirm/:token';
  // Anybody can make up links that look right.
  const queue = networkQueue('confirmations');
  const findName = (request: FastifyRequest<Linked>) =>
    queue.run(networkOf(request), () => findLinkedName(reads, request.params.token));

  scope.get<Linked>(path, async (request, reply) => {
    const name = await findName(request);
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderPage({
        title: `Forward mail from ${name}@${mailDomain} to you?`,
        text: 'It will be forwarded to the address where you got this link. If you did not ask for this, close this page, and nothing will happen.',
        button: 'Yes, forward it to me',
      }),
    );
  });

  scope.post<Linked>(path, async (request, reply) => {
    const name =
      (await findName(request)) && (await confirmDestination(db, forwarding, request.params.token));
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderPage({
        title: 'Forwarding confirmed',
        text: `Mail to ${name}@${mailDomain} will be forwarded to you from now on, until its owner turns that off.`,
      }),
    );
  });
}
