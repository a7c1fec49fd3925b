import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as client from '#client/index.ts';
import { useServer } from '../support/use-server.ts';
import { startProxy } from './support/proxy.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const entry = `${root}client/src/index.ts`;
const ownerEntry = `${root}client/src/owner.ts`;
const webhooksEntry = `${root}client/src/webhooks.ts`;
const readme = readFileSync(`${root}client/README.md`, 'utf8');
const examples = [...readme.matchAll(/^```(ts|js)\n(.*?)^```$/gms)].map(
  ([, kind, code = ''], index) => ({
    title: `${readme
      .slice(0, readme.indexOf(code))
      .match(/^## .*$/gm)!
      .at(-1)} (${index + 1})`,
    file: `example-${index + 1}.${kind === 'js' ? 'cjs' : 'ts'}`,
    code,
  }),
);

let folder: string;
let url: string;

const { server } = useServer();
beforeAll(async () => {
  url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  folder = mkdtempSync(join(tmpdir(), 'client-readme-'));
  symlinkSync(`${root}node_modules`, join(folder, 'node_modules'));
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
});

it('the README has examples that compile', () => {
  const options = {
    extends: `${root}tsconfig.json`,
    compilerOptions: {
      paths: {
        '@nameplate/client': [entry],
        '@nameplate/client/owner': [ownerEntry],
        '@nameplate/client/webhooks': [webhooksEntry],
      },
      typeRoots: [`${root}node_modules/@types`],
    },
    include: [folder],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  expect(() =>
    execFileSync(`${root}node_modules/.bin/tsc`, ['-p', folder], { encoding: 'utf8' }),
  ).not.toThrow();
});

// The examples run unchanged, except for URLs, imports and file paths.
it.for(examples)(
  'the README has an example under $title that runs, sends requests and exits',
  async ({ file, code }) => {
    const account = await server.createAccount();
    await server.createProject(account);
    const proxy = await startProxy();
    const previousLogLength = server.log.length;
    const program = join(folder, `run-${file}`);
    const secretFile = join(folder, 'secret');
    writeFileSync(secretFile, `${account.key}\n`);
    writeFileSync(
      program,
      code
        .replaceAll("'@nameplate/client'", JSON.stringify(entry))
        .replaceAll("'@nameplate/client/owner'", JSON.stringify(ownerEntry))
        .replaceAll("'@nameplate/client/webhooks'", JSON.stringify(webhooksEntry))
        .replaceAll('http://127.0.0.1:3000', url)
        .replaceAll('http://proxy.example:3128', proxy.url)
        .replaceAll('/run/secrets/nameplate', secretFile),
    );
    const { stderr } = await promisify(execFile)(process.execPath, [program], {
      env: { ...process.env, NAMEPLATE_API_KEY: account.key, NAMEPLATE_BASE_URL: url },
    });
    // The page does not show unknown kinds.
    expect(stderr).toMatch(code.includes('otherKind') ? /^ignored fields/ : /^$/);
    const statuses = server.log.slice(previousLogLength).map(({ status }) => status);
    const sendsNoRequests = /export default|fetch: mockFetch|signWebhook/.test(code);
    expect(new Set(statuses)).toEqual(new Set(sendsNoRequests ? [] : [200]));
    expect(proxy.requestedHosts.length > 0).toBe(code.includes('proxy.example'));
    rmSync(program);
  },
);

it('the README lists every error class', () => {
  const classes = Object.keys(client).filter((name) => name.endsWith('Error'));
  for (const name of classes) expect(readme).toMatch(new RegExp(`^\\|.*\`${name}\``, 'm'));
});

it('the README lists every operation', () => {
  const { Nameplate } = client;
  for (const [area, calls] of Object.entries(new Nameplate({ apiKey: 'np_test.secret' })))
    for (const name of Object.keys(calls as object))
      expect(readme).toContain(`\`client.${area}.${name}(`);
});
