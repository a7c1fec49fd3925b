import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { Service } from 'kubernetes-types/core/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const readManifest = async <T>(name: string) =>
  parse(await readFile(`deploy/kubernetes/${name}.yaml`, 'utf8'), { merge: true }) as T;
const deployment = await readManifest<Deployment>('deployment');
const service = await readManifest<Service>('service');
const budget = await readManifest<PodDisruptionBudget>('disruption-budget');
const pod = deployment.spec!.template.spec!;

it('the manifests match the Kubernetes schema', async () => {
  // TypeScript checks for unknown properties only in literals, so write the manifests as code.
  const folder = await mkdtemp('node_modules/.cache/kubernetes-');
  const file = join(folder, 'manifests.ts');
  await writeFile(
    file,
    `import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
     import type { Service } from 'kubernetes-types/core/v1.d.ts';
     import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
     export const deployment: Deployment = ${JSON.stringify(deployment)};
     export const service: Service = ${JSON.stringify(service)};
     export const budget: PodDisruptionBudget = ${JSON.stringify(budget)};`,
  );
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--allowImportingTsExtensions'];
  const compiled = await promisify(execFile)('node_modules/.bin/tsc', [...flags, file]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  await rm(folder, { recursive: true });
  expect(compiled).toBe('');
});

it('the pods meet the pod security standard "restricted"', () => {
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(pod.securityContext?.runAsUser).toBeGreaterThan(0);
  for (const name of ['hostNetwork', 'hostPID', 'hostIPC', 'volumes'])
    expect(pod).not.toHaveProperty(name);
  for (const container of [...pod.containers, ...(pod.initContainers ?? [])]) {
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources?.limits).toHaveProperty('memory');
    for (const { hostPort } of container.ports ?? []) expect(hostPort).toBeUndefined();
  }
});

it('probes and the service use the right port and path of these pods, one of which may be unavailable', () => {
  const { containers } = pod;
  const { ports = [], startupProbe, livenessProbe, readinessProbe } = containers[0]!;
  expect(
    [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet?.path),
  ).toEqual(['/healthz', '/healthz', '/readyz']);
  const used = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet?.port);
  for (const port of [...used, ...service.spec!.ports!.map(({ targetPort }) => targetPort)])
    expect(ports.map(({ name }) => name)).toContain(port);
  const { labels } = deployment.spec!.template.metadata!;
  for (const selector of [deployment.spec!.selector, budget.spec!.selector!])
    expect(selector.matchLabels).toEqual(labels);
  expect(service.spec!.selector).toEqual(labels);
  expect(budget.spec!.maxUnavailable).toBe(1);
  expect(deployment.spec!.replicas).toBeGreaterThan(1);
  expect(deployment.spec!.strategy?.rollingUpdate?.maxUnavailable).toBe(0);
});
