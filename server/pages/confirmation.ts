import type { FastifyInstance } from 'fastify';
import { refusal } from '../../contract/refusal.ts';
import { fewAtATime } from '../service/few-at-a-time.ts';
import { confirmDestination, findLinkedName } from '../service/forwarding/confirm-destination.ts';
import { refuserOf } from '../service/refusal.ts';
import { renderPage } from '../http/page.ts';
import type { PageDependencies } from './pages.ts';

const refuse = refuserOf({
  linkInvalid: refusal(
    404,
    'The link was used, is too old, or never was one.',
    'This link is no longer valid.',
  ),
});

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
  const inTurn = fewAtATime('links to confirm');
  const findName = (token: string) => inTurn(() => findLinkedName(reads, token));

  scope.get<Linked>(path, async ({ params }, reply) => {
    const name = await findName(params.token);
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderPage({
        title: `Shall mail to ${name}@${mailDomain} come to you?`,
        text: 'It would be forwarded to the address at which you got this link. If you did not ask for it, close this page: nothing happens.',
        button: 'Yes, forward it to me',
      }),
    );
  });

  scope.post<Linked>(path, async ({ params }, reply) => {
    const name =
      (await findName(params.token)) && (await confirmDestination(db, forwarding, params.token));
    if (name === undefined) throw refuse('linkInvalid');
    return reply.send(
      renderPage({
        title: 'Thank you.',
        text: `Mail to ${name}@${mailDomain} is forwarded to you from now on, while its account wants it.`,
      }),
    );
  });
}
