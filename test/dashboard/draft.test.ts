import { expect, it } from 'vitest';
import { BadRequestError } from '#client/index.ts';
import { type Owner } from '#client/owner.ts';
import { Draft } from '#dashboard/screens/page/draft.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const { server } = useServer();

interface Editor {
  draft: Draft;
  account: TestAccount;
  pages: Owner['page'];
  /** Reopens the page in the same tab. */
  reload: () => Promise<Draft>;
  /** Returns the draft stored in the tab. */
  readStored: () => unknown;
}

async function openEditor(): Promise<Editor> {
  const account = await server.createAccount();
  await account.client.site.updateSiteConfiguration({ bio: 'Potter.' });
  const { page: pages } = account.owner;
  let stored: string | undefined;
  const readStored = (): unknown => (stored === undefined ? undefined : JSON.parse(stored));
  const writeStored = (draft: unknown) => {
    stored = draft === undefined ? undefined : JSON.stringify(draft);
  };
  const reload = async () => {
    const draft = new Draft(pages, { read: readStored, write: writeStored });
    await draft.load();
    return draft;
  };
  return { draft: await reload(), account, pages, reload, readStored };
}

async function storedBio({ client }: TestAccount): Promise<string | null> {
  return (await client.site.getSiteConfiguration()).site.bio;
}

it('typing in one field is one step, and another field is another step', async () => {
  const { draft } = await openEditor();
  for (const bio of ['P', 'Po', 'Pot']) draft.change('bio', { bio });
  draft.change('name', { avatar_url: 'https://example.com/1.png' });
  draft.undo();
  expect(draft.site.value).toMatchObject({ bio: 'Pot', avatar_url: null });
  draft.undo();
  expect([draft.site.value?.bio, draft.canUndo.value]).toEqual(['Potter.', false]);
  draft.redo();
  expect([draft.site.value?.bio, draft.canRedo.value]).toEqual(['Pot', true]);
});

it('changes of two items of a list are two steps, and so is a removal', async () => {
  const { draft } = await openEditor();
  const items = (...captions: string[]) => captions.map((caption) => ({ url: '', caption }));
  const [a, b, c] = items('a', 'b', 'c');
  draft.change('blocks', {
    blocks: [{ id: '1', type: 'gallery', enabled: true, items: [a, b, c] }],
  });
  const list = () => draft.site.value?.blocks[0]?.['items'];
  const change = (...next: unknown[]) => draft.changeBlock('1', 'items', { items: next });
  const [written, other] = [items('aa')[0], items('bb')[0]];
  // An upload can end after its block was deleted.
  draft.changeBlock('deleted', 'items', { items: [] });
  change(items('a.')[0], b, c);
  change(written, b, c);
  change(written, other, c);
  change(written, other);
  change(written, items('after the removal')[0]);
  const steps = [
    [written, other],
    [written, other, c],
    [written, b, c],
    [a, b, c],
  ];
  for (const step of steps) {
    draft.undo();
    expect(list()).toEqual(step);
  }
});

it('discarding restores the stored site, and can be undone', async () => {
  const { draft } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  draft.discard();
  expect([draft.site.value?.bio, draft.isChanged.value]).toEqual(['Potter.', false]);
  draft.undo();
  expect(draft.site.value?.bio).toBe('Baker.');
});

it('typing what is stored leaves nothing to save', async () => {
  const { draft } = await openEditor();
  for (const bio of ['B', 'Baker.']) draft.change('bio', { bio });
  expect(draft.isChanged.value).toBe(true);
  draft.change('bio', { bio: 'Potter.' });
  expect(draft.isChanged.value).toBe(false);
});

it('a save sends the changes, after which nothing is unsaved', async () => {
  const { draft, account } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  expect(draft.changesToSave()).toEqual({ bio: 'Baker.' });
  expect(await draft.save()).toBeUndefined();
  expect([draft.isChanged.value, draft.canSave.value]).toEqual([false, false]);
  expect(await storedBio(account)).toBe('Baker.');
});

it('a save leaves out incomplete blocks, which stay unsaved', async () => {
  const { draft, account } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  draft.change('picture', { avatar_url: 'https:' });
  expect(await draft.save()).toBeUndefined();
  expect(await storedBio(account)).toBe('Baker.');
  expect([draft.isChanged.value, draft.canSave.value]).toEqual([true, false]);
  expect(draft.site.value?.avatar_url).toBe('https:');
});

it('a save keeps input typed during the request', async () => {
  const { draft, account } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  const saving = draft.save();
  draft.change('bio', { bio: 'Baker and potter.' });
  await saving;
  expect(draft.changesToSave()).toEqual({ bio: 'Baker and potter.' });
  expect(await storedBio(account)).toBe('Baker.');
});

