import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { contract } from '#contract/index.ts';
import { coreEndpoints } from '../support/endpoints.ts';
import { copyDataDir } from '../support/copy-data-dir.ts';
import { readFirstKey, spawnServer } from '../support/server-process.ts';

const readText = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const FAKE_CURL_DIR = fileURLToPath(new URL('bin', import.meta.url));

it('README.md shows a command that starts the server and a command that tests it', async () => {
  const readme = await readText('README.md');
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block);
  expect(blocks).toContain('npm ci && npm start\n');
  expect(blocks).toContain('npm ci && npm test\n');
});

/** Turns a documented response into a pattern. `…` matches any text. */
const toPattern = (text: string) =>
  new RegExp(`^${text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll('…', '.*')}$`);

it('docs/api.md shows a working curl command and its response for every endpoint', async () => {
  const DATA_DIR = await copyDataDir();
  const server = spawnServer({
    DATA_DIR,
    CHAT_WEBHOOK_HOSTS: 'localhost:1',
  });
  await server.waitFor(/Ready/);
  const [, base] = await server.waitFor(/listens on (http:\S+)/);
  const { key, projectId } = await readFirstKey(DATA_DIR);

  const requests = [
    ...(await readText('docs/api.md')).matchAll(/^```sh\n(curl[^]*?)^```\n\n```text\n(.*)\n```$/gm),
  ].map(([, command = '', response = '']) => ({
    command,
    response,
    path: /http:\/\/127\.0\.0\.1:3000(\S+)/.exec(command)?.[1] ?? '',
  }));
  expect(requests.map(({ path }) => path)).toEqual(coreEndpoints.map(({ path }) => path));

  for (const { command, response, path } of requests) {
    const localCommand = command.replaceAll('http://127.0.0.1:3000', base ?? '');
    const { stdout } = await promisify(execFile)('sh', ['-c', localCommand], {
      env: {
        PATH: [FAKE_CURL_DIR, dirname(process.execPath), process.env['PATH']].join(delimiter),
        NAMEPLATE_API_KEY: key,
        PROJECT: projectId,
      },
    });
    const status = stdout.slice(0, 3);
    const body = stdout.slice(4).trim();
    if (path.startsWith('/hooks/')) {
      // A test must not call Discord. CHAT_WEBHOOK_HOSTS makes these commands fail the URL check.
      expect(status).toBe('400');
      const schema = contract.hooks.sendChatWebhook.responses[200];
      expect(schema.strict().safeParse(JSON.parse(response)).success).toBe(true);
    } else {
      expect([path, status, body]).toEqual([
        path,
        '200',
        expect.stringMatching(toPattern(response)),
      ]);
    }
  }
});
