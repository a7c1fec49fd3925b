import type { FastifyRequest } from 'fastify';
import {
  findRecipientByToken,
  lockOutsideRecipient,
  type OutsideRecipient,
  setRecipientActive,
} from '#db/queries/addresses.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { html } from '#page/html.ts';
import type { App } from '#server/app.ts';
import { renderCardPage } from '#server/platform/http/responses/page.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { hashToken, isToken } from '#server/platform/secrets/token.ts';

const refuse = createRefuser(PAGE_REFUSALS);

type Request = FastifyRequest<{ Params: { token: string } }>;

/** The pages of an outside address of a group address. Its link confirms it, and ends it later. */
export function createRecipientPages(app: App) {
  const { config, forwarding } = app;

  const find = async (db: ReadDatabase, token: string) => {
    const recipient = isToken(token) && (await findRecipientByToken(db, hashToken(token)));
    if (!recipient) throw refuse('linkInvalid');
    return recipient;
  };

  const renderStopped = ({ t, params }: Request, { name, email }: OutsideRecipient) => {
    const values = { address: `${name}@${config.MAIL_DOMAIN}`, email };
    return renderCardPage(app, {
      t,
      title: t('You get no more mail for {address}', values),
      text: t('Mail to {address} no longer goes to {email}.', values),
      body: html`<form method="post" action="${app.origin()}/confirm/${params.token}">
        <button>${t('Get it again')}</button>
      </form>`,
      footnote: html`${t('Keep the link: it works again at any time.')}`,
    });
  };

  const render = ({ t, params }: Request, { name, email, isActive }: OutsideRecipient) => {
    const values = { address: `${name}@${config.MAIL_DOMAIN}`, email };
    const path = `${app.origin()}/confirm/${params.token}`;
    return renderCardPage(app, {
      t,
      title: isActive ? t('You get this mail') : t('Do you want this mail?'),
      text: isActive
        ? t('Mail to {address} goes to {email}, and maybe to others.', values)
        : t('Mail to {address} would go to {email}, and maybe to others.', values),
      body: html`<form method="post" action="${isActive ? `${path}/end` : path}">
        <button class="${isActive ? '' : 'primary'}">
          ${isActive ? t('Stop this mail') : t('Yes, send it to me')}
        </button>
      </form>`,
      footnote: html`${isActive ? t('Keep the link: it works again at any time.') : t('Not interested? Close this page. Nothing will change.')}`,
    });
  };

  return {
    show: async (request: Request) =>
      render(request, await find(app.pageReadDb, request.params.token)),

    change: async (request: Request, isActive: boolean) =>
      (isActive ? render : renderStopped)(
        request,
        await inTransaction(app.db, async (trx) => {
          const { id } = await find(trx, request.params.token);
          const recipient = await lockOutsideRecipient(trx, id);
          if (!recipient) throw refuse('linkInvalid');
          await setRecipientActive(trx, id, isActive);
          await forwarding.enqueueSync(trx, recipient.name);
          return { ...recipient, isActive };
        }),
      ),
  };
}
