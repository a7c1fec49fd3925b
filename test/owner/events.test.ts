import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertEvent } from '../../db/queries/events.ts';
import { send } from '../support/call.ts';
import { type TestAccount, type TestApp, startTestApp } from '../support/test-app.ts';

interface Page {
  events: { id: string }[];
  next: string | null;
}

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function list(account: TestAccount, query = '') {
  const { status, body } = await send(server, account, `GET /owner/events/list-events${query}`);
  return { status, body };
}

async function pageOf(account: TestAccount, query: string): Promise<Page> {
  const { status, body } = await list(account, query);
  expect(status).toBe(200);
  return body as Page;
}

describe('list-events', () => {
  it('tells what happened to the account', async () => {
    const account = await server.createAccount();
    expect(await list(account)).toEqual({ status: 200, body: { events: [], next: null } });
    await account.client.account.updateDisplayName({ display_name: 'jane-doe' });
    const id = await insertEvent(server.database.db, {
      accountId: account.id,
      type: 'chat_message_sent',
      outcome: 'pending',
      detail: { webhook_id: '1' },
    });
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await list(account)).toEqual({
      status: 200,
      body: {
        events: [
          {
            id,
            type: 'chat_message_sent',
            outcome: 'pending',
            detail: { webhook_id: '1' },
            created_at: time,
            completed_at: null,
          },
          {
            id: expect.any(String),
            type: 'display_name_updated',
            outcome: 'succeeded',
            detail: expect.any(Object),
            created_at: time,
            completed_at: time,
          },
        ],
        next: null,
      },
    });
  });

  it('gives all of them, newest first and each once, a page at a time, while more come', async () => {
    const account = await server.createAccount();
    const { db } = server.database;
    const event = {
      account_id: account.id,
      type: 'chat_message_sent' as const,
      outcome: 'succeeded' as const,
      detail: '{}',
    };
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    // Of each second there are three, which only the id tells apart.
    const rows = Array.from({ length: 30 }, (_, count) => ({
      ...event,
      id: randomUUID(),
      created_at: at(Math.floor(count / 3)),
    }));
    await db.insertInto('events').values(rows).execute();
    const seen: string[] = [];
    for (let after: string | null = null, pages = 0; ; pages += 1) {
      const page: Page = await pageOf(account, `?limit=7${after ? `&after=${after}` : ''}`);
      seen.push(...page.events.map(({ id }) => id));
      after = page.next;
      if (after === null) break;
      expect(page.events).toHaveLength(7);
      expect(pages).toBeLessThan(6);
      await db
        .insertInto('events')
        .values({ ...event, created_at: at(60) })
        .execute();
    }
    const expected = rows
      .toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id);
    expect(seen).toEqual(expected);
  });

  it('goes on after an event of the account alone', async () => {
    const [account, other] = [await server.createAccount(), await server.createAccount()];
    await other.client.account.updateDisplayName({ display_name: 'somebody-else' });
    const theirs = (await pageOf(other, '')).events[0]!.id;
    for (const after of [theirs, randomUUID(), 'x', '', `${theirs}&after=${theirs}`])
      expect(await list(account, `?after=${after}`)).toEqual({
        status: 400,
        body: { error: 'after must be the id of one of your events: the last one of a page.' },
      });
  });

  it.each(['0', '201', 'x', '1.5'])('refuses %s as a limit', async (limit) => {
    expect(await list(await server.createAccount(), `?limit=${limit}`)).toEqual({
      status: 400,
      body: { error: 'limit must be a whole number from 1 to 200.' },
    });
  });
});
