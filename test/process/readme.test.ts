import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { endpoints } from '../support/endpoints.ts';
import { firstOwner, spawnServer, temporaryFolder } from '../support/server-process.ts';

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) => block ?? '');
const BIN = fileURLToPath(new URL('bin', import.meta.url));

it('has a line that starts and a line that tests', () => {
  expect(blocks).toContain('npm ci && npm start\n');
  expect(blocks).toContain('npm ci && npm test\n');
});

it('has a curl command for every endpoint, and each works as it is written', async () => {
  const DATA_DIR = await temporaryFolder();
  const server = spawnServer({
    DATA_DIR,
    CHAT_WEBHOOK_HOSTS: 'localhost:1',
  });
  await server.waitFor(/Ready/);
  const [, base] = await server.waitFor(/listens on (http:\S+)/);
  const { key, projectId } = await firstOwner(DATA_DIR);

  const commands = blocks.filter((block) => block.startsWith('curl'));
  const answers: [string, string][] = [];
  for (const command of commands) {
    const here = command.replaceAll('http://127.0.0.1:3000', base ?? '');
    const { stdout } = await promisify(execFile)('sh', ['-c', here], {
      env: {
        PATH: [BIN, dirname(process.execPath), process.env['PATH']].join(delimiter),
        KEY: key,
        PROJECT: projectId,
      },
    });
    const path = /http:\/\/127\.0\.0\.1:3000(\S+)/.exec(command)?.[1] ?? '';
    answers.push([path, stdout.trim()]);
  }
  expect(answers.map(([path]) => path)).toEqual(endpoints.map(({ path }) => path));
  // The platform's own hosts are not called from a test: the chat commands end at the URL check.
  expect(answers.map(([path, answer]) => [path, answer.slice(0, 3)])).toEqual(
    answers.map(([path]) => [path, path.startsWith('/hooks/') ? '400' : '200']),
  );
});
