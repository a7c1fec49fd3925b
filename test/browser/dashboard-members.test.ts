import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { createInvitationLink } from '#server/features/invitations/invitation.ts';
import { startTestApp } from '../support/test-app.ts';
import { HOME_HEADING, setUpDashboard } from './support/dashboard.ts';
import { FAILED_REQUEST, findAccessibilityViolations, type Visit } from './support/visit.ts';

const dashboard = setUpDashboard(() => startTestApp({ REGISTRATION: 'invite' }));

// The first account is an operator.
beforeAll(async () => void (await dashboard.server.createAccount()));

const MEMBER_SCREENS = ['Home', 'Page', 'Visitors', 'Mail', 'Activity', 'Settings'];
const DEVELOPER_SCREENS = ['Metrics', 'Keys', 'Connections'];

/** Joins by invitation. Passkeys need a host name, not an IP address. */
async function join(name: string, options?: BrowserContextOptions): Promise<Visit> {
  const base = dashboard.base.replace('127.0.0.1', 'localhost');
  const { invitation_url } = await createInvitationLink(dashboard.server.db, base, {
    days: 1,
  });
  const opened = await dashboard.visit(invitation_url, options);
  await opened.page.getByLabel('Name').fill(name);
  await opened.page.getByRole('button', { name: /^Claim @/ }).click();
  await opened.page.getByRole('heading', { name: /Welcome/ }).waitFor();
  // Before the account exists, requests may fail with 401.
  opened.messages.length = 0;
  return opened;
}

it('an invitation that does not work says why, and what to do', async () => {
  const { db } = dashboard.server;
  const invitationUrl = (token: string) => `${dashboard.base}/dashboard/invitation#${token}`;
  const invite = async () => {
    const { id, invitation_url } = await createInvitationLink(db, dashboard.base, { days: 1 });
    return { id, token: invitation_url.split('#')[1]! };
  };
  const [open, expired, used] = [await invite(), await invite(), await invite()];
  await sql`UPDATE invitations SET expires_at = now() WHERE id = ${expired.id}`.execute(db);
  await sql`UPDATE invitations SET uses = 1 WHERE id = ${used.id}`.execute(db);
  for (const [token, title, advice] of [
    ['', 'This invitation does not work', 'Open the link in your newest invitation mail'],
    [open.token.slice(0, 10), 'This invitation does not work', 'The link is incomplete'],
    ['A'.repeat(43), 'This invitation does not work', 'revoked or replaced'],
    [expired.token, 'This invitation has expired', 'Ask the person who invited you'],
    [used.token, 'This invitation was already used', 'If you used it, sign in.'],
  ] as const) {
    const visit = await dashboard.visit(invitationUrl(token));
    visit.ignoredMessages.push(FAILED_REQUEST);
    await visit.page.getByRole('heading', { name: title }).waitFor();
    await visit.page.getByText(advice).waitFor();
    await visit.page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
  }
  // Without mail forwarding, no mail address is promised.
  const { page } = await dashboard.visit(invitationUrl(open.token));
  await page.getByText('Get a name and a page.').waitFor();
});

const listedScreens = (page: Page) =>
  page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link')
    .allInnerTexts()
    .then((titles) => titles.map((title) => title.trim()));

it('a group of the sidebar stays closed until one of its screens is open', async () => {
  const { page } = await dashboard.openNew();
  const group = page.getByRole('button', { name: 'Developer tools' });
  await group.click();
  expect(await listedScreens(page)).toEqual(MEMBER_SCREENS);
  await page.reload();
  await page.getByRole('heading', { name: HOME_HEADING }).waitFor();
  expect(await listedScreens(page)).toEqual(MEMBER_SCREENS);
  await page.goto(`${dashboard.base}/dashboard/keys`);
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  await expect.poll(() => listedScreens(page)).toEqual([...MEMBER_SCREENS, ...DEVELOPER_SCREENS]);
});

