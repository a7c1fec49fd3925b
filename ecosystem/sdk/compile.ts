import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

const SETTINGS = {
  'nodenext, DOM types': { module: 'nodenext', lib: ['es2022', 'dom'], types: [] },
  'nodenext, Node types': { module: 'nodenext', lib: ['es2022'], types: ['node'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
} as const;

/** Compiles a program that uses the installed types, as ESM and as CommonJS. */
export async function compile(tools: string, project: string, compiler: string): Promise<void> {
  const tsc = join(tools, 'node_modules', compiler, 'bin/tsc');
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const compilerOptions = {
      ...settings,
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(project, 'types')],
    };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.mts', 'consumer.cts'] }),
    );
    await run(process.execPath, [tsc, '-p', project], project).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`);
    });
  }
}

export function prepareTypes(tools: string, project: string): void {
  for (const extension of ['mts', 'cts'])
    copyFileSync(join(tools, 'types/consumer.ts'), join(project, `consumer.${extension}`));
  symlinkSync(join(tools, 'node_modules/@types'), join(project, 'types'));
}
