import { describe, expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { THEMES } from '#contract/themes.ts';
import { findSiteVersion, listSiteVersions } from '#db/queries/sites/site-versions.ts';
import { restoreSite, saveSite } from '#server/features/sites/save-site.ts';
import { DONE, FULL, read, update } from '../endpoints/support/site.ts';
import { failWrites } from '../support/fail-writes.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

async function versionsOf({ id }: TestAccount): Promise<number[]> {
  const versions = await listSiteVersions(server.database.db, id);
  return versions.map(({ version }) => version);
}

function blocksWith(content: string, count: number) {
  return Array.from({ length: count }, () => ({ type: 'text', content }));
}

describe('every change of a site', () => {
  it('is stored as a version of the resulting site, newest first', async () => {
    const account = await server.createAccount();
    expect(await versionsOf(account)).toEqual([]);
    expect(await findSiteVersion(server.database.db, account.id)).toBeUndefined();
    await update(account, { bio: 'one' });
    await update(account, FULL);
    await update(account, { theme_id: null });
    const versions = await versionsOf(account);
    expect(versions).toHaveLength(3);
    expect(versions.toSorted((a, b) => b - a)).toEqual(versions);
    const results = await Promise.all(
      [undefined, ...versions].map((version) =>
        findSiteVersion(server.database.db, account.id, version),
      ),
    );
    const { blocks, ...details } = FULL;
    const site = { ...details, settings: null };
    expect(results.map((version) => [version?.site, version?.blocks])).toEqual([
      [{ ...site, theme_id: null }, blocks],
      [{ ...site, theme_id: null }, blocks],
      [site, blocks],
      [expect.objectContaining({ bio: 'one', theme_id: null, custom_theme: null }), []],
    ]);
  });

  it('creates no version if it changes nothing or only the visibility', async () => {
    const account = await server.createAccount();
    await update(account, FULL);
    const before = await versionsOf(account);
    await update(account, FULL);
    await update(account, {});
    await account.client.site.toggleSiteVisibility();
    expect(await versionsOf(account)).toEqual(before);
  });

  it('is stored in the same transaction as its version', async () => {
    const account = await server.createAccount();
    await update(account, FULL);
    const before = await read(account);
    const stopFailing = await failWrites(server.database.db, {
      table: 'site_versions',
      operation: 'INSERT',
      accountId: account.id,
    });
    expect(await update(account, { bio: 'other' })).toEqual({
      status: 500,
      body: { error: 'Failed to update site details.' },
    });
    await stopFailing();
    expect(await read(account)).toEqual(before);
    expect(await versionsOf(account)).toHaveLength(1);
  });

  it('keeps the latest 20 versions', async () => {
    const account = await server.createAccount();
    const otherAccount = await server.createAccount();
    await update(otherAccount, { bio: 'theirs' });
    for (let count = 1; count <= LIMITS.siteVersions + 2; count += 1)
      await update(account, { bio: String(count) });
    const versions = await versionsOf(account);
    expect(versions).toHaveLength(20);
    const oldest = await findSiteVersion(server.database.db, account.id, versions.at(-1)!);
    expect(oldest?.site.bio).toBe('3');
    expect(await versionsOf(otherAccount)).toHaveLength(1);
  });

  it('keeps large versions up to a total size, and always the newest', async () => {
    const account = await server.createAccount();
    for (const content of 'abcdefg') {
      // Close to the size limit of a site's blocks.
      const blocks = blocksWith('€'.repeat(9_900) + content, 32);
      expect(await update(account, { blocks })).toEqual(DONE);
    }
    const versions = await listSiteVersions(server.database.db, account.id);
    const total = versions.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(versions).toHaveLength(4);
    expect(total).toBeLessThanOrEqual(LIMITS.siteVersionsBytes);
    const newest = await findSiteVersion(server.database.db, account.id);
    expect(newest?.blocks[0]?.content?.at(-1)).toBe('g');
  });
});

describe('a site that is saved', () => {
  it('is changed if its version is current, and returns the new version', async () => {
    const account = await server.createAccount();
    const { db } = server.database;
    const first = await saveSite(db, account.id, { version: 0, update: { bio: 'one' } });
    const second = await saveSite(db, account.id, {
      version: first,
      update: { mood: '🌞', theme_id: THEMES[1].id },
    });
    expect(await versionsOf(account)).toEqual([second, first]);
    expect((await read(account)).site).toMatchObject({ bio: 'one', mood: '🌞' });
    // A save without changes does not outdate the version that others have.
    expect(await saveSite(db, account.id, { version: second, update: { bio: 'one' } })).toBe(
      second,
    );
  });

  it('is refused if it was changed in any way since it was read', async () => {
    const account = await server.createAccount();
    const { db } = server.database;
    const seen = await saveSite(db, account.id, { version: 0, update: FULL });
    await update(account, { bio: 'by another tab' });
    const [currentVersion] = await versionsOf(account);
    for (const version of [seen, 0, currentVersion! + 1])
      await expect(
        saveSite(db, account.id, { version, update: { bio: 'mine', blocks: [] } }),
      ).rejects.toMatchObject({
        code: 'versionConflict',
        status: 409,
        message: `The site has changed: it is now at version ${currentVersion}, not ${version}. Nothing was saved.`,
      });
    expect(await read(account)).toMatchObject({
      site: { bio: 'by another tab' },
      blocks: FULL.blocks,
    });
  });

  it('is changed by one of several concurrent requests', async () => {
    const account = await server.createAccount();
    const { db } = server.database;
    const responses = await Promise.allSettled(
      Array.from({ length: 20 }, (_, tab) =>
        saveSite(db, account.id, { version: 0, update: { bio: `tab ${tab}` } }),
      ),
    );
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await versionsOf(account)).toHaveLength(1);
  });
});

describe('a version that is restored', () => {
  it('becomes the site again as a new version; a retry creates no other', async () => {
    const account = await server.createAccount();
    const { db } = server.database;
    await update(account, FULL);
    const before = await read(account);
    const [fullVersion] = await versionsOf(account);
    await update(account, { bio: null, theme_id: null, blocks: [{ type: 'new', n: 1 }] });
    const restored = await restoreSite(db, account.id, fullVersion!);
    expect(await read(account)).toEqual(before);
    expect(await versionsOf(account)).toHaveLength(3);
    expect(await restoreSite(db, account.id, fullVersion!)).toBe(restored);
    expect((await versionsOf(account))[0]).toBe(restored);
  });

  it('must belong to the account', async () => {
    const [account, otherAccount] = [await server.createAccount(), await server.createAccount()];
    await update(otherAccount, { bio: 'one' });
    await update(otherAccount, { bio: 'two' });
    const [otherVersion] = await versionsOf(otherAccount);
    await expect(restoreSite(server.database.db, account.id, otherVersion!)).rejects.toMatchObject({
      code: 'versionNotFound',
      status: 404,
      message: `There is no version ${otherVersion} of the site. Only the latest 20 versions are stored.`,
    });
    expect(await versionsOf(account)).toEqual([]);
  });
});
