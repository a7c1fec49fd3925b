import { expect, it } from 'vitest';
import { insertProject } from '#db/queries/projects.ts';
import { fetchJson, startServerWithAccount } from '../support/server-process.ts';

const CANARY = 'canary-8d1f6c';

it('the output of a server contains no key, body, email address, webhook or database password', async () => {
  // Nothing listens on this port, so every chat message fails.
  const { server, db, id, key } = await startServerWithAccount({
    LOG_LEVEL: 'trace',
    CHAT_WEBHOOK_HOSTS: 'localhost:9',
  });
  const projectId = (await insertProject(db, id, 'Shop')).id;
  const webhookUrl = `https://localhost:9/api/webhooks/1/${CANARY}`;
  const payload = { content: CANARY };
  for (const [method, path, json] of [
    ['POST', '/account/update-display-name', { display_name: CANARY }],
    ['POST', '/site/update-site-configuration', { bio: CANARY, blocks: [{ type: CANARY }] }],
    ['POST', '/site/update-site-configuration', { bio: { [CANARY]: 1 } }],
    [
      'POST',
      '/email-forwarding/email-forwarding-toggle',
      { enabled: true, email: `${CANARY}@example.com` },
    ],
    ['POST', '/stats/ingest-metrics', { projectId, payload: { [CANARY]: CANARY } }],
    ['POST', '/hooks/send-chat-webhook', { webhookUrl, payload }],
    ['PATCH', '/hooks/send-chat-webhook', { webhookUrl, messageId: '1', payload }],
    ['GET', `/account/get-display-name?x-api-key=${CANARY}`, undefined],
    ['GET', `/nowhere/${CANARY}`, undefined],
  ] as const)
    for (const apiKey of [key, `${key}x`, `np_${CANARY}.secret`])
      await fetchJson(`${server.url}${path}`, { key: apiKey, method, ...(json && { json }) });
  await server.stop();
  const output = server.stderr() + server.stdout();
  expect(server.stdout().trim().split('\n').length).toBeGreaterThan(27);
  const secret = key.split('.')[1]!;
  for (const forbidden of [CANARY, secret, 'postgres:postgres'])
    expect(output).not.toContain(forbidden);
});
