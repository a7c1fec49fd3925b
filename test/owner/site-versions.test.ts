import { expect, it } from 'vitest';
import { LIMITS } from '#contract/shared/limits.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { findSiteVersion, listSiteVersions } from '#db/queries/site-versions.ts';
import { saveSite } from '#server/features/sites/save-site.ts';
import { SUCCESS, FULL_SITE, readSite, updateSite } from '../endpoints/support/site.ts';
import { errorText } from '../support/expected-responses.ts';
import { failWrites } from '../support/fail-writes.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: 'per test' });

async function listVersionNumbers({ id }: TestAccount): Promise<number[]> {
  const versions = await listSiteVersions(server.db, id);
  return versions.map(({ version }) => version);
}

it('every change of a site creates no version if it changes nothing or only the visibility', async () => {
  await updateSite(account, FULL_SITE);
  const before = await listVersionNumbers(account);
  await updateSite(account, FULL_SITE);
  await updateSite(account, {});
  await account.client.site.toggleSiteVisibility();
  expect(await listVersionNumbers(account)).toEqual(before);
});

it('every change of a site is stored in the same transaction as its version', async () => {
  await updateSite(account, FULL_SITE);
  const before = await readSite(account);
  const stopFailing = await failWrites(server.db, 'INSERT site_versions', account.id);
  expect(await updateSite(account, { bio: 'other' })).toEqual(
    errorText(500, 'Failed to update site details.'),
  );
  await stopFailing();
  expect(await readSite(account)).toEqual(before);
  expect(await listVersionNumbers(account)).toHaveLength(1);
});

it('every change of a site keeps the latest 20 versions', async () => {
  const otherAccount = await server.createAccount();
  await updateSite(otherAccount, { bio: 'theirs' });
  for (let count = 1; count <= LIMITS.siteVersions + 2; count += 1)
    await updateSite(account, { bio: String(count) });
  const versions = await listVersionNumbers(account);
  expect(versions).toHaveLength(20);
  const oldest = await findSiteVersion(server.db, account.id, versions.at(-1)!);
  expect(oldest?.site.bio).toBe('3');
  expect(await listVersionNumbers(otherAccount)).toHaveLength(1);
});

it('every change of a site keeps large versions up to a total size, and always the newest', async () => {
  for (const content of 'abcdefg') {
    // Close to the size limit of a site's blocks.
    const block = { type: 'text', content: '€'.repeat(9_900) + content };
    const blocks = Array.from({ length: 32 }, () => block);
    expect(await updateSite(account, { blocks })).toEqual(SUCCESS);
  }
  const versions = await listSiteVersions(server.db, account.id);
  const total = versions.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(versions).toHaveLength(4);
  expect(total).toBeLessThanOrEqual(LIMITS.siteVersionsBytes);
  const newest = await findSiteVersion(server.db, account.id);
  expect(newest?.blocks[0]?.content?.at(-1)).toBe('g');
});

it('a site that is saved is changed by one of several concurrent requests', async () => {
  const responses = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      inTransaction(server.db, (trx) =>
        saveSite(trx, account.id, { version: 0, update: { bio: `tab ${index}` } }),
      ),
    ),
  );
  expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await listVersionNumbers(account)).toHaveLength(1);
});
