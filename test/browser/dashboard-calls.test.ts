import { expect, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { makeOperator } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';

const dashboard = setUpDashboard(startTestApp);

const NO_SESSION = 'A program has a key, and no session to begin or to end.';
const ONLY_BROWSERS = 'Only a browser makes and uses passkeys.';
/** Operations that the dashboard does not show, with the reason. */
const HIDDEN_OPERATIONS: Record<string, string> = {
  'POST /owner/session/create-session': NO_SESSION,
  'POST /owner/session/mail-login-link': NO_SESSION,
  'POST /owner/session/end-session': NO_SESSION,
  'POST /owner/invitations/accept-invitation': NO_SESSION,
  'POST /owner/registration/check-name': NO_SESSION,
  'POST /owner/registration/request-account': NO_SESSION,
  'POST /owner/registration/create-account': NO_SESSION,
  'POST /owner/passkeys/begin-login': ONLY_BROWSERS,
  'POST /owner/passkeys/log-in': ONLY_BROWSERS,
  'POST /owner/passkeys/begin-registration': ONLY_BROWSERS,
  'POST /owner/passkeys/register': ONLY_BROWSERS,
};

const CONTRACTS: Contract[] = [contract, ownerContract];
const OPERATIONS = CONTRACTS.flatMap((surface) => Object.values(surface))
  .flatMap((area) => Object.values(area))
  .map(({ method, path }) => `${method} ${path}`);

/** Method and path of a curl command. */
function operationOf(curl: string): string {
  const [, path = ''] = /https?:\/\/[^/\s]+(\/[\w/-]+)[^\n]*$/.exec(curl) ?? [];
  const [, method = / (?:-d|--data-binary) /.test(curl) ? 'POST' : 'GET'] =
    / -X (\w+)/.exec(curl) ?? [];
  return `${method} ${path}`;
}

it('the dashboard shows every operation as a curl command and as an SDK call', async () => {
  const account = await dashboard.server.createAccount();
  for (const bio of ['One.', 'Two.']) await account.client.site.updateSiteConfiguration({ bio });
  const projectId = await dashboard.server.createProject(account);
  await makeOperator(dashboard.server, account);
  const { page } = await dashboard.open(account);
  const callsByOperation = new Map<string, string>();
  const collect = async (address: string) => {
    await page.goto(`${dashboard.base}/dashboard/${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    // Some calls are inside collapsed details.
    await page.evaluate(
      `for (const part of document.querySelectorAll('details')) part.open = true`,
    );
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    await page.getByRole('button', { name: 'View API call' }).click();
    const calls = page.getByRole('dialog', { name: 'API calls of this screen' });
    for (const sample of await calls.getByLabel(/^curl: /).allTextContents())
      callsByOperation.set(operationOf(sample), address);
  };
  await collect('');
  await account.client.account.updateDisplayName({ display_name: 'jane-calls' });
  for (const address of ['', 'page', 'visitors', 'metrics', `metrics/${projectId}`])
    await collect(address);
  await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
  for (const address of [
    `metrics/${projectId}`,
    'keys',
    'domains',
    'mail',
    'chat',
    'events',
    'security',
  ])
    await collect(address);
  for (const part of ['', '/reports', '/invitations', '/audit', `/accounts/${account.id}`])
    await collect(`operator${part}`);
  // Only a sent message can be edited.
  await page.route('**/hooks/send-chat-webhook', (route) =>
    route.fulfill({ json: { messageId: '1' } }),
  );
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByLabel('Webhook URL').fill('https://chat.example/1');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Edit the message' }).waitFor();
  await page.getByRole('button', { name: 'View API call' }).click();
  const edit = await page.getByLabel('curl: Edit chat webhook').textContent();
  callsByOperation.set(operationOf(edit!), 'chat');

  expect([...callsByOperation.keys(), ...Object.keys(HIDDEN_OPERATIONS)].toSorted()).toEqual(
    OPERATIONS.toSorted(),
  );
});
