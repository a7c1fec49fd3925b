import { expect, it, onTestFinished } from 'vitest';
import { findOrCreateSubject } from '#db/queries/oauth-accounts.ts';
import { findClient, insertClient } from '#db/queries/oauth-clients.ts';
import { insertGrant } from '#db/queries/oauth-grants.ts';
import { createImage } from '../support/pictures.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { startTestApp, type TestAccount } from '../support/test-app.ts';
import { setUpDashboard, waitForDialogClosed } from './support/dashboard.ts';
import { expectNoProblems } from './support/visit.ts';

const publicUrl = `http://localhost:${await findFreePort()}`;
const dashboard = setUpDashboard(() => startTestApp({ PUBLIC_URL: publicUrl }), publicUrl);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const DESKTOP = { viewport: { width: 1_280, height: 800 } };

async function createGrant(
  { id: accountId }: TestAccount,
  clientId: string,
  scopes: string[],
): Promise<string> {
  await findOrCreateSubject(dashboard.server.db, accountId);
  return dashboard.server.db.transaction().execute(async (trx) => {
    const { id } = await insertGrant(trx, {
      account_id: accountId,
      actor_id: accountId,
      client_id: clientId,
      scopes,
      session_id: null,
    });
    return id;
  });
}

it.each([PHONE, DESKTOP])(
  'an operator adds a website, changes it, replaces its secret and deletes it ($viewport.width)',
  async (options) => {
    await dashboard.server.sql`DELETE FROM oauth_clients`;
    const { account } = await dashboard.openOperator('Websites');
    const { visit, page } = await dashboard.open(account, 'Websites', options);
    const dialog = page.getByRole('dialog');
    await page.getByText('One name for the wiki, the cloud and the forum').waitFor();
    await expectNoProblems(visit);
    await page.setViewportSize(options.viewport);
    await page.getByRole('link', { name: 'Add a website' }).click();
    // The addresses follow from the program and the address, and so does PKCE.
    const redirect = page.getByLabel('After signing in, people go back to');
    await page.getByLabel('Its address').fill('https://git.example.org/');
    expect(await redirect.inputValue()).toBe('https://git.example.org/apps/user_oidc/code');
    expect(await page.getByRole('switch', { name: 'Require PKCE' }).isChecked()).toBe(true);
    const signedOut = page.getByLabel('After signing out, people go back to (optional)');
    expect(await signedOut.inputValue()).toBe('https://git.example.org/');
    await page.getByRole('radio', { name: 'Gitea, Forgejo' }).check();
    expect(await signedOut.inputValue()).toBe('');
    await signedOut.fill('https://git.example.org/bye https://git.example.org/');
    expect(await redirect.inputValue()).toBe(
      'https://git.example.org/user/oauth2/nameplate/callback',
    );
    expect(await page.getByRole('switch', { name: 'Require PKCE' }).isChecked()).toBe(false);
    await page.getByLabel('Who may sign in').selectOption('operators');
    await page.getByLabel('Name').fill('Club code');
    await page.getByLabel('File for Logo').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await createImage({ width: 300, height: 300, color: '#1f5b96' }).png().toBuffer(),
    });
    await page.locator('.logo-box img').waitFor();
    await expectNoProblems(visit);
    await page.setViewportSize(options.viewport);
    await page.getByRole('button', { name: 'Add website' }).click();

    await page.getByRole('heading', { name: 'Club code', level: 1 }).waitFor();
    const secret = page.locator('.shown-once .secret');
    const firstSecret = await secret.innerText();
    expect(firstSecret).toMatch(/^[\w-]{43}$/);
    const clientId = page.url().split('/').at(-1)!;
    await page.getByText(firstSecret, { exact: true }).nth(1).waitFor();
    await page.getByText(clientId, { exact: true }).waitFor();
    await page
      .getByText(`${publicUrl}/.well-known/openid-configuration`, { exact: true })
      .waitFor();
    await expectNoProblems(visit);
    await page.getByLabel('Program').selectOption('oauth2-proxy');
    await page.getByText(`client_secret = "${firstSecret}"`).waitFor();
    await page.getByRole('button', { name: 'I saved it' }).click();
    await page.getByText('client_secret = "(shown once)"').waitFor();
    const hint = 'The secret was shown once. Enter yours, or make a new one.';
    await page.getByText(hint, { exact: true }).waitFor();
    expect(await page.locator('pre').textContent()).toMatch(`# ${hint}\nprovider =`);

    await page.getByLabel('Name').fill('Code of the club');
    await page.getByLabel('Who may sign in').selectOption('everybody');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Code of the club', level: 1 }).waitFor();
    const client = await findClient(dashboard.server.db, clientId);
    expect(client!.post_logout_redirect_uris).toEqual([
      'https://git.example.org/bye',
      'https://git.example.org/',
    ]);
    expect(client).toMatchObject({ allowed: 'everybody', software: 'gitea', requires_pkce: false });

    await page.getByRole('button', { name: 'Make a new one' }).click();
    await dialog.getByRole('button', { name: 'Make a new one' }).click();
    await secret.waitFor();
    expect(await secret.innerText()).not.toBe(firstSecret);

    await createGrant(account, clientId, ['openid', 'profile']);
    await page.getByRole('link', { name: 'Websites' }).first().click();
    await page.getByRole('link', { name: 'Code of the club' }).waitFor();
    await page.locator('img.tile[src^="/instance/"]').waitFor();
    await page.getByText('1 person').waitFor();
    await expectNoProblems(visit);
    await page.getByRole('link', { name: 'Code of the club' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('1 person cannot sign in there any more.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted Code of the club.').waitFor();
    await page.getByText('One name for the wiki, the cloud and the forum').waitFor();
    await page.goto(`${dashboard.base}/dashboard/activity?kind=audit`);
    await page.getByText('Website: Code of the club').first().waitFor();
    expect(await page.getByText('@Code of the club').count()).toBe(0);
    await expectNoProblems(visit);
  },
);

