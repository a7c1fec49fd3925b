import { beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/test-database.ts';
import { runCommand, runJson, type Settings } from './support/command-line.ts';

const UNKNOWN = '3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11';

interface Project {
  id: string;
  name: string;
  created_at: string;
}

let settings: Settings;
beforeAll(async () => {
  settings = { DATABASE_URL: await createPostgresDatabase('nameplate_template') };
  await runJson(settings, 'accounts', 'create', '--display-name', 'jane-doe');
});

function create(name: string): Promise<Project> {
  const args = ['projects', 'create', '--account', 'jane-doe', '--name', name];
  return runJson(settings, ...args) as Promise<Project>;
}

function listProjects(): Promise<Project[]> {
  return runJson(settings, 'projects', 'list', '--account', 'jane-doe') as Promise<Project[]>;
}

describe('a project', () => {
  it('is renamed', async () => {
    const project = await create('Shop');
    const renamedProject = { ...project, name: 'Web shop' };
    expect(await runJson(settings, 'projects', 'rename', project.id, 'Web shop')).toEqual(
      renamedProject,
    );
    expect(await listProjects()).toContainEqual(renamedProject);
  });

  it('is deleted without affecting others', async () => {
    const [first, second] = [await create('First'), await create('Second')];
    expect(await runJson(settings, 'projects', 'delete', first.id, '--yes')).toEqual({
      id: first.id,
      name: 'First',
    });
    const remaining = await listProjects();
    expect(remaining).toContainEqual(second);
    expect(remaining).not.toContainEqual(first);
  });

  it('can be specified by name and account instead of its id', async () => {
    const { id, created_at } = await create('Bakery');
    const account = ['--account', 'jane-doe'];
    const args = ['--project', 'bakery', ...account];
    expect(await runJson(settings, 'metrics', 'export', ...args)).toEqual([]);
    expect(await runJson(settings, 'metrics', 'keep', ...args, '--days', '90')).toEqual({
      project_id: id,
      days: 90,
    });
    expect(await runJson(settings, 'metrics', 'delete', ...args, '--yes')).toMatchObject({
      project_id: id,
    });
    expect(await runJson(settings, 'projects', 'rename', 'bakery', 'Bakery 2', ...account)).toEqual(
      { id, name: 'Bakery 2', created_at },
    );
    expect(await runJson(settings, 'projects', 'delete', 'Bakery 2', ...account, '--yes')).toEqual({
      id,
      name: 'Bakery 2',
    });
  });

  it('with an ambiguous name, or of another account, is refused', async () => {
    const [first, second] = [await create('Twin'), await create('twin')];
    await runJson(settings, 'accounts', 'create', '--display-name', 'stranger');
    const rename = (project: string, account: string) =>
      runCommand(settings, 'projects', 'rename', project, 'Name', '--account', account);
    const refusals = [
      [
        ...['TWIN', 'jane-doe'],
        `The account jane-doe has 2 projects named "TWIN". Use an id: ${first.id}, ${second.id}.`,
      ],
      ['nothing', 'jane-doe', 'The account jane-doe has no project "nothing".'],
      [
        'twni',
        'jane-doe',
        'The account jane-doe has no project "twni". Did you mean Twin or twin?',
      ],
      ['twin', 'stranger', 'The account stranger has no project "twin".'],
      [first.id, 'stranger', `The account stranger has no project "${first.id}".`],
    ] as const;
    for (const [project, account, message] of refusals)
      expect(await rename(project, account)).toEqual({
        code: 1,
        stdout: '',
        stderr: `${message}\n`,
      });
    expect(await rename(first.id, 'jane-doe')).toMatchObject({ code: 0 });
  });

  it('that does not exist is refused', async () => {
    for (const args of [
      ['rename', UNKNOWN, 'Name'],
      ['delete', UNKNOWN, '--yes'],
    ])
      expect(await runCommand(settings, 'projects', ...args)).toEqual({
        code: 1,
        stdout: '',
        stderr: `There is no project ${UNKNOWN}.\n`,
      });
  });
});
