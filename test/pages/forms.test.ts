import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/shared/limits.ts';
import { SAME_ORIGIN_HEADERS } from '../support/session.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({
  account: true,
  mailEnabled: true,
  rateLimitOptions: {
    requestsPerMinute: 0,
    nameChecksPerMinute: 9,
    reportsPerHour: 3,
    messagesPerHour: 3,
  },
});

beforeAll(async () => {
  const { client } = account;
  await client.account.updateDisplayName({ display_name: 'jane-doe' });
  await client.site.toggleSiteVisibility();
  await client.site.updateSiteConfiguration({ blocks: [{ type: 'contact_form' }] });
  await server.database.db
    .updateTable('forwarding_settings')
    .set({ forwarding_email: 'owner@inbox.example.net', forwarding_confirmed: true })
    .where('account_id', '=', account.id)
    .execute();
});

let networks = 0;
const createNetwork = () => `203.0.113.${(networks += 1)}`;

const post = (url: string, payload: string, remoteAddress = createNetwork()) =>
  server.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...SAME_ORIGIN_HEADERS, 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress,
  });

describe.each([
  {
    url: '/',
    fields: 'name=new-one&email=jane@example.com',
    invalid: 'name=new-one&email=',
    maxLength: LIMITS.email,
  },
  {
    url: '/@jane-doe/report',
    fields: 'reason=scam&text=x&email=',
    invalid: 'reason=&text=',
    maxLength: LIMITS.reportText,
  },
  {
    url: '/@jane-doe/message',
    fields: 'name=&email=ann@visitor.example&message=x&topic=',
    invalid: 'email=ann&message=',
    maxLength: LIMITS.visitorMessage,
  },
])('the form at $url', ({ url, fields, invalid, maxLength }) => {
  it('is accepted with all of its fields, and refused with one more', async () => {
    expect((await post(url, fields)).statusCode).toBe(200);
    expect((await post(url, `${fields}&a`)).statusCode).toBe(400);
    expect((await post(url, 'a&'.repeat(1_000))).statusCode).toBe(400);
  });

  it('is refused unread if it is larger than its fields', async () => {
    expect((await post(url, `text=${'x'.repeat(70_000)}`)).statusCode).toBe(413);
  });

  it('comes back no longer than its fields allow', async () => {
    const empty = await post(url, invalid);
    const { statusCode, payload } = await post(url, invalid + '"'.repeat(2 * maxLength));
    expect(statusCode).toBe(400);
    const escaped = '&quot;'.length * maxLength;
    expect(payload.length).toBeLessThan(empty.payload.length + escaped + 500);
  });

  it('counts for its network even if it is not valid', async () => {
    const network = createNetwork();
    const statuses: number[] = [];
    while (statuses.length < 10) statuses.push((await post(url, invalid, network)).statusCode);
    expect(statuses.slice(0, 3)).toEqual([400, 400, 400]);
    expect(statuses.at(-1)).toBe(429);
    expect((await post(url, fields, network)).statusCode).toBe(429);
    expect((await post(url, fields)).statusCode).toBe(200);
  });
});