it('addresses may have spaces around them, and a deleted website is gone', async () => {
  const { page } = await dashboard.openOperator('Websites');
  await page.getByRole('link', { name: 'Add a website' }).click();
  await page.getByRole('radio', { name: 'Something else' }).check();
  await page.getByLabel('Name').fill('Spacious wiki');
  const redirect = page.getByLabel('After signing in, people go back to');
  await redirect.fill('https://wiki.example.org/a  https://wiki.example.org/b ');
  await page.getByRole('button', { name: 'Add website' }).click();
  const title = page.getByRole('heading', { name: 'Spacious wiki', level: 1 });
  await title.waitFor();
  const client = await findClient(dashboard.server.db, page.url().split('/').at(-1)!);
  expect(client!.redirect_uris).toEqual([
    'https://wiki.example.org/a',
    'https://wiki.example.org/b',
  ]);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted Spacious wiki.').waitFor();
  await page.getByRole('link', { name: 'Spacious wiki' }).waitFor({ state: 'detached' });
  await page.goBack();
  await page.getByRole('heading', { name: 'Websites', level: 1 }).waitFor();
  expect(await title.count()).toBe(0);
});

it('the lines for Apache can be pasted as they are, also for a path', async () => {
  const { page, visit } = await dashboard.openOperator('Websites');
  await page.getByRole('link', { name: 'Add a website' }).click();
  await page.getByRole('radio', { name: 'Apache' }).check();
  await page.getByLabel('Its address').fill('https://www.example.org/members');
  await page.getByLabel('Name').fill('Members area');
  await page.getByRole('button', { name: 'Add website' }).click();
  const lines = page.locator('pre');
  const redirectUri = 'https://www.example.org/members/oidc/callback';
  expect(await lines.textContent()).toContain(`OIDCRedirectURI ${redirectUri}\n`);
  expect(await lines.textContent()).toMatch(/^OIDCCryptoPassphrase \S{40}$/m);
  expect(await lines.textContent()).toContain('<Location /members>\n  AuthType openid-connect\n');
  await page.getByText(`${redirectUri}?logout=`, { exact: true }).waitFor();
  await expectNoProblems(visit);

  // What followed from the address follows it.
  const address = page.getByLabel('Its address');
  const redirect = page.getByLabel('After signing in, people go back to');
  const logoutUri = page.getByLabel('Back-channel logout (optional)');
  await address.fill('https://www.example.org/club');
  const movedUri = 'https://www.example.org/club/oidc/callback';
  expect(await redirect.inputValue()).toBe(movedUri);
  expect(await logoutUri.inputValue()).toBe(`${movedUri}?logout=backchannel`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('<Location /club>').waitFor();

  // Apache calls this server at its redirect address, so both change together.
  const clientId = page.url().split('/').at(-1)!;
  await dashboard.server
    .sql`UPDATE oauth_clients SET logout_failed_at = now(), logout_error = 'HTTP_404'
    WHERE id = ${clientId}`;
  await page.reload();
  await page.getByText('Signing out does not reach this website').waitFor();
  await redirect.fill('https://www.example.org/board/back');
  expect(await logoutUri.inputValue()).toBe(
    'https://www.example.org/board/back?logout=backchannel',
  );
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('<Location /board>').waitFor();
  await page.getByText('Signing out does not reach this website').waitFor({ state: 'detached' });
  await address.fill('https://www.example.org/elsewhere');
  await page.getByText('It stays as it is').waitFor();
  expect(await redirect.inputValue()).toBe('https://www.example.org/board/back');
});

it('before a website is added, the screen says that the server has no address', async () => {
  const { oauth } = dashboard.server.nameplate;
  Object.defineProperty(oauth, 'issuer', { value: undefined, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(oauth, 'issuer'));
  const { page, visit } = await dashboard.openOperator('Websites');
  await page.getByText('Nobody can sign in to websites yet').waitFor();
  await page.getByRole('link', { name: 'Add a website' }).click();
  await page.getByText(/needs PUBLIC_URL .* with DATABASE_URL, also ENCRYPTION_KEY/).waitFor();
  await expectNoProblems(visit);
});

it('the form names the field that the server refuses, and asks for a recent login', async () => {
  const { page, visit, account } = await dashboard.openOperator('Websites');
  visit.ignoredMessages.push(/Failed to load resource/);
  await page.getByRole('link', { name: 'Add a website' }).click();
  await page.getByRole('radio', { name: 'Something else' }).check();
  await page.getByLabel('Name').fill('Wiki');
  await page.getByRole('button', { name: 'Add website' }).click();
  await page.getByText('After signing in, people go back to is missing.').waitFor();
  await page.getByLabel('After signing in, people go back to').fill('http://wiki.example.org/back');
  await page.getByRole('button', { name: 'Add website' }).click();
  await page.getByText(/Not usable: http:\/\/wiki\.example\.org\/back/).waitFor();
  await page
    .getByLabel('After signing in, people go back to')
    .fill('https://wiki.example.org/back');
  await page.getByRole('combobox', { name: 'Who may sign in' }).selectOption('groups');
  await page.getByRole('button', { name: 'Add website' }).click();
  await page.getByText('Choose at least one group whose members may use it.').waitFor();
  // A group that is made in another tab appears here.
  await page.getByRole('link', { name: 'Create a group first' }).first().waitFor();
  await dashboard.server.sql`INSERT INTO groups (name, slug, color)
    VALUES ('Board', 'board', 'blue')`;
  await page.evaluate(`dispatchEvent(new Event('focus'))`);
  const allowed = page.getByRole('group', { name: 'Who may sign in' });
  await allowed.getByRole('button', { name: 'Board 0' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('Wiki');
  await dashboard.server.sql`UPDATE sessions SET created_at = now() - interval '61 minutes'
    WHERE account_id = ${account.id}`;
  await page.getByRole('button', { name: 'Add website' }).click();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
});

it.each([PHONE, DESKTOP])(
  'a member sees what apps get to know and may do, and withdraws that ($viewport.width)',
  async (options) => {
    const account = await dashboard.server.createAccount();
    const { visit: empty, page: emptyPage } = await dashboard.open(account, 'Settings', options);
    await emptyPage.getByRole('link', { name: 'Connected apps' }).click();
    await emptyPage.getByText('Nothing connected yet').waitFor();
    await expectNoProblems(empty);

    const [wiki, assistant] = [crypto.randomUUID(), crypto.randomUUID()];
    await insertClient(dashboard.server.db, {
      id: wiki,
      kind: 'website',
      name: 'Club wiki',
      address: 'https://wiki.example.org',
      redirect_uris: ['https://wiki.example.org/callback'],
      secret_hash: Buffer.alloc(32),
      logo_id: 'VYl0tjXyQ2C8mHn4sRbA1f-512x512',
      logo: await createImage({ width: 512, height: 512, color: '#1f5b96' }).webp().toBuffer(),
    });
    await insertClient(dashboard.server.db, {
      id: assistant,
      kind: 'registered',
      name: 'W'.repeat(200),
      redirect_uris: ['http://127.0.0.1:3334/callback'],
      secret_hash: null,
    });
    await createGrant(account, wiki, ['openid', 'profile', 'email']);
    const devices = [
      await createGrant(account, assistant, ['read', 'page']),
      await createGrant(account, assistant, ['read']),
    ];
    await dashboard.server
      .sql`INSERT INTO oauth_tokens (id_hash, kind, grant_id, payload, expires_at)
      SELECT sha256(uuid_send(id)), 'RefreshToken', id, '{}', now() + interval '1 day'
      FROM unnest(${devices}::uuid[]) AS id`;
    // Its tokens have expired.
    await createGrant(account, assistant, ['read']);
    const { visit, page } = await dashboard.open(account, 'Settings', options);
    await page.getByRole('link', { name: 'Connected apps' }).click();
    await page
      .getByText('Knows an id of your account, your name, picture and page, and your email address')
      .waitFor();
    await page.locator('img.tile[src="/instance/VYl0tjXyQ2C8mHn4sRbA1f-512x512.webp"]').waitFor();
    await page.getByText('A program on a computer').waitFor();
    await page.getByText('May read everything and change your page').waitFor();
    await page.getByText('2 devices').waitFor();
    await page
      .getByText(`“${'W'.repeat(200)}”`)
      .first()
      .waitFor();
    await expectNoProblems(visit);
    await page.setViewportSize(options.viewport);
    await page.getByRole('button', { name: 'More for Club wiki' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Club wiki?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await waitForDialogClosed(dialog);
    await page.getByText('Removed Club wiki.').waitFor();
    await page.getByText('wiki.example.org').waitFor({ state: 'detached' });
    const { grants } = await account.owner.grants.listGrants();
    expect(grants.map(({ client_id }) => client_id)).toEqual([assistant, assistant, assistant]);
    await page.getByRole('button', { name: /^More for “W/ }).click();
    await page.getByRole('button', { name: 'Show requests', exact: true }).click();
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    await expect.poll(() => page.getByLabel('Key').inputValue()).toBe(grants[0]!.id);
    await expectNoProblems(visit);
  },
);
