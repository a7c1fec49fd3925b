import { expect, it } from 'vitest';
import { createPage } from '../support/publish-page.ts';
import { statusAndBody } from '../support/status-and-body.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

/** An account with a visible page that changed its name. */
async function createRenamedAccount({ redirect }: { redirect?: boolean } = {}) {
  const { account, name: oldName } = await createPage(server);
  const { client, owner } = account;
  const newName = `new-${oldName}`;
  const request = { display_name: newName, ...(redirect !== undefined && { redirect }) };
  expect(await owner.account.updateAccountName(request)).toEqual({
    display_name: newName,
  });
  return { client, owner, oldName, newName };
}

async function get(url: string) {
  const { statusCode, headers } = await server.app.inject({ url });
  return { statusCode, location: headers.location, cacheControl: headers['cache-control'] };
}

const redirectTo = (location: string) => ({
  statusCode: 302,
  location,
  cacheControl: 'no-store, no-transform',
});

function releaseDaysAgo(name: string, days: number) {
  return server.sql`UPDATE display_names SET released_at = now() - ${days} * interval '1 day'
    WHERE name = ${name}`;
}

async function claim({ client }: TestAccount, display_name: string): Promise<number> {
  return (await statusAndBody(client.account.updateDisplayName({ display_name }))).status;
}

it.each([[undefined], [false]])('with redirect %s the old address is a 404', async (redirect) => {
  const { owner, oldName, newName } = await createRenamedAccount({
    ...(redirect !== undefined && { redirect }),
  });
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 404 });
  expect(await get(`/@${newName}`)).toMatchObject({ statusCode: 200 });
  expect(await owner.account.listRedirects()).toEqual({ redirects: [] });
});

it('a former name that redirects leads to the visible page and its files, without being cached, until its owner stops it', async () => {
  const { client, owner, oldName, newName } = await createRenamedAccount({ redirect: true });
  for (const file of ['', '/page.json', '/qr.svg', '/card.vcf'])
    expect(await get(`/@${oldName}${file}`)).toEqual(redirectTo(`/@${newName}${file}`));
  expect(await get(`/@${oldName.toUpperCase()}/`)).toEqual(redirectTo(`/@${newName}`));
  expect(await get(`/@${oldName}?ref=flyer`)).toEqual(redirectTo(`/@${newName}?ref=flyer`));
  const { redirects } = await owner.account.listRedirects();
  expect(redirects).toEqual([{ display_name: oldName, expires_at: expect.any(String) }]);
  const days = (Date.parse(redirects[0]!.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  await client.site.toggleSiteVisibility();
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 404 });
  await client.site.toggleSiteVisibility();
  expect(await owner.account.deleteRedirects()).toEqual({ success: true });
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 404 });
  expect(await owner.account.listRedirects()).toEqual({ redirects: [] });
});

it('a former name that redirects follows further changes with a redirect, but not one without', async () => {
  const { client, owner, oldName, newName } = await createRenamedAccount({ redirect: true });
  await owner.account.updateAccountName({ display_name: `${newName}-too`, redirect: true });
  for (const name of [oldName, newName])
    expect(await get(`/@${name}`)).toEqual(redirectTo(`/@${newName}-too`));
  await client.account.updateDisplayName({ display_name: `${newName}-end` });
  for (const name of [oldName, newName])
    expect(await get(`/@${name}`)).toMatchObject({ statusCode: 404 });
});

it('a former name that redirects keeps its redirect if a later change is undone, but later names lose theirs', async () => {
  const { owner, oldName, newName } = await createRenamedAccount({ redirect: true });
  for (const end of ['second', 'third'])
    await owner.account.updateAccountName({ display_name: `${newName}-${end}`, redirect: true });
  await owner.account.updateAccountName({ display_name: newName });
  expect(await get(`/@${oldName}`)).toEqual(redirectTo(`/@${newName}`));
  for (const end of ['second', 'third'])
    expect(await get(`/@${newName}-${end}`)).toMatchObject({ statusCode: 404 });
});

it('a former name that redirects is held back for others for 90 days, then it is free and leads nowhere', async () => {
  const { oldName } = await createRenamedAccount({ redirect: true });
  const other = await server.createAccount();
  await releaseDaysAgo(oldName, 89);
  expect(await claim(other, oldName)).toBe(409);
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 302 });
  await releaseDaysAgo(oldName, 91);
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 404 });
  expect(await claim(other, oldName)).toBe(200);
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 404 });
});

it('a former name that redirects is the name of the page again when its owner returns to it', async () => {
  const { owner, oldName, newName } = await createRenamedAccount({ redirect: true });
  await owner.account.updateAccountName({ display_name: oldName });
  expect(await get(`/@${oldName}`)).toMatchObject({ statusCode: 200 });
  expect(await get(`/@${newName}`)).toMatchObject({ statusCode: 404 });
});
