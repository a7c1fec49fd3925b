import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

const SETTINGS = {
  'nodenext, DOM types': { module: 'nodenext', lib: ['es2022', 'dom'], types: [] },
  'nodenext, Node types': { module: 'nodenext', lib: ['es2022'], types: ['node'] },
  bundler: { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
} as const;

/** Compiles a program that uses the installed types, as ESM and as CommonJS. */
export async function compile(
  toolsDir: string,
  projectDir: string,
  compiler: string,
): Promise<void> {
  const tsc = join(toolsDir, 'node_modules', compiler, 'bin/tsc');
  for (const [name, settings] of Object.entries(SETTINGS)) {
    const compilerOptions = {
      ...settings,
      target: 'es2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
      typeRoots: [join(projectDir, 'types')],
    };
    writeFileSync(
      join(projectDir, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.mts', 'consumer.cts'] }),
    );
    await run(process.execPath, [tsc, '-p', projectDir], projectDir).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`);
    });
  }
}

export function prepareTypes(toolsDir: string, projectDir: string): void {
  for (const extension of ['mts', 'cts'])
    copyFileSync(join(toolsDir, 'types/consumer.ts'), join(projectDir, `consumer.${extension}`));
  symlinkSync(join(toolsDir, 'node_modules/@types'), join(projectDir, 'types'));
}
