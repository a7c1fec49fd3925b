import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { formatCommand } from '#server/platform/settings/format-command.ts';

const readText = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

it('npm, the image and the systemd unit start the same server', async () => {
  const { scripts } = JSON.parse(await readText('package.json')) as { scripts: { start: string } };
  const image = /^CMD (\[.*\])$/m.exec(await readText('Dockerfile'))?.[1] ?? '[]';
  const unit = /^ExecStart=\S+\/(node .*)$/m.exec(await readText('deploy/nameplate.service'))?.[1];
  expect(`exec ${(JSON.parse(image) as string[]).join(' ')}`).toBe(scripts.start);
  expect(`exec ${unit}`).toBe(scripts.start);
});

it.each([
  ['Dockerfile', /NAMEPLATE_COMMAND="(.*)"/],
  ['compose.yaml', /NAMEPLATE_COMMAND: (.*)/],
  ['deploy/nameplate.service', /"NAMEPLATE_COMMAND=(.*)"/],
])('messages of a server with %s name the command of docs/delivery.md', async (name, pattern) => {
  const [, program = 'missing'] = pattern.exec(await readText(name)) ?? [];
  expect(await readText('docs/delivery.md')).toContain(program);
  vi.stubEnv('NAMEPLATE_COMMAND', program);
  expect(formatCommand({ DATA_DIR: '/data' }, 'login')).toBe(`${program} login`);
  vi.unstubAllEnvs();
});

it('systemd and Docker Compose wait longer than a shutdown takes', async () => {
  const parseSeconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const unit = await readText('deploy/nameplate.service');
  const compose = await readText('compose.yaml');
  expect(parseSeconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(10);
  expect(parseSeconds(compose, /server:[^]*?stop_grace_period: (\d+)s/)).toBeGreaterThan(10);
});
