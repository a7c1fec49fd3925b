// Plain JavaScript: npm runs it with whatever Node the machine has.
// The Node that comes along runs this project and compiles nothing, so its C++ headers, a third of it, go.
import { readdirSync, rmSync } from 'node:fs';

const packages = new URL('../node_modules/', import.meta.url);
for (const name of readdirSync(packages))
  if (/^node-(linux|darwin|win)-/.test(name))
    rmSync(new URL(`${name}/include`, packages), { recursive: true, force: true });
