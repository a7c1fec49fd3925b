import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const readText = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

it('npm, the image and the systemd unit start the same server', async () => {
  const { scripts } = JSON.parse(await readText('package.json')) as { scripts: { start: string } };
  const image = /^CMD (\[.*\])$/m.exec(await readText('Dockerfile'))?.[1] ?? '[]';
  const unit = /^ExecStart=\S+\/(node .*)$/m.exec(await readText('deploy/nameplate.service'))?.[1];
  expect(`exec ${(JSON.parse(image) as string[]).join(' ')}`).toBe(scripts.start);
  expect(`exec ${unit}`).toBe(scripts.start);
});

it('systemd and Docker Compose wait longer than a shutdown takes', async () => {
  const parseSeconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const unit = await readText('deploy/nameplate.service');
  const compose = await readText('compose.yaml');
  expect(parseSeconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThan(10);
  expect(parseSeconds(compose, /server:[^]*?stop_grace_period: (\d+)s/)).toBeGreaterThan(10);
});
