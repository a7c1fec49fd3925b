import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { findPageStates } from '#db/queries/sites/public-sites.ts';
import { networkOf } from '#server/http/access/address.ts';
import { guardOpen } from '#server/http/access/guard.ts';
import { originOf } from '#server/http/access/public-origin.ts';
import { hostOf, renderPage } from '#server/http/answers/page.ts';
import { PAGE_REFUSALS } from '#server/http/answers/refusals.ts';
import { refusalHeaders } from '#server/http/answers/headers.ts';
import { networkQueue } from '#server/limits/fair-queue.ts';
import type { Outbox } from '#server/mail/outbox.ts';
import { refuserOf } from '#server/refusal.ts';
import { html } from '#page/html.ts';
import type { PageDependencies } from '../dependencies.ts';
import { nameIn } from './page-address.ts';
import { readReport, reportForm, UNTYPED } from './report-form.ts';
import type { Named, SiteAnswers } from './site-answers.ts';
import { LIMITS } from '#contract/limits.ts';
import { AccountGoneError } from '#db/account-gone.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { listOperators } from '#db/queries/operators.ts';
import { insertReport, type NewReport } from '#db/queries/reports.ts';
import type { Database } from '#db/schema.ts';

const refuse = refuserOf(PAGE_REFUSALS);

const AT_PAGES = { config: { isFoundAt: ['pages'] } } as const;

/**
 * The form by which visitors report a page to the operators. Hidden and unknown names get the answer
 * that pages give them; so does every name while reports go to an `ABUSE_CONTACT`.
 */
export function reportPages(
  scope: FastifyInstance,
  answers: SiteAnswers,
  dependencies: PageDependencies,
): void {
  const { db, reads, outbox, rates, abuseContact, publicUrl, pagesUrl } = dependencies;
  const path = '/@:name/report';
  // Anybody can make up names.
  const queue = networkQueue('reports');
  const host = () => hostOf(originOf(scope, publicUrl));

  const findPage = async (request: FastifyRequest<Named>) => {
    await answers.refuseGuesses(request);
    const name = abuseContact === undefined ? nameIn(request.params.name) : undefined;
    const find = async () => name && (await findPageStates(reads, [name])).get(name);
    const state = await queue.run(networkOf(request), find);
    if (name === undefined || !state) throw await answers.unknown(request);
    return { name, accountId: state.account_id };
  };

  const formOf = (name: string, typed = UNTYPED) =>
    renderPage(scope, dependencies, {
      title: 'Report this page',
      text: `The people who run ${host()} will look at it.`,
      body: reportForm(`${hostOf(answers.origin)}/@${name}`, typed),
    });

  void scope.register(async (reports) => {
    guardOpen(reports, { ...dependencies, publicUrl: pagesUrl });
    reports.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, body),
    );

    reports.get<Named>(path, AT_PAGES, async (request, reply) => {
      const { name } = await findPage(request);
      return reply.send(formOf(name));
    });

    reports.post<Named>(path, AT_PAGES, async (request, reply) => {
      const { name, accountId } = await findPage(request);
      const read = readReport(typeof request.body === 'string' ? request.body : '');
      if ('typed' in read) {
        const refused = refuse('reportInvalid');
        request.refused = { reason: refused.code };
        return reply
          .status(refused.status)
          .headers(refusalHeaders(refused))
          .send(formOf(name, read.typed));
      }
      const tooMany =
        (await rates.reports.count(request)) ?? (await rates.pageReports.count(request, accountId));
      if (tooMany) throw tooMany;
      const stored = await queue.run(networkOf(request), () =>
        sendReport(db, accountId, { name, ...read.report }),
      );
      if (!stored) throw await answers.unknown(request);
      mailOperators(db, outbox, name).catch((error: unknown) => {
        request.log.error({ err: error }, 'the operators could not be mailed about a report');
      });
      return reply.send(
        renderPage(scope, dependencies, {
          title: 'Thank you',
          text: `Your report is with the people who run ${host()}.`,
          body: html`<p class="next"><a class="button" href="/@${name}">Back to the page</a></p>`,
        }),
      );
    });
  });
}

/** Returns false if the account has been deleted. */
async function sendReport(
  db: Kysely<Database>,
  accountId: string,
  report: NewReport,
): Promise<boolean> {
  try {
    await inTransaction(db, async (trx) => {
      // So that concurrent reports are counted.
      await lockAccount(trx, accountId);
      await insertReport(trx, accountId, { ...report, limit: LIMITS.openReports });
    });
    return true;
  } catch (error) {
    if (error instanceof AccountGoneError) return false;
    throw error;
  }
}

/** Mails the operators that a page was reported, each at most once an hour. */
export async function mailOperators(
  db: Kysely<Database>,
  outbox: Outbox,
  name: string,
): Promise<void> {
  if (!outbox.isAvailable) return;
  for (const { account_id: accountId } of await listOperators(db))
    await inTransaction(db, async (trx) => {
      await lockAccount(trx, accountId);
      await outbox.send(trx, { kind: 'report', accountId, about: name });
    });
}
