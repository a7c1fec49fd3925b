import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { send } from '../support/call.ts';
import { useServer } from '../support/use-server.ts';

const { server, account } = useServer({ account: true });
const FORBIDDEN = { status: 403, body: { error: 'The project does not belong to you.' } };

async function update(json: object, caller = account) {
  const { status, body } = await send(
    server,
    caller,
    'POST /owner/metrics/update-saved-views',
    json,
  );
  return { status, body };
}

async function listViews(projectId: string, caller = account) {
  const path = `GET /owner/metrics/get-saved-views?project_id=${projectId}` as const;
  const { status, body } = await send(server, caller, path);
  return { status, body };
}

const view = (name: string, query = 'range=7d') => ({ name, query });

it('views are returned in the order they were saved, and replaced as a whole', async () => {
  const projectId = await server.createProject(account);
  expect(await listViews(projectId)).toEqual({ status: 200, body: { views: [] } });
  const views = [view('Orders', 'range=30d&field=%5B%22orders%22%5D'), view('Äpfel 🍏')];
  expect(await update({ project_id: projectId, views })).toEqual({ status: 200, body: { views } });
  expect(await listViews(projectId)).toEqual({ status: 200, body: { views } });
  await update({ project_id: projectId, views: [views[1]] });
  expect(await listViews(projectId)).toEqual({ status: 200, body: { views: [views[1]] } });
});

it.each([
  ['none', undefined],
  ['too many', Array.from({ length: LIMITS.savedViews + 1 }, (_, index) => view(`View ${index}`))],
  ['two of one name', [view('Same'), view('Same', 'range=1h')]],
  ['an empty name', [view(' ')]],
  ['a name of two lines', [view('a\nb')]],
  ['a long name', [view('n'.repeat(LIMITS.savedViewName + 1))]],
  ['an empty query', [view('Empty', '')]],
  ['a query with other characters', [view('Odd', 'a=<b>#c')]],
  ['a long query', [view('Long', 'q'.repeat(LIMITS.savedViewQuery + 1))]],
])('%s are refused, and the saved views stay', async (_, views) => {
  const projectId = await server.createProject(account);
  await update({ project_id: projectId, views: [view('Kept')] });
  const { status, body } = await update({ project_id: projectId, views });
  expect([status, (body as { error: string }).error]).toEqual([400, expect.stringMatching(/view/)]);
  expect(await listViews(projectId)).toMatchObject({ body: { views: [view('Kept')] } });
});

it("views of another account's, an unknown or a deleted project cannot be read or changed", async () => {
  const [stranger, projectId] = [await server.createAccount(), await server.createProject(account)];
  await update({ project_id: projectId, views: [view('Mine')] });
  for (const [id, caller] of [
    [projectId, stranger],
    [randomUUID(), account],
    ['none', account],
  ] as const) {
    expect(await listViews(id, caller)).toEqual(FORBIDDEN);
    expect(await update({ project_id: id, views: [] }, caller)).toEqual(FORBIDDEN);
  }
  expect(await listViews(projectId)).toMatchObject({ body: { views: [view('Mine')] } });
  await send(server, account, 'POST /owner/projects/delete-project', { project_id: projectId });
  expect(await listViews(projectId)).toEqual(FORBIDDEN);
  expect(await update({ project_id: projectId, views: [] })).toEqual(FORBIDDEN);
});
