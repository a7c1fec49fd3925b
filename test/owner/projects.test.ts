import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { sweepProjects } from '#server/features/projects/projects.ts';
import { type TestResponse, send } from '../support/call.ts';
import { errorText, okBody } from '../support/expected-responses.ts';
import { type TestAccount, openTestApp } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const UNKNOWN = { status: 404, body: { error: 'You have no such project.' } };

const { server, account } = useServer({ account: true });

function callProjects(
  owner: TestAccount,
  action: 'create' | 'update' | 'delete',
  json: object,
): Promise<TestResponse> {
  return send(server, owner, `POST /owner/projects/${action}-project`, json);
}

const createProject = async ({ owner }: TestAccount, name: string) =>
  (await owner.projects.createProject({ name })).project;

async function countRows(table: 'projects' | 'metrics', id: string): Promise<number> {
  const column = sql.ref(table === 'projects' ? 'id' : 'project_id');
  return (await server.sql`SELECT FROM ${sql.table(table)} WHERE ${column} = ${id}`).length;
}

it('a project is created with a name, listed, and accepts metrics', async () => {
  const project = await createProject(account, 'Shop');
  const { id } = project;
  expect(project.name).toBe('Shop');
  expect((await account.client.stats.getProjects()).projects).toContainEqual(project);
  await account.client.stats.ingestMetrics({ projectId: id, payload: { a: 1 } });
  expect(await countRows('metrics', id)).toBe(1);
});

it('a project can be renamed without changing its id', async () => {
  const { id } = await createProject(account, 'Before');
  expect(await callProjects(account, 'update', { project_id: id, name: 'After' })).toMatchObject(
    okBody({ project: { id, name: 'After' } }),
  );
});

it('a project disappears when it is deleted, and its data soon after', async () => {
  const { id: projectId } = await createProject(account, 'Old');
  for (const a of [1, 2, 3])
    await account.client.stats.ingestMetrics({ projectId, payload: { a } });
  expect(await callProjects(account, 'delete', { project_id: projectId })).toMatchObject(
    okBody({ success: true }),
  );
  const { projects } = await account.client.stats.getProjects();
  expect(projects.map(({ id }) => id)).not.toContain(projectId);
  const metric = { projectId, payload: { a: 4 } };
  expect(await send(server, account, 'POST /stats/ingest-metrics', metric)).toMatchObject({
    status: 403,
  });
  expect(await callProjects(account, 'delete', { project_id: projectId })).toMatchObject(UNKNOWN);
  expect(await callProjects(account, 'update', { project_id: projectId, name: 'x' })).toMatchObject(
    UNKNOWN,
  );
  const { id: otherProjectId } = await createProject(account, 'Kept');
  await account.client.stats.ingestMetrics({ projectId: otherProjectId, payload: { a: 1 } });
  await sweepProjects(server.db);
  for (const [id, count] of [
    [projectId, 0],
    [otherProjectId, 1],
  ] as const) {
    expect(await countRows('projects', id)).toBe(count);
    expect(await countRows('metrics', id)).toBe(count);
  }
});

it("a project counts towards the account's limit of projects", async () => {
  const limitedServer = await openTestApp({ allowances: { projectLimit: 1 } }, server.database);
  const owner = await limitedServer.createAccount();
  const create = () =>
    send(limitedServer, owner, 'POST /owner/projects/create-project', { name: 'x' });
  const { project } = (await create()).body as { project: { id: string } };
  expect(await create()).toMatchObject(
    errorText(400, 'This account has reached its limit of 1 projects. Delete one first.'),
  );
  await send(limitedServer, owner, 'POST /owner/projects/delete-project', {
    project_id: project.id,
  });
  expect((await create()).status).toBe(200);
});
