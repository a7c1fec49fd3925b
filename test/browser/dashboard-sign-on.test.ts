import { afterAll, expect, it } from 'vitest';
import { createSignOn } from '#server/features/sign-on/sign-on.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../sign-on/support/identity-provider.ts';
import { startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, signOut, setUpDashboard } from './support/dashboard.ts';
import { expectNoProblems, FAILED_REQUEST } from './support/visit.ts';

let provider: IdentityProvider;
const dashboard = setUpDashboard(async () => {
  provider = await startIdentityProvider(() => `${getOrigin()}/dashboard/sign-on/callback`);
  const signOn = createSignOn({
    ...provider.settings,
    OIDC_NAME: 'Example ID',
    OIDC_ALLOWED_GROUPS: ['staff'],
    OIDC_ALLOWED_DOMAINS: [],
    REGISTRATION: 'invite',
  });
  return startTestApp({ signOn });
});
afterAll(() => provider.close());

/** The dashboard's origin with a host other than the identity provider's, to separate their cookies. */
function getOrigin(): string {
  return dashboard.base.replace('127.0.0.1', 'localhost');
}

it('single sign-on creates an account, signs in, and renews a login', async () => {
  provider.users.set('jane', { groups: ['staff'], email: 'jane@corp.example' });
  const { visit, page, context } = await dashboard.visit(`${getOrigin()}/dashboard/settings`);
  await expectNoProblems(visit);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByLabel('User').fill('jane');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await expect.poll(() => page.url()).toBe(`${getOrigin()}/dashboard/settings`);
  await page.getByText('jane@corp.example', { exact: true }).waitFor();
  await page.getByText(/^Single sign-on, /).waitFor();
  visit.requests.length = 0;
  await expectNoProblems(visit);

  // The identity is the account's only login method.
  visit.ignoredMessages.push(FAILED_REQUEST);
  await page.getByRole('button', { name: 'Unlink jane@corp.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('This is your only way to log in.').waitFor();

  await dashboard.server.db
    .updateTable('sessions')
    .set({ authenticated_at: new Date(0) })
    .execute();
  await page.goto(`${getOrigin()}/dashboard/settings?passkey`);
  const dialog = page.getByRole('dialog', { name: 'Add passkey' });
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page
      .getByRole('dialog', { name: 'Sign in again' })
      .getByRole('link', { name: 'Sign in with Example ID' })
      .click(),
  ]);
  await tab.getByLabel('User').fill('jane');
  await tab.getByRole('button', { name: 'Log in' }).click();
  await tab.getByRole('heading', { name: 'You are signed in' }).waitFor();
  await tab.close();
  await page.bringToFront();
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  await dialog.getByRole('button', { name: 'Continue' }).waitFor();

  await page.goto(`${getOrigin()}/dashboard/`);
  await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await signOut(page);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor();
});

it('single sign-on explains to a user without an account that they are not signed in', async () => {
  const { visit, page } = await dashboard.visit(`${getOrigin()}/dashboard/`);
  await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
  await page.getByLabel('User').fill('mallory');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  visit.requests.length = 0;
  visit.messages.length = 0;
  await expectNoProblems(visit);
  await page.getByRole('link', { name: 'Back to sign in' }).click();
  await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor();
});

it('an identity is linked to an account in Settings, and unlinked', async () => {
  const account = await dashboard.server.createAccount();
  provider.users.set('mira', { groups: ['staff'], email: 'mira@home.example' });
  const link = (await dashboard.createLoginLink(account)).replace(dashboard.base, getOrigin());
  const { visit, page } = await dashboard.visit(link);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: HOME_HEADING, level: 1 }).waitFor();
  await page.goto(`${getOrigin()}/dashboard/settings`);
  await page.getByRole('button', { name: 'Link Example ID' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link Example ID' });
  await dialog.getByRole('button', { name: 'Continue to Example ID' }).waitFor();
  await expectNoProblems(visit);
  await dialog.getByRole('button', { name: 'Continue to Example ID' }).click();
  await page.getByLabel('User').fill('mira');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('mira@home.example', { exact: true }).waitFor();
  await expect.poll(() => page.url()).toBe(`${getOrigin()}/dashboard/settings`);
  await page.getByRole('button', { name: 'Unlink mira@home.example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('button', { name: 'Link Example ID' }).waitFor();
});
