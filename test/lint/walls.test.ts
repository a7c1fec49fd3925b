import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A file and what it imports. */
type Import = [file: string, specifier: string];

const FORBIDDEN: Import[] = [
  ['server/api/a.ts', '../admin/cli.ts'],
  ['server/api/routes/b.ts', '../../pages/site-page.ts'],
  ['server/cli/c.ts', '../api/api.ts'],
  ['server/cli/commands/d.ts', '../../api/routes/site.ts'],
  ['server/pages/e.ts', '../api/health.ts'],
  ['server/owner/f.ts', '../pages/site-page.ts'],
  ['server/pages/fa.ts', '../dashboard/bundle.ts'],
  ['server/dashboard/fb.ts', '../pages/pages.ts'],
  ['server/http/g.ts', '../api/api.ts'],
  ['server/http/contract/adapter.ts', '../admin/cli.ts'],
  ['server/service/h.ts', '../api/api.ts'],
  ['server/features/names/i.ts', '../../admin/cli.ts'],
  ['server/service/j.ts', '../http/surface.ts'],
  ['server/features/names/k.ts', '../../http/answers/refusals.ts'],
  ['server/limits/ka.ts', '../service/settings/config.ts'],
  ['server/limits/kb.ts', '../http/surface.ts'],
  ['server/limits/kc.ts', '../api/api.ts'],
  ['server/api/l.ts', '../process/app.ts'],
  ['server/cli/m.ts', '../process/logger.ts'],
  ['server/http/n.ts', '../process/app.ts'],
  ['server/features/names/o.ts', '../../process/main.ts'],
  ['server/service/p.ts', '@ts-rest/core'],
  ['server/process/q.ts', '@ts-rest/fastify'],
  ['server/cli/r.ts', 'commander'],
  ['db/s.ts', '../server/service/settings/config.ts'],
  ['db/queries/t.ts', '../../server/service/settings/config.ts'],
  ['db/migrations/0001-u.ts', '../../contract/limits.ts'],
  ['db/migrations/0002-v.ts', '../schema.ts'],
  ['contract/w.ts', '../db/schema.ts'],
  ['contract/x.ts', '../server/service/settings/config.ts'],
  ['contract/y.ts', 'node:fs'],
  ['dashboard/z.ts', '../server/service/settings/config.ts'],
  ['dashboard/screens/za.ts', 'node:fs'],
];
const ALLOWED: Import[] = [
  ['server/api/routes/aa.ts', '../../service/settings/config.ts'],
  ['server/api/ab.ts', '../http/surface.ts'],
  ['server/cli/ac.ts', '@commander-js/extra-typings'],
  ['server/process/ad.ts', '../api/api.ts'],
  ['server/process/ae.ts', '../admin/cli.ts'],
  ['server/features/names/af.ts', '../../../db/queries/sites.ts'],
  ['server/service/ag.ts', 'node:process'],
  ['server/service/aga.ts', '../load/fair-queue.ts'],
  ['server/http/agb.ts', '../load/fair-queue.ts'],
  ['server/limits/agc.ts', '../../db/schema.ts'],
  ['db/migrations/0003-ah.ts', 'kysely'],
  ['contract/ai.ts', './limits.ts'],
  ['server/dashboard/ak.ts', '../../contract/owner/index.ts'],
  ['dashboard/aj.ts', '../contract/index.ts'],
  ['dashboard/al.ts', '../client/src/client.ts'],
];

const CYCLE: Import[] = [
  ['server/service/cycle/one.ts', './other.ts'],
  ['server/service/cycle/other.ts', './one.ts'],
];

let folder: string;
let refused: string[];
let inCycles: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nameplate-walls-'));
  await cp('oxlint.config.ts', join(folder, 'oxlint.config.ts'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  for (const [file, specifier] of [...FORBIDDEN, ...ALLOWED, ...CYCLE]) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(
      join(folder, file),
      `import type { A } from '${specifier}';\nexport type B = A;\n`,
    );
  }
  const diagnostics = await lint();
  const filesOf = (rule: string) =>
    diagnostics.filter(({ code }) => code === rule).map(({ filename }) => filename);
  refused = filesOf('eslint(no-restricted-imports)');
  inCycles = filesOf('import(no-cycle)');
});
afterAll(() => rm(folder, { recursive: true }));

async function lint(): Promise<{ code: string; filename: string }[]> {
  const program = resolve('node_modules/oxlint/bin/oxlint');
  const args = [program, '--format', 'json', 'contract', 'dashboard', 'db', 'server'];
  // It ends with an error, since it finds what it should.
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout) => done(stdout));
  });
  return (JSON.parse(output) as { diagnostics: { code: string; filename: string }[] }).diagnostics;
}

describe('the linter', () => {
  it.each(FORBIDDEN)('does not let %s import %s', (file) => {
    expect(refused).toContain(file);
  });

  it.each(ALLOWED)('lets %s import %s', (file) => {
    expect(refused).not.toContain(file);
  });

  it('refuses import cycles, also of types alone', () => {
    expect(inCycles.toSorted()).toEqual(CYCLE.map(([file]) => file));
  });
});
