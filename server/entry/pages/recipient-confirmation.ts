import type { FastifyRequest } from 'fastify';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import {
  findRecipientByToken,
  lockOutsideRecipient,
  type RecipientChoice,
  setRecipientActive,
} from '#db/queries/addresses.ts';
import { html } from '#page/html/html.ts';
import { renderCardPage } from '#server/entry/pages/shell/page.ts';
import { lockForReader, mailLostReader } from '#server/features/addresses/lost-reader.ts';
import type { Services } from '#server/features/services.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';

const refuse = createRefuser(PAGE_REFUSALS);

type ConfirmationRequest = FastifyRequest<{ Params: { token: string } }>;

/** The pages of an outside address of a group address. Its link confirms it, and ends it later. */
export function createRecipientPages(app: Services) {
  const { config, forwarding } = app;

  const find = async (db: ReadDatabase, token: string) => {
    const recipient = isToken(token) && (await findRecipientByToken(db, hashToken(token)));
    if (!recipient) throw refuse('linkInvalid');
    return recipient;
  };

  const render = ({ t, params }: ConfirmationRequest, { name, email, state }: RecipientChoice) => {
    const values = { address: `${name}@${config.MAIL_DOMAIN}`, email };
    const path = `${app.origin()}/confirm/${params.token}`;
    const texts = {
      waiting: [
        t('Do you want the mail to {address}?', values),
        t('It would go to {email} and to any other readers.', values),
        t('Yes, send it to me'),
        t('Not interested? Close this page. Nothing will change.'),
      ],
      active: [
        t('You get the mail to {address}', values),
        t('It goes to {email} and to any other readers.', values),
        t('Stop this mail'),
        t('The link in the newest mail about this address opens this page again.'),
      ],
      stopped: [
        t('You do not get the mail to {address}', values),
        t('It does not go to {email}.', values),
        t('Get it again'),
        t('The link in the newest mail about this address opens this page again.'),
      ],
    } as const;
    const [title, text, button, footnote] = texts[state];
    return renderCardPage(app, {
      t,
      title,
      text,
      body: html`<form method="post" action="${state === 'active' ? `${path}/end` : path}">
        <button class="${state === 'waiting' ? 'primary' : ''}">${button}</button>
      </form>`,
      footnote: html`${footnote}`,
    });
  };

  return {
    show: async (request: ConfirmationRequest) =>
      render(request, await find(app.pageReadDb, request.params.token)),

    change: async (request: ConfirmationRequest, isActive: boolean) =>
      render(
        request,
        await inTransaction(app.db, async (trx) => {
          const { id, addressId } = await find(trx, request.params.token);
          await lockForReader(trx, addressId, []);
          const recipient = await lockOutsideRecipient(trx, id);
          if (!recipient) throw refuse('linkInvalid');
          await setRecipientActive(trx, id, isActive);
          await forwarding.enqueueSync(trx, recipient.name);
          if (!isActive && recipient.state === 'active')
            await mailLostReader(trx, app, { ...recipient, reader: recipient.email });
          return { ...recipient, state: isActive ? 'active' : 'stopped' };
        }),
      ),
  };
}
