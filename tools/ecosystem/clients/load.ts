import assert from 'node:assert/strict';
import { globSync } from 'node:fs';

// Some mistakes of generators are seen only when the module runs, such as `zod.object().literal()`.
const modules = globSync('generated/**/*.ts', {
  exclude: ['**/*.d.ts', '**/documented-bodies.ts'],
});
assert.ok(modules.length > 0);
for (const file of modules) await import(`../${file}`);
