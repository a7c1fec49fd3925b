// Plain JavaScript, which needs no compiling of its own, and loaded before anything that does.
import { statSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

// Compiled code is kept among the packages: an installation begins anew. Only in a folder of
// one's own: nobody else's code is run then, and nobody finds files that they cannot remove.
if (statSync(packages, { throwIfNoEntry: false })?.uid === (process.getuid?.() ?? 0))
  module.enableCompileCache?.(`${packages}/.cache/compiled`);
