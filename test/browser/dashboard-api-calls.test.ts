import { expect, it } from 'vitest';
import type { Contract } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import { makeOperator } from '../support/endpoints.ts';
import { startTestApp } from '../support/test-app.ts';
import { setUpDashboard } from './support/dashboard.ts';

const dashboard = setUpDashboard(startTestApp);

const NO_SESSION = 'Programs use a key and have no session.';
const ONLY_BROWSERS = 'Only browsers use passkeys.';
/** Operations that the dashboard does not show, each with the reason. */
const HIDDEN_OPERATIONS: Record<string, string> = {
  'POST /owner/session/create-session': NO_SESSION,
  'POST /owner/session/mail-login-link': NO_SESSION,
  'POST /owner/session/end-session': NO_SESSION,
  'POST /owner/invitations/look-up-invitation': NO_SESSION,
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
const OPERATIONS = CONTRACTS.flatMap((areas) => Object.values(areas))
  .flatMap((area) => Object.values(area))
  .map(({ method, path }) => `${method} ${path}`);

/** Method and path of the request that a curl command sends. */
function parseCurl(curl: string): string {
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
  const operations = new Set<string>();
  const collect = async (path: string) => {
    await page.goto(`${dashboard.base}/dashboard/${path}`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    // Some calls are inside collapsed details, which render their content on `toggle`.
    await page.evaluate(
      `Promise.all([...document.querySelectorAll('details:not([open])')].map((details) =>
        new Promise((resolve) => {
          details.addEventListener('toggle', resolve, { once: true });
          details.open = true;
        })))`,
    );
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    if (path === 'page') await page.getByRole('button', { name: 'Page options' }).click();
    await page.getByRole('button', { name: 'View API call' }).click();
    const calls = page.getByRole('dialog', { name: 'API calls of this screen' });
    const commands = calls.getByLabel(/^curl: /);
    await commands.first().waitFor();
    for (const command of await commands.allTextContents()) operations.add(parseCurl(command));
  };
  await collect('');
  await account.client.account.updateDisplayName({ display_name: 'jane-calls' });
  await account.client.site.toggleSiteVisibility();
  for (const path of ['', 'page', 'visitors', 'metrics', `metrics/${projectId}`])
    await collect(path);
  await account.client.stats.ingestMetrics({ projectId, payload: { visitors: 1 } });
  for (const path of [
    `metrics/${projectId}`,
    'keys',
    'domains',
    'mail',
    'chat',
    'events',
    'settings',
  ])
    await collect(path);
  for (const path of [
    'members',
    'reports',
    'appearance',
    'members/invitations',
    'members/add',
    'audit',
    `members/${account.id}`,
  ])
    await collect(`operator/${path}`);
  await collect('operator');
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
  operations.add(parseCurl(edit!));

  expect([...operations, ...Object.keys(HIDDEN_OPERATIONS)].toSorted()).toEqual(
    OPERATIONS.toSorted(),
  );
});
