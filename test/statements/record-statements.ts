import { sql } from 'kysely';
import pg from 'pg';
import { vi } from 'vitest';
import { ALL_FEATURES } from '#server/features/call-features.ts';
import { listJobs } from '#server/process/jobs.ts';
import { startFakeImprovmx } from '../forwarding/fake-improvmx.ts';
import { startForwardingApp } from '../forwarding/forwarding-app.ts';
import { call } from '../support/call.ts';
import {
  authenticatedEndpoints,
  createUnauthenticatedBody,
  createValidPath,
  createValidRequest,
  makeOperator,
  unauthenticatedEndpoints,
} from '../support/endpoints.ts';
import { finishDeletions } from '../support/run-jobs.ts';
import { SAME_ORIGIN_HEADERS, logIn } from '../support/session.ts';

/**
 * Calls every endpoint, visits pages and runs the jobs. Returns the text of each explainable
 * statement that they send, with the endpoint, path or job that sent it first.
 */
export async function recordStatements(): Promise<Map<string, string>> {
  const senders = new Map<string, string>();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const record = async (sender: string, task: () => Promise<unknown>): Promise<void> => {
    query.mockClear();
    await task();
    for (const [statement] of query.mock.calls as unknown as [string | { text: string }][]) {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (isExplainable(text) && !senders.has(text)) senders.set(text, sender);
    }
  };

  const provider = await startFakeImprovmx();
  const server = await startForwardingApp({ fake: provider });
  const { app, database } = server;
  const { db } = database;
  try {
    const account = await server.createAccount();
    for (const endpoint of authenticatedEndpoints) {
      const caller = await server.createAccount();
      const path = await createValidPath(server, caller, endpoint);
      const { headers, ...request } = await createValidRequest(server, caller, endpoint);
      const session = await logIn(server, caller.id);
      const { method, name } = endpoint;
      await record(name, () =>
        call(app, { method, path, ...request, headers: { ...headers, ...session } }),
      );
    }
    const operator = await server.createAccount();
    await makeOperator(server, operator);
    await record('server.listAuditEntries of an account', () =>
      operator.owner.server.listAuditEntries({ account_id: account.id }),
    );
    for (const endpoint of unauthenticatedEndpoints) {
      const json = await createUnauthenticatedBody(server, endpoint);
      const { method, path, name } = endpoint;
      await record(name, () => call(app, { method, path, headers: SAME_ORIGIN_HEADERS, json }));
    }
    await record('forwarding', async () => {
      await server.rename(account, 'jane-doe');
      await server.enableForwarding(account, 'jane@example.com');
      await server.waitUntilSynced();
      await server.rename(account, 'jane-smith');
      await server.waitUntilSynced();
      await server.disableForwarding(account);
      await server.waitUntilSynced();
    });
    await account.client.site.toggleSiteVisibility();
    for (const path of [
      '/',
      '/@jane-smith',
      '/@nobody-here',
      '/.well-known/webfinger?resource=acct:jane-smith@nameplate.example',
      `/instance/${'x'.repeat(22)}-1x1.webp`,
    ])
      await record(path, async () => app.inject(path));
    await sql`UPDATE alerts SET evaluated_at = evaluated_at - interval '1 hour'`.execute(db);
    const recordedApp = { ...server.nameplate, ...database };
    const { signal } = new AbortController();
    for (const { kind, run } of listJobs(ALL_FEATURES).filter(({ cron }) => cron !== undefined))
      await record(kind, () => run(recordedApp, {}, { id: '', signal }));
    await record('account-deletion', () => finishDeletions(database));
  } finally {
    query.mockRestore();
    await server.close();
    await provider.close();
  }
  return senders;
}

/** Whether EXPLAIN supports the statement. Excludes those that read the job queue's tables. */
function isExplainable(text: string): boolean {
  return /^\s*(?:select|insert|update|delete|with)\b/i.test(text) && !text.includes('pgboss');
}