it('an invited member sees six screens, no API calls, and a page to begin', async () => {
  const opened = await join('Callum Reid');
  const { page, messages } = opened;
  await page.getByRole('button', { name: 'Add your first link' }).waitFor();
  await page.getByText('Sign in with your fingerprint, face or phone. No password.').waitFor();
  await expect.poll(() => listedScreens(page)).toEqual(MEMBER_SCREENS);
  for (const title of MEMBER_SCREENS.slice(1)) {
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
    await expect
      .poll(async () => (await page.locator('main').innerText()).replace(/For people who.*/, ''))
      .not.toMatch(/\b(?:JSON|API|SDK|npx|curl|metrics?|webhooks?|keys?)\b/i);
  }
  await page.getByRole('button', { name: /Account$/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'API reference' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Page', exact: true }).click();
  await page.getByRole('button', { name: 'Add block', exact: true }).click();
  const picker = page.getByRole('dialog', { name: 'Add a block' });
  await picker.getByRole('button', { name: /^Link/ }).waitFor();
  expect(await picker.getByRole('button', { name: /^(?:Metric|Other)/ }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByRole('dialog', { name: 'Add passkey' }).waitFor();
  expect(messages).toEqual([]);
});

it('four screens of a member are the tabs of a phone, and More has the others', async () => {
  const { page } = await join('Freya Holm', { viewport: { width: 390, height: 844 } });
  const moreButton = page.getByRole('button', { name: 'More', exact: true });
  const lessButton = page.getByRole('button', { name: 'Less', exact: true });
  for (const title of MEMBER_SCREENS) {
    const link = page.getByRole('link', { name: title, exact: true });
    if (['Activity', 'Settings'].includes(title)) await moreButton.click();
    await link.click();
  }
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Domains', exact: true }).click();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  await page.locator('.back', { hasText: 'Settings' }).click();
  await page.getByRole('switch', { name: 'Show developer tools' }).click();
  for (const close of [
    () => page.keyboard.press('Escape'),
    // A tap outside changes nothing there.
    () => page.mouse.click(195, 60),
  ]) {
    await moreButton.click();
    await lessButton.waitFor();
    await close();
    await moreButton.waitFor();
  }
  await moreButton.click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  // “More” is highlighted on the screens in its menu.
  const colorOf = (selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`);
  await expect.poll(async () => (await colorOf('.more')) !== (await colorOf('nav a'))).toBe(true);
});

it('an older response about the account does not hide developer tools again', async () => {
  const { page } = await join('Runa Berg');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'Show developer tools' }).waitFor();
  const waiting: (() => Promise<void>)[] = [];
  await page.route('**/get-session', async (route) => {
    const response = await route.fetch();
    waiting.push(() => route.fulfill({ response }));
  });
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'Show developer tools' }).click();
  await expect.poll(() => listedScreens(page)).toEqual([...MEMBER_SCREENS, ...DEVELOPER_SCREENS]);
  const received = page.waitForResponse('**/get-session');
  for (const respond of waiting) await respond();
  await received;
  // Rendering follows in the next frame.
  await page.evaluate('new Promise(requestAnimationFrame).then(() => 0)');
  expect(await listedScreens(page)).toEqual([...MEMBER_SCREENS, ...DEVELOPER_SCREENS]);
});

it('a hidden screen opens by its address, the first key shows all, and Settings hide them', async () => {
  const { page } = await join('Tomas Silva');
  await page.goto(new URL('keys?create', page.url()).href);
  await expect.poll(() => listedScreens(page)).toEqual(MEMBER_SCREENS);
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'Your key is ready' }).waitFor();
  await expect.poll(() => listedScreens(page)).toEqual([...MEMBER_SCREENS, ...DEVELOPER_SCREENS]);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'Show developer tools', checked: true }).click();
  await expect.poll(() => listedScreens(page)).toEqual(MEMBER_SCREENS);
  const saved = page.waitForResponse('**/update-front-page');
  await page.getByRole('switch', { name: 'Show my page on the front page' }).click();
  await saved;
  await page.reload();
  await page
    .getByRole('switch', { name: 'Show my page on the front page', checked: true })
    .waitFor();
  await page.getByRole('switch', { name: 'Show developer tools', checked: false }).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);
});

it('members who left the group are suspended in their rows, or several at once', async () => {
  const { server } = dashboard;
  const leave = async (name: string) => {
    const { id } = await server.createNamedAccount(name);
    await server.sql`INSERT INTO identities (account_id, issuer, subject, scope, left_at)
      VALUES (${id}, 'https://id.example.org', ${name}, 'operator', now())`;
    return id;
  };
  const [one, two, three] = [await leave('leaver-one'), await leave('two'), await leave('three')];
  await server.sql`INSERT INTO operators (account_id) VALUES (${await leave('boss-here')})`;
  const visit = await dashboard.openOperator('Your server');
  const { page, account } = visit;
  const toDo = page.getByRole('region', { name: 'To do' });
  await toDo.getByText(/^Keys and passkeys of @boss-here, @three, .* work until/).waitFor();
  await toDo.getByRole('link', { name: 'View members (4 members left the group)' }).click();
  const readStates = async () => {
    const { members } = await account.owner.members.listMembers({ state: 'left_group' });
    return Object.fromEntries(members.map(({ id, state }) => [id, state]));
  };
  await page.getByRole('button', { name: 'Left the group 4' }).waitFor();
  expect(await findAccessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Suspend @leaver-one' }).click();
  await page.getByLabel('Reason').fill('Left');
  await page.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByText('Suspended @leaver-one.').waitFor();
  await page.getByLabel('Select all').check();
  await page.getByLabel('Select @two').uncheck();
  await page.getByText('1 selected').waitFor();
  await page.getByLabel('Select @two').check();
  // Another operator makes one of them an operator.
  await server.sql`INSERT INTO operators (account_id) VALUES (${three})`;
  await page.getByRole('button', { name: 'Suspend selected' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suspend 2 members?' });
  await dialog.getByLabel('Reason').fill('Left');
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByText('Suspended 1 member. @three: ').waitFor();
  expect(await readStates()).toMatchObject({ [one]: 'suspended', [two]: 'suspended' });
  expect(Object.values(await readStates())).toContain('active');
  // The first batch of leavers has only suspended ones.
  await server.sql`WITH suspended AS (INSERT INTO accounts (suspended_at)
      SELECT now() FROM generate_series(1, 51) RETURNING id)
    INSERT INTO identities (account_id, issuer, subject, scope, left_at)
    SELECT id, 'https://id.example.org', id, 'operator', now() FROM suspended`;
  await page.goto(`${dashboard.base}/dashboard/operator`);
  await toDo.getByRole('link', { name: 'View members (2 members left the group)' }).waitFor();
});
