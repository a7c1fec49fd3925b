import { expect, it } from 'vitest';
import { Login } from '#client/generated/login-operations.ts';
import { ownerOf } from '#client/owner.ts';
import { recordedCalls } from '#dashboard/api/recorded-calls.ts';
import { SessionClient } from '#dashboard/api/session-client.ts';

const client = new SessionClient({
  apiKey: null,
  baseUrl: 'http://localhost',
  fetch: () => Promise.resolve(Response.json({})),
});
const owner = ownerOf(client);

it('calls are recorded with their query and body, latest first, each once', async () => {
  await owner.projects.createProject({ name: 'Shop' });
  await owner.events.listEvents({ limit: 8 });
  await client.stats.getProjects();
  await owner.events.listEvents({ limit: 8 });
  await owner.pictures.uploadPicture(new ArrayBuffer(8));
  expect(recordedCalls.value.slice(0, 4)).toEqual([
    { method: 'POST', path: '/owner/pictures/upload-picture', body: '{}' },
    { method: 'GET', path: '/owner/events/list-events?limit=8', body: undefined },
    { method: 'GET', path: '/stats/get-projects', body: undefined },
    { method: 'POST', path: '/owner/projects/create-project', body: '{"name":"Shop"}' },
  ]);
});

it('only the last calls are kept', async () => {
  for (let index = 0; index < 30; index += 1)
    await owner.projects.createProject({ name: `Shop ${index}` });
  expect(recordedCalls.value).toHaveLength(20);
  expect(recordedCalls.value[0]!.body).toBe('{"name":"Shop 29"}');
});

it('no call is recorded with a secret', async () => {
  const secret = 'SECRET';
  const webhookUrl = `https://discord.com/api/webhooks/1/${secret}`;
  const payload = { content: 'Hello' };
  const answer = { id: secret, response: { clientDataJSON: secret } };
  const display_name = 'Jane Doe';
  const login = new Login(client);
  const calls = [
    client.hooks.sendChatWebhook({ webhookUrl, payload }),
    client.hooks.editChatWebhook({ webhookUrl, payload, messageId: '1' }),
    owner.connections.createConnection({
      ...{ kind: 'ntfy', name: '#shop', event_types: [] },
      ...{ url: webhookUrl, token: secret },
    }),
    owner.passkeys.createPasskey({ answer }),
    login.passkeys.createPasskeySession({ answer }),
    login.sessions.createSession({ api_key: secret }),
    login.sessions.createSession({ login_url: secret }),
    login.invitations.getInvitation({ invitation_url: secret }),
    login.invitations.acceptInvitation({ invitation_url: secret, display_name }),
    login.account.checkRegistration({
      display_name,
      invitation_url: secret,
      registration_url: secret,
    }),
    login.account.createRegistration({
      display_name,
      invitation_url: secret,
      email: 'a@b.example',
    }),
    login.account.createAccount({ registration_url: secret, display_name }),
  ];
  await Promise.all(calls);
  const recorded = recordedCalls.value.slice(0, calls.length);
  expect(JSON.stringify(recorded)).not.toContain(secret);
  expect(recorded.map(({ body }) => body)).toContain(
    '{"kind":"ntfy","name":"#shop","event_types":[],"url":"…","token":"…"}',
  );
});
