import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIMITS } from '#contract/shared/limits.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { findPageStates } from '#db/queries/public-sites.ts';
import { insertReport, type NewReport } from '#db/queries/reports.ts';
import { html } from '#page/html/html.ts';
import type { Core } from '#server/core.ts';
import { hostOf, renderCardPage } from '#server/entry/pages/shell/page.ts';
import { logServerEvent } from '#server/features/events/log-event.ts';
import { reportMail } from '#server/features/reports/report-mail.ts';
import type { Services } from '#server/features/services.ts';
import { guardUnauthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { clientNetwork } from '#server/platform/http/access/client-address.ts';
import { refusalHeaders } from '#server/platform/http/responses/headers.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { mailOperators } from '#server/platform/mail/mail-operators.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { acceptForms } from '../form.ts';
import { ON_CUSTOM_DOMAINS, ON_PAGES_HOST } from './page-roots.ts';
import { checkReport, renderReportForm, EMPTY_FORM, REPORT_FIELDS } from './report-form.ts';
import { parseName, type NameParams, type SiteResponder } from './site-responder.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/**
 * Hidden and unknown names get the same 404 as their pages. If `ABUSE_CONTACT` is set, all names
 * get it.
 */
export function registerReportRoutes(
  server: FastifyInstance,
  responder: SiteResponder,
  app: Services,
): void {
  const { db, pageReadDb, outbox, rateLimits, config } = app;
  const path = '/@:name/report';
  // Anyone can send made-up names, so lookups wait in a queue that is fair between networks.
  const queue = createPerNetworkQueue('reports');
  const serverName = () => app.instanceStore.current.name ?? hostOf(app.origin());

  const findPage = async (request: FastifyRequest<NameParams>) => {
    await responder.refuseGuesses(request);
    const name = config.ABUSE_CONTACT === undefined ? parseName(request.params.name) : undefined;
    const find = async () => name && (await findPageStates(pageReadDb, [name])).get(name);
    const state = await queue.run(clientNetwork(request), find);
    if (name === undefined || !state || !(await responder.canSee(request)(state)))
      throw await responder.notFoundError(request);
    return { name, accountId: state.account_id };
  };

  const renderForm = ({ t }: FastifyRequest, name: string, form = EMPTY_FORM) =>
    renderCardPage(app, {
      t,
      title: t('Report this page'),
      text: t('The people who run {server} will look at it.', { server: serverName() }),
      body: renderReportForm(`${hostOf(responder.origin)}/@${name}`, form, t),
    });

  server.get('/report', ON_CUSTOM_DOMAINS, (request, reply) =>
    responder.redirectToReport(request, reply),
  );
  void server.register(async (reportApp) => {
    guardUnauthenticated(reportApp, { origin: app.pagesOrigin, instruments: app.instruments });
    const readForm = acceptForms(reportApp, REPORT_FIELDS);

    reportApp.get<NameParams>(path, ON_PAGES_HOST, async (request, reply) => {
      const { name } = await findPage(request);
      return reply.send(renderForm(request, name));
    });

    reportApp.post<NameParams>(path, ON_PAGES_HOST, async (request, reply) => {
      const { name, accountId } = await findPage(request);
      const rateLimitError = await rateLimits.reports.count(request);
      if (rateLimitError) throw rateLimitError;
      const checked = checkReport(readForm(request));
      if ('form' in checked) {
        const error = refuse('reportInvalid');
        request.refused = { reason: error.code };
        return reply
          .status(error.status)
          .headers(refusalHeaders(error))
          .send(renderForm(request, name, checked.form));
      }
      const pageLimitError = await rateLimits.pageReports.count(request, accountId);
      if (pageLimitError) throw pageLimitError;
      const isStored = await queue.run(clientNetwork(request), () =>
        storeReport(app, accountId, { name, ...checked.report }),
      );
      if (!isStored) throw await responder.notFoundError(request);
      const { reason, text, email } = checked.report;
      const mail = { page: name, reason, text: text ?? '' };
      inTransaction(db, (trx) => mailOperators(trx, outbox, reportMail, mail)).catch(
        (error: unknown) => {
          request.log.error({ err: error }, 'could not mail the operators about a report');
        },
      );
      const { t } = request;
      return reply.send(
        renderCardPage(app, {
          t,
          title: t('Thank you'),
          text: t('The people who run {server} have your report.', { server: serverName() }),
          body: html`${email === null ? '' : html`<p class="muted">${t('An answer would go to {email}.', { email })}</p>`}
            <p class="actions">
              <a class="button" href="/@${name}">${t('Back to the page')}</a>
            </p>`,
        }),
      );
    });
  });
}

async function storeReport(
  app: Pick<Core, 'allowances' | 'db' | 'jobs'>,
  accountId: string,
  report: NewReport,
): Promise<boolean> {
  try {
    await inTransaction(app.db, async (trx) => {
      // Without the lock, concurrent reports could exceed the limit.
      await lockAccount(trx, accountId);
      await insertReport(trx, accountId, { ...report, limit: LIMITS.openReports });
      const { name: display_name, reason } = report;
      const data = { account_id: accountId, display_name, reason };
      await logServerEvent(trx, app, 'page_reported', data);
    });
    return true;
  } catch (error) {
    if (error instanceof AccountDeletedError) return false;
    throw error;
  }
}