it('a save that fails for another reason throws the error and changes nothing', async () => {
  const { draft } = await openEditor();
  const bio = 'x'.repeat(5_000);
  draft.change('bio', { bio });
  await expect(draft.save()).rejects.toBeInstanceOf(BadRequestError);
  expect(draft.changesToSave()).toEqual({ bio });
});

it('a save after the page was changed elsewhere returns the conflict, and stores nothing', async () => {
  const { draft, account } = await openEditor();
  await account.client.site.updateSiteConfiguration({ mood: 'glad' });
  draft.change('bio', { bio: 'Baker.' });
  expect(await draft.save()).toMatchObject({ theirs: { bio: 'Potter.', mood: 'glad' } });
  expect(await storedBio(account)).toBe('Potter.');
  expect(draft.site.value).toMatchObject({ bio: 'Baker.', mood: null });
});

it('a save after the page was changed elsewhere stores the whole draft with the text typed during the save, and theirs stays a version', async () => {
  const { draft, account, pages } = await openEditor();
  await account.client.site.updateSiteConfiguration({ bio: 'Smith.', mood: 'glad' });
  draft.change('bio', { bio: 'Baker.' });
  const saving = draft.save();
  draft.change('place', { location: 'Lyon' });
  const conflict = (await saving)!;
  expect(await draft.keepMine(conflict)).toBeUndefined();
  const mine = { bio: 'Baker.', mood: null, location: 'Lyon' };
  expect((await account.client.site.getSiteConfiguration()).site).toMatchObject(mine);
  expect([draft.site.value, draft.isChanged.value]).toMatchObject([mine, false]);
  const { site } = await pages.getPageVersion({ version: conflict.version });
  expect(site).toMatchObject({ bio: 'Smith.', mood: 'glad' });
});

it('a save after the page was changed elsewhere keeps nothing if the page changed once more since the conflict', async () => {
  const { draft, account } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  await account.client.site.updateSiteConfiguration({ bio: 'Smith.' });
  const conflict = (await draft.save())!;
  await account.client.site.updateSiteConfiguration({ bio: 'Tailor.' });
  expect(await draft.keepMine(conflict)).toMatchObject({ theirs: { bio: 'Tailor.' } });
  expect(await storedBio(account)).toBe('Tailor.');
  expect(draft.site.value?.bio).toBe('Baker.');
});

it('a save after the page was changed elsewhere loads their version, and undo brings back what was not saved', async () => {
  const { draft, account } = await openEditor();
  await account.client.site.updateSiteConfiguration({ bio: 'Smith.', mood: 'glad' });
  draft.change('bio', { bio: 'Baker.' });
  draft.loadTheirs((await draft.save())!);
  expect(draft.site.value).toMatchObject({ bio: 'Smith.', mood: 'glad' });
  expect(draft.isChanged.value).toBe(false);
  draft.undo();
  expect(draft.site.value).toMatchObject({ bio: 'Baker.', mood: null });
  expect(draft.changesToSave()).toEqual({ bio: 'Baker.', mood: null });
  expect(await storedBio(account)).toBe('Smith.');
});

it('a reload of the tab restores unsaved changes, and the version they are based on', async () => {
  const { draft, account, reload } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  await account.client.site.updateSiteConfiguration({ bio: 'Smith.' });
  const reloaded = await reload();
  expect(reloaded.changesToSave()).toEqual({ bio: 'Baker.' });
  expect(reloaded.version.value).toBe(draft.version.value);
  expect(await reloaded.save()).toMatchObject({ theirs: { bio: 'Smith.' } });
});

it('a reload of the tab restores nothing after a save, and loads the stored site', async () => {
  const { draft, account, reload, readStored } = await openEditor();
  draft.change('bio', { bio: 'Baker.' });
  expect(readStored()).toBeDefined();
  await draft.save();
  expect(readStored()).toBeUndefined();
  await account.client.site.updateSiteConfiguration({ bio: 'Smith.' });
  expect((await reload()).site.value?.bio).toBe('Smith.');
});

it('restoring a version replaces the draft', async () => {
  const { draft, account } = await openEditor();
  const first = draft.version.value!;
  draft.change('bio', { bio: 'Baker.' });
  await draft.save();
  draft.change('bio', { bio: 'Never saved.' });
  await draft.restore(first);
  expect([draft.site.value?.bio, draft.isChanged.value]).toEqual(['Potter.', false]);
  expect(await storedBio(account)).toBe('Potter.');
});
