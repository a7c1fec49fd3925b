import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  acceptMessage,
  respondJson,
  type WebhookHandler,
  type FakeDiscord,
  messageId,
  startFakeDiscord,
} from '../support/fake-discord.ts';
import { listEvents } from '#db/queries/events.ts';
import { eventually } from '../support/eventually.ts';
import { expectNoTokenLeaks, type ChatApp, startChatApp } from '../support/chat-app.ts';

let discord: FakeDiscord;
let server: ChatApp;
/** Another server on the same database. */
let secondServer: ChatApp;
beforeAll(async () => {
  discord = await startFakeDiscord();
  server = await startChatApp(discord);
  secondServer = await startChatApp(discord, {}, server.database);
});
afterAll(async () => {
  await secondServer.close();
  await server.close();
  await discord.close();
});

describe('a rate limit of the platform', () => {
  const limitSender =
    (retryAfter: number, headers: Record<string, string> = {}): WebhookHandler =>
    (response) =>
      respondJson(
        response,
        429,
        { message: 'You are being rate limited.', retry_after: retryAfter, global: false },
        { 'x-ratelimit-scope': 'user', 'x-ratelimit-remaining': '0', ...headers },
      );
  const limitedError = (seconds: number) => ({
    error: `Discord accepts no more messages at the moment. Try again in ${seconds} seconds.`,
  });

  async function countRejections(accountId: string): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM chat_rejections WHERE account_id = ${accountId}`.execute(
      server.database.db,
    );
    return rows[0]?.count ?? 0;
  }

  it('that resets soon is waited for once', async () => {
    const webhook = discord.addWebhook((response, request, attempt) =>
      attempt === 1
        ? limitSender(0.3)(response, request, attempt)
        : acceptMessage(response, request, attempt),
    );
    const response = await server.send(await server.createAccount(), webhook);
    expect(response.body).toMatchObject({ success: true, messageId: messageId(webhook, 2) });
  });

  it('that persists gets 500 with Retry-After', async () => {
    const webhook = discord.addWebhook(limitSender(0.3));
    const response = await server.send(await server.createAccount(), webhook);
    expect([response.status, response.body, response.headers['retry-after']]).toEqual([
      500,
      limitedError(1),
      '1',
    ]);
    expect(webhook.requests).toHaveLength(2);
  });

  it.each(['user', 'shared'])('of scope %s is observed by all servers', async (scope) => {
    const account = await server.createAccount();
    const webhook = discord.addWebhook(limitSender(599.5, { 'x-ratelimit-scope': scope }));
    const first = await server.send(account, webhook);
    expect([first.status, first.body, first.headers['retry-after']]).toEqual([
      500,
      limitedError(600),
      '600',
    ]);
    for (const app of [server, secondServer]) {
      const nextResponse = await app.send(account, webhook);
      expect(nextResponse.status).toBe(500);
      expect(Number(nextResponse.headers['retry-after'])).toBeGreaterThan(300);
      expect((await app.send(account, discord.addWebhook())).status).toBe(200);
    }
    expect(webhook.requests).toHaveLength(1);
    expect(await countRejections(account.id)).toBe(scope === 'shared' ? 0 : 1);
  });

  it.each([
    ['in seconds', () => '600'],
    ['by a date', () => new Date(Date.now() + 600_000).toUTCString()],
  ])('reported only in a header (%s) is observed, too', async (_form, retryAfter) => {
    const webhook = discord.addWebhook((response) =>
      respondJson(response, 429, {}, { 'retry-after': retryAfter() }),
    );
    const account = await server.createAccount();
    for (const _ of [1, 2]) expect((await server.send(account, webhook)).status).toBe(500);
    expect(webhook.requests).toHaveLength(1);
  });

  it('announced in headers is observed before the platform refuses', async () => {
    const webhook = discord.addWebhook((response, request, attempt) =>
      acceptMessage(response, request, attempt, {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-after': '600',
      }),
    );
    const account = await server.createAccount();
    expect((await server.send(account, webhook)).status).toBe(200);
    const nextResponse = await secondServer.send(account, webhook);
    expect(nextResponse.status).toBe(500);
    expect(Number(nextResponse.headers['retry-after'])).toBeGreaterThan(300);
    expect(webhook.requests).toHaveLength(1);
  });

  it('announced in headers for a moment is waited for', async () => {
    const webhook = discord.addWebhook((response, request, attempt) =>
      acceptMessage(response, request, attempt, {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-after': '0.4',
      }),
    );
    const account = await server.createAccount();
    const start = performance.now();
    for (const _ of [1, 2, 3]) expect((await server.send(account, webhook)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(700);
  });

  describe('a pause of all webhooks', () => {
    let strictDiscord: FakeDiscord;
    let servers: ChatApp[];
    beforeAll(async () => {
      strictDiscord = await startFakeDiscord();
      servers = [
        await startChatApp(strictDiscord, {}, server.database),
        await startChatApp(strictDiscord, {}, server.database),
      ];
    });
    afterAll(async () => {
      for (const app of servers) await app.close();
      await strictDiscord.close();
    });

    it.each([
      [
        'a global limit',
        500,
        limitSender(599, { 'x-ratelimit-scope': 'global', 'x-ratelimit-global': 'true' }),
      ],
      [
        'a ban',
        503,
        (response) =>
          respondJson(response, 429, {
            code: 0,
            message: 'You are being blocked from accessing our API temporarily.',
          }),
      ],
      [
        'a ban by the front',
        503,
        (response) =>
          response
            .writeHead(429, { 'retry-after': '600', 'content-type': 'text/html' })
            .end('<p>1015</p>'),
      ],
    ])('(%s) applies to every server, until it ends', async (_name, status, webhookHandler) => {
      const [first, second] = servers as [ChatApp, ChatApp];
      const [blockedAccount, otherAccount] = [
        await first.createAccount(),
        await first.createAccount(),
      ];
      expect(
        (await first.send(blockedAccount, strictDiscord.addWebhook(webhookHandler))).status,
      ).toBe(status);
      for (const app of [first, second]) {
        const otherWebhook = strictDiscord.addWebhook();
        const response = await app.send(otherAccount, otherWebhook);
        expect(response.status).toBe(503);
        expect(response.body).toEqual({
          error: expect.stringMatching(
            /^Discord accepts no messages from this service at the moment. Try again in [0-9]+ seconds\.$/,
          ),
        });
        expect(Number(response.headers['retry-after'])).toBeGreaterThan(300);
        expect(otherWebhook.requests).toHaveLength(0);
      }
      expect((await server.send(blockedAccount, discord.addWebhook())).status).toBe(200);
      await sql`UPDATE chat_stops SET until = now() WHERE subject = ${`platform:${strictDiscord.host}`}`.execute(
        server.database.db,
      );
      expect((await second.send(otherAccount, strictDiscord.addWebhook())).status).toBe(200);
    });

    it('is never caused by one account: after 100 refusals it has to wait, others do not', async () => {
      const [first] = servers as [ChatApp];
      const account = await first.createAccount();
      const webhookHandler: WebhookHandler = (response) =>
        respondJson(response, 403, { message: 'Missing Access' });
      const webhook = strictDiscord.addWebhook(webhookHandler);
      for (let count = 0; count < 100; count += 1)
        expect((await first.send(account, webhook)).status).toBe(400);
      const refusedResponse = await first.send(account, strictDiscord.addWebhook());
      expect([refusedResponse.status, refusedResponse.body]).toEqual([
        503,
        {
          error: expect.stringContaining('Discord refused too many messages from this account'),
        },
      ]);
      expect(Number(refusedResponse.headers['retry-after'])).toBeGreaterThan(500);
      expect(webhook.requests).toHaveLength(100);
      expect(
        (await first.send(await first.createAccount(), strictDiscord.addWebhook())).status,
      ).toBe(200);
    });

    it.each([
      ['webhooks that there are not', { code: 10_015, message: 'Unknown Webhook' }],
      ['messages that there are not', { code: 10_008, message: 'Unknown Message' }],
    ])('is never caused by one account that guesses %s', async (_what, body) => {
      const [first] = servers as [ChatApp];
      const account = await first.createAccount();
      const webhookHandler: WebhookHandler = (response) => respondJson(response, 404, body);
      for (let count = 0; count < 100; count += 1)
        expect((await first.send(account, strictDiscord.addWebhook(webhookHandler))).status).toBe(
          400,
        );
      const otherWebhook = strictDiscord.addWebhook();
      expect((await first.send(account, otherWebhook)).status).toBe(503);
      expect(otherWebhook.requests).toHaveLength(0);
      expect((await first.send(await first.createAccount(), otherWebhook)).status).toBe(200);
    });

    it('lasts for an hour at most, then a single call tries first', async () => {
      const [first, second] = servers as [ChatApp, ChatApp];
      const [blockedAccount, otherAccount] = [
        await first.createAccount(),
        await first.createAccount(),
      ];
      const dayLimit = limitSender(86_400, { 'x-ratelimit-scope': 'global' });
      const stopResponse = await first.send(blockedAccount, strictDiscord.addWebhook(dayLimit));
      expect([stopResponse.status, stopResponse.headers['retry-after']]).toEqual([500, '3600']);

      const { db } = server.database;
      await sql`UPDATE chat_stops SET until = now() WHERE subject = ${`platform:${strictDiscord.host}`}`.execute(
        db,
      );
      let releaseRequest = () => {};
      const testedWebhook = strictDiscord.addWebhook((response, request, attempt) => {
        releaseRequest = () => acceptMessage(response, request, attempt);
      });
      const testResponse = first.send(blockedAccount, testedWebhook);
      await eventually(
        () => testedWebhook.requests.length,
        (count) => count === 1,
      );
      const otherWebhook = strictDiscord.addWebhook();
      for (const app of [first, second])
        expect((await app.send(otherAccount, otherWebhook)).status).toBe(503);
      expect(otherWebhook.requests).toHaveLength(0);
      releaseRequest();
      expect((await testResponse).status).toBe(200);
      for (const app of [first, second])
        expect((await app.send(otherAccount, otherWebhook)).status).toBe(200);
    });

    it('ends without re-enabling a dead webhook', async () => {
      const [first] = servers as [ChatApp];
      const account = await first.createAccount();
      const deletedWebhook = strictDiscord.addWebhook((response) =>
        respondJson(response, 401, { message: 'Invalid Webhook Token' }),
      );
      expect((await first.send(account, deletedWebhook)).status).toBe(400);
      const { db } = server.database;
      await sql`INSERT INTO chat_stops (subject, reason, until)
        VALUES (${`platform:${strictDiscord.host}`}, 'limited', now())`.execute(db);
      expect((await first.send(account, deletedWebhook)).status).toBe(400);
      expect(deletedWebhook.requests).toHaveLength(1);
      // A successful test call ends the pause.
      expect((await first.send(account, strictDiscord.addWebhook())).status).toBe(200);
    });

    it('is never caused by all accounts together', async () => {
      const [first] = servers as [ChatApp];
      const { db } = server.database;
      await sql`INSERT INTO chat_rejections (platform, account_id)
        SELECT ${strictDiscord.host}, gen_random_uuid() FROM generate_series(1, 2000)`.execute(db);
      const webhookHandler: WebhookHandler = (response) =>
        respondJson(response, 403, { message: 'Missing Access' });
      expect(
        (await first.send(await first.createAccount(), strictDiscord.addWebhook(webhookHandler)))
          .status,
      ).toBe(400);
      const otherWebhook = strictDiscord.addWebhook();
      const refused = await first.send(await first.createAccount(), otherWebhook);
      expect([refused.status, refused.body]).toEqual([
        503,
        {
          error: expect.stringContaining('Discord refused too many messages from this service'),
        },
      ]);
      expect(otherWebhook.requests).toHaveLength(0);
    });
  });
});

describe('the budget of an account', () => {
  const startServersWithBudget = (perSecond: number, perMinute: number) =>
    Promise.all(
      [1, 2].map(() =>
        startChatApp(discord, { sendLimits: { perSecond, perMinute } }, server.database),
      ),
    );

  it('per second makes messages wait, across webhooks and servers', async () => {
    const servers = await startServersWithBudget(2, 0);
    const account = await server.createAccount();
    const start = performance.now();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        servers[index % 2]!.send(account, discord.addWebhook()),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    // Two messages are sent in each of three consecutive seconds.
    expect(performance.now() - start).toBeGreaterThan(950);
    for (const app of servers) await app.close();
  });

  it('per minute refuses further messages without an event', async () => {
    const servers = await startServersWithBudget(0, 3);
    const [account, otherAccount] = [await server.createAccount(), await server.createAccount()];
    const exhaustBudget = (minutes: number) =>
      sql`UPDATE chat_send_counts SET in_minute = 3,
        minute = date_trunc('minute', now()) + ${minutes} * interval '1 minute'
        WHERE account_id = ${account.id}`.execute(server.database.db);
    expect((await servers[0]!.send(account, discord.addWebhook())).status).toBe(200);
    await exhaustBudget(5);
    for (const app of servers) {
      const otherWebhook = discord.addWebhook();
      const response = await app.send(account, otherWebhook);
      expect([response.status, response.body]).toEqual([
        503,
        {
          error: `This account sends too many messages. Try again in ${response.headers['retry-after']} seconds.`,
        },
      ]);
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(240);
      expect(otherWebhook.requests).toHaveLength(0);
      expect((await app.send(otherAccount, otherWebhook)).status).toBe(200);
    }
    expect(await listEvents(server.database.db, account.id, { limit: 10 })).toHaveLength(1);
    await exhaustBudget(-1);
    expect((await servers[1]!.send(account, discord.addWebhook())).status).toBe(200);
    for (const app of servers) await app.close();
  });
});

it('no webhook token is in the log or the database', () =>
  expectNoTokenLeaks(server, secondServer));
