import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { Route } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { requiredScope } from '#contract/scope.ts';
import { createMonthPartitions, insertMetrics } from '../owner/support/metrics.ts';
import { call } from '../support/call.ts';
import { coreEndpoints, createOperator } from '../support/endpoints.ts';
import { createTempFolder } from '../support/server-process.ts';
import { useServer } from '../support/use-server.ts';

const readText = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const FAKE_CURL_DIR = fileURLToPath(new URL('bin', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../client/src/index.ts', import.meta.url));

let url: string;
let environment: Record<string, string>;
const { server } = useServer({ chat: { deliver: () => Promise.resolve('1105936272348135426') } });
beforeAll(async () => {
  url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const account = await server.createAccount();
  await call(server.app, {
    method: 'POST',
    path: '/account/update-display-name',
    key: account.key,
    json: { display_name: 'jane-doe' },
  });
  environment = {
    PATH: [FAKE_CURL_DIR, dirname(process.execPath), process.env['PATH']].join(delimiter),
    NAMEPLATE_API_KEY: account.key,
    NAMEPLATE_BASE_URL: url,
    OPERATOR_KEY: (await createOperator(server)).key,
    PROJECT: await server.createProject(account, 'My first project'),
  };
});

const withServerUrl = (text: string) => text.replaceAll('http://127.0.0.1:3000', url);

const run = async (file: string, ...args: string[]) =>
  (await promisify(execFile)(file, args, { env: environment })).stdout.trim();

/** Turns a documented response into a pattern. `…` matches any text. */
const toPattern = (text: string) =>
  new RegExp(`^${text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll('…', '.*')}$`);

/** Runs each curl command of a text and compares the response. Returns the paths that were called. */
async function runRequests(text: string): Promise<string[]> {
  const requests = text.matchAll(/^```sh\n(curl[^]*?)^```\n\n```text\n(.*)\n```$/gm);
  const paths: string[] = [];
  for (const [, command = '', response = ''] of requests) {
    const output = await run('sh', '-c', withServerUrl(command));
    expect(output).toMatch(toPattern(`200 ${response}`));
    environment['BLOCK'] = /"blocks":\[\{"id":"([^"]+)/.exec(output)?.[1] ?? '';
    paths.push(/http:\/\/127\.0\.0\.1:3000(\S+)/.exec(command)?.[1] ?? '');
  }
  return paths;
}

/** Runs the TypeScript program of a document. */
async function runProgram(name: string): Promise<string> {
  const [, program = ''] = /^```ts\n([^]*?)^```$/m.exec(await readText(name)) ?? [];
  const file = join(await createTempFolder(), 'program.mts');
  await writeFile(
    file,
    withServerUrl(program).replace("'@nameplate/client'", JSON.stringify(CLIENT)),
  );
  return run(process.execPath, file);
}

it('docs/api.md shows a working curl command, its response and scope for every endpoint', async () => {
  const text = await readText('docs/api.md');
  const paths = coreEndpoints.map(({ path }) => path);
  expect(await runRequests(text)).toEqual([
    '/owner/keys/create-key',
    '/owner/members/create-member',
    ...paths,
    '/owner/page/get-page-version',
    '/owner/page/update-page',
  ]);
  const scopes = Array.from(text.matchAll(/^\*\*\d.*\*\* \(`(\w+)`/gm), ([, scope]) => scope);
  const routes = Object.values(contract).flatMap((area) => Object.values<Route>(area));
  expect(scopes).toEqual(routes.map(requiredScope));
  expect(await runProgram('docs/api.md')).toBe('jane-doe');
});

it('README.md shows commands that call, start and test the server', async () => {
  const readme = await readText('README.md');
  const commands = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, command]) => command);
  expect(commands.slice(1)).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
  expect(await runRequests(readme)).toEqual(['/account/get-display-name']);
});

it.each(['docs/metrics.md', 'docs/site-blocks.md', 'docs/webhooks.md'])(
  '%s has working commands',
  async (name) => {
    const commands = (await readText(name)).match(/(?<=^```sh\n)[^]*?(?=^```$)/gm) ?? [];
    expect(commands).not.toEqual([]);
    for (const command of commands)
      expect([command, await run('sh', '-c', withServerUrl(command))]).toEqual([
        command,
        expect.stringMatching(/^200 /),
      ]);
  },
);

it('docs/metrics.md shows the response of its query', async () => {
  await createMonthPartitions(server.db, '2026-01');
  const visits = [
    ['2026-01-01T09:00Z', 120, '/'],
    ['2026-01-01T10:00Z', 42, '/pots'],
    ['2026-01-02T09:00Z', 97, '/'],
    ['2026-01-03T09:00Z', 110, '/'],
    ['2026-01-03T10:00Z', 57, '/pots'],
  ] as const;
  const rows = visits.map(([at, visitors, page]) => ({
    at: Date.parse(at),
    payload: { visitors, page },
  }));
  await insertMetrics(server.db, environment['PROJECT']!, rows);
  const [, command = '', response = ''] =
    /```sh\n([^`]*query-metrics)\n```[^]*?```json\n([^`]*)```/.exec(
      await readText('docs/metrics.md'),
    )!;
  const output = await run('sh', '-c', withServerUrl(command));
  expect(JSON.parse(output.replace(/^200 /, ''))).toEqual(JSON.parse(response));
});

it('README.md has a working program', async () => {
  expect(await runProgram('README.md')).toMatch(/^(?:Visible|Hidden)$/);
});
