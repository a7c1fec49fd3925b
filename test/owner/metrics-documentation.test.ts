import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const document = await readFile(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
const listCodeBlocks = (kind: string) =>
  [...document.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
const FAKE_CURL_DIR = fileURLToPath(new URL('../process/bin', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../client/src/index.ts', import.meta.url));

let url: string;
let environment: Record<string, string>;
const { server } = useServer();
beforeAll(async () => {
  url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const account = await server.createAccount();
  environment = {
    PATH: [FAKE_CURL_DIR, dirname(process.execPath), process.env['PATH']].join(delimiter),
    NAMEPLATE_API_KEY: account.key,
    PROJECT: await server.createProject(account),
  };
});

const withServerUrl = (text: string) => text.replaceAll('http://127.0.0.1:3000', url);

describe('docs/metrics.md', () => {
  const commands = listCodeBlocks('sh').map((command) => ({
    path: /3000(\/[\w/-]+)/.exec(command)?.[1] ?? '',
    command,
  }));

  it.each(commands)('has a working example command for $path', async ({ command }) => {
    const { stdout } = await promisify(execFile)('sh', ['-c', withServerUrl(command)], {
      env: environment,
    });
    expect(stdout).toMatch(/^200 /);
  });

  it('has a working example program', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'metrics-documentation-'));
    try {
      const file = join(folder, 'program.ts');
      const [program = ''] = listCodeBlocks('ts');
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      await writeFile(
        file,
        withServerUrl(program).replace("'@nameplate/client'", JSON.stringify(CLIENT)),
      );
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment });
      expect(stdout).toMatch(/^30 \[/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
