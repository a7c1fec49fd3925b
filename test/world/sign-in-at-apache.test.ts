import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { logoutJob } from '#server/features/oauth/logout-job.ts';
import { openSignedIn, startListeningApp } from '../browser/support/listening-app.ts';
import { createOperator } from '../support/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { runJobs } from '../support/run-jobs.ts';
import { createTempFolder, type RegisterCleanUp } from '../support/server-process.ts';
import { setSuspended } from '../support/suspend.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useShared } from '../support/use-shared.ts';

const MODULES = [
  'mpm_event',
  'authn_core',
  'authz_core',
  'authz_user',
  'headers',
  'proxy',
  'proxy_http',
];

/** Starts Debian's Apache with `lines` in front of a page that shows what it gets to know. */
async function startApache(
  port: number,
  lines: string,
  onFinished: RegisterCleanUp,
): Promise<void> {
  const page = await listen(
    createServer(({ headers }, response) => {
      const claims = Object.entries(headers).filter(([name]) => name.startsWith('oidc_claim_'));
      response.end(JSON.stringify(Object.fromEntries(claims)));
    }),
  );
  onFinished(page.close);
  const folder = await createTempFolder(onFinished);
  await mkdir(join(folder, 'logs'));
  await chmod(join(folder, 'logs'), 0o777);
  const modules = [...MODULES, 'auth_openidc'].map(
    (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
  );
  const config = `${modules.join('\n')}
User www-data
Group www-data
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile logs/pid
ErrorLog logs/error
DefaultRuntimeDir logs
ProxyPass /oidc/ !
ProxyPass / ${page.url}/
${lines}
<Location /operators>
  Require claim groups:operators
</Location>
`;
  await writeFile(join(folder, 'apache.conf'), config);
  const args = ['-d', folder, '-f', 'apache.conf', '-D', 'FOREGROUND'];
  const apache = spawn('/usr/sbin/apache2', args, { stdio: 'inherit' });
  const exited = once(apache, 'exit');
  onFinished(async () => {
    apache.kill();
    await exited;
  });
  await eventually(() => fetch(`http://127.0.0.1:${port}/oidc/callback`));
}

/** Adds the website in the dashboard. Returns the lines and the link to sign out that it shows. */
async function addWebsite(page: Page, origin: string, address: string) {
  await page.goto(`${origin}/dashboard/operator/websites/add`);
  await page.getByRole('radio', { name: 'Apache' }).check();
  await page.getByLabel('Its address').fill(address);
  await page.getByRole('textbox', { name: 'Name' }).fill('Club wiki');
  await page.getByRole('button', { name: 'Add website' }).click();
  return {
    lines: (await page.locator('pre').textContent())!,
    signOutUrl: (await page.locator('.website-values dd > span').textContent())!,
  };
}

const shared = useShared(async (onFinished) => {
  const server = await startListeningApp(onFinished);
  const port = await findFreePort();
  const address = `http://127.0.0.1:${port}`;
  const operator = await createOperator(server, 'olivia');
  const page = await openSignedIn(server, operator.id, onFinished);
  const { lines, signOutUrl } = await addWebsite(page, server.origin, address);
  await startApache(port, lines, onFinished);
  return { server, operator, address, signOutUrl };
});

async function openPage(account: TestAccount, path: string): Promise<Page> {
  const { server, address } = shared();
  const page = await openSignedIn(server, account.id);
  await page.goto(address + path);
  await page.getByRole('heading', { name: 'Sign in to Club wiki' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(address + path);
  return page;
}

it('a member signs in at Apache with the lines of the screen, and is out there when suspended', async () => {
  const { server, address } = shared();
  const member = await server.createNamedAccount('mira');
  await server.sql`UPDATE forwarding_settings SET login_email = 'mira@club.example'
    WHERE account_id = ${member.id}`;
  const page = await openPage(member, '/notes?page=2');
  expect(JSON.parse((await page.textContent('body'))!)).toMatchObject({
    oidc_claim_sub: expect.stringMatching(/^[\da-f-]{36}$/),
    oidc_claim_name: 'mira',
    oidc_claim_preferred_username: 'mira',
    oidc_claim_email: 'mira@club.example',
    oidc_claim_email_verified: '1',
    oidc_claim_groups: '',
  });
  const refused = await page.goto(`${address}/operators`);
  expect(refused!.status()).toBe(401);

  await setSuspended(server, member.id);
  await runJobs(server.database, logoutJob, server.nameplate);
  await page.goto(`${address}/notes`);
  await page.getByText('Then you are back at Club wiki').waitFor();
});

it('Apache lets operators in by their group, and signs them out on both sides', async () => {
  const { server, operator, address, signOutUrl } = shared();
  const page = await openPage(operator, '/operators');
  expect(await page.textContent('body')).toContain('"oidc_claim_groups":"operators"');
  await page.goto(signOutUrl);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.goto(`${address}/notes`);
  await page.getByText('Then you are back at Club wiki').waitFor();
  expect(await server.sql`SELECT FROM sessions WHERE account_id = ${operator.id}`).toHaveLength(1);
});

it('who cancels is asked again, and the protected pages stay out of caches', async () => {
  const { server, address } = shared();
  const member = await server.createNamedAccount('carla');
  const page = await openSignedIn(server, member.id);
  await page.goto(`${address}/notes`);
  await page.getByRole('heading', { name: 'Sign in to Club wiki' }).waitFor();
  const question = page.url();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL(({ href }) => href !== question);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${address}/`);
  const response = await page.goto(`${address}/notes`);
  expect(response!.headers()['cache-control']).toBe('private, no-store');
});

it('who goes back from a refusal gets it again, and no error of Apache', async () => {
  const { server, operator, address } = shared();
  const member = await server.createNamedAccount('rika');
  const { clients } = await operator.owner.clients.listClients();
  await operator.owner.clients.updateClient({ client_id: clients[0]!.id, allowed: 'operators' });
  const page = await openSignedIn(server, member.id);
  await page.goto(`${address}/notes`);
  const refusal = page.getByText('Club wiki is only for operators of this server.');
  await refusal.waitFor();
  const { pathname } = new URL(page.url());
  await page.getByRole('button', { name: 'Back' }).click();
  await page.waitForURL(
    (url) => /^\/oauth\/flow\/[^/]+\/consent$/.test(url.pathname) && url.pathname !== pathname,
  );
  await refusal.waitFor();
});
