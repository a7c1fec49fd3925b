import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { useServer } from '../support/use-server.ts';

const MAX_CONCURRENT = 8;
const MAX_QUEUED = 200;

const { server } = useServer();

it('a few made-up links are looked up at a time, a limited number waits, and the others get 503', async () => {
  const responses: number[] = [];
  const visit = async () => {
    const url = `/confirm/${randomBytes(32).toString('base64url')}`;
    responses.push((await server.app.inject({ url })).statusCode);
  };
  const before = server.queryCount();
  const pending = await server.db.transaction().execute(async (trx) => {
    await sql`LOCK TABLE forwarding_destinations IN ACCESS EXCLUSIVE MODE`.execute(trx);
    const requests = Array.from({ length: MAX_CONCURRENT + MAX_QUEUED + 50 }, visit);
    await eventually(() => expect(responses.length).toBeGreaterThanOrEqual(50));
    expect(new Set(responses)).toEqual(new Set([503]));
    expect(server.queryCount() - before).toBeLessThanOrEqual(1 + MAX_CONCURRENT);
    return requests;
  });
  await Promise.all(pending);
  expect(responses.filter((status) => status !== 404 && status !== 503)).toEqual([]);
  expect((await server.app.inject({ url: `/confirm/${'a'.repeat(43)}` })).statusCode).toBe(404);
});
