// Plain JavaScript, because it is loaded before anything that must be compiled.
import { statSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../node_modules', import.meta.url));

// The cache is in node_modules, so that `npm ci` deletes it. It is used only if the current user
// owns node_modules. A different owner could plant code in it, or could not delete our files.
if (statSync(packages, { throwIfNoEntry: false })?.uid === (process.getuid?.() ?? 0))
  module.enableCompileCache?.(`${packages}/.cache/compiled`);
