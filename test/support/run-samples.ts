import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import type { Json } from '#contract/openapi/json.ts';
import { codeSamples, readCall } from '#server/entry/api/docs/code-samples.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';
import { childEnvironment } from './child-environment.ts';
import { type Endpoint, authenticatedEndpoints, unauthenticatedEndpoints } from './endpoints.ts';
import { createImage } from './pictures.ts';
import { startStory } from './story.ts';

/** A sample of one operation, in a language. */
interface SampleOf {
  /** An area and the id of an operation. */
  name: string;
  endpoint: Endpoint;
  source: string;
  example: Json | undefined;
}

/** How a language runs samples: a driver that reads their numbers, and runs one after another. */
interface Language {
  extension: string;
  prepare?: (source: string, index: number) => string;
  /** Files of the driver. */
  files: (count: number) => Record<string, string>;
  /** Compiles all of them. */
  compile?: (folder: string) => Promise<unknown>;
  command: string[];
}

const END = '--- end';

const CLIENT = fileURLToPath(new URL('../../client/src', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Throws with the output of a program that fails. */
async function run(program: string, args: string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd }).catch((error) => {
    throw new Error(`${program} fails: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  curl: {
    extension: 'sh',
    files: () => ({
      '.curlrc': 'fail-with-body\nno-progress-meter\n',
      'driver.sh': `while read -r index; do sh sample$index.sh 2>&1 || printf '\\nFAILED'; printf '\\n${END}\\n'; done`,
    }),
    command: ['sh', 'driver.sh'],
  },
  TypeScript: {
    extension: 'mts',
    // The package is not installed in the folder of the samples.
    prepare: (source) =>
      source.replaceAll(/'@nameplate\/client(\/\w+)?'/g, (_name, file: string = '/index') =>
        JSON.stringify(`${CLIENT}${file}.ts`),
      ),
    files: () => ({
      'driver.mjs': `import { createInterface } from 'node:readline';
for await (const index of createInterface(process.stdin)) {
  await import(\`./sample\${index}.mts\`).catch((error) => console.log('FAILED', error));
  console.log('${END}');
}`,
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          ...{ module: 'nodenext', target: 'es2024', strict: true, noEmit: true },
          ...{ allowImportingTsExtensions: true, skipLibCheck: true },
          ...{ types: ['node'], typeRoots: [`${MODULES}/@types`] },
        },
        include: ['*.mts'],
      }),
    }),
    compile: (folder) => run(`${MODULES}/.bin/tsc`, ['-p', folder], folder),
    command: [process.execPath, 'driver.mjs'],
  },
  Python: {
    extension: 'py',
    files: () => ({
      'driver.py': `import runpy, sys
for index in sys.stdin:
    runpy.run_path('sample' + index.strip() + '.py')
    print('${END}', flush=True)
`,
    }),
    command: ['/usr/bin/python3', 'driver.py'],
  },
  Go: {
    extension: 'go',
    prepare: (source, index) => source.replace('func main()', `func sample${index}()`),
    files: (count) => ({
      'go.mod': 'module samples\n',
      'main.go': `package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
)

func main() {
	samples := []func(){${Array.from({ length: count }, (_, index) => `sample${index}`).join(', ')}}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		index, _ := strconv.Atoi(lines.Text())
		samples[index]()
		fmt.Println("${END}")
	}
}
`,
    }),
    compile: async (folder) => {
      // It names files in another format.
      expect(await run('gofmt', ['-l', '.'], folder)).toBe('');
      return run('go', ['build', '-o', 'samples'], folder);
    },
    command: ['./samples'],
  },
};

/** Those that a script cannot call, because they need a browser or refuse keys. */
const NEED_A_BROWSER = new Set([
  'passkeys.createPasskey',
  'passkeys.createPasskeySession',
  'server.exportMailSettings',
]);

/**
 * Runs the samples of all operations in a language. Before each, the database has what the sample
 * names. Returns what the failed ones printed.
 */
export async function runSamples(label: string): Promise<Record<string, string>> {
  const language = LANGUAGES[label]!;
  const story = await startStory();
  const samples = await listSamples(story.url, label);
  expect(samples).not.toEqual([]);
  const driver = await startDriver(language, samples, story.key);
  const failures: Record<string, string> = {};
  for (const [index, { name, endpoint, example }] of samples.entries()) {
    await story.prepare(endpoint, example);
    const output = await driver.run(index);
    if (/^(FAILED|\d{3} (?!OK))/m.test(output)) failures[name] = output.trim();
  }
  return failures;
}

async function listSamples(url: string, label: string): Promise<SampleOf[]> {
  const endpoints = [...authenticatedEndpoints, ...unauthenticatedEndpoints];
  const documents = await Promise.all(
    ['/openapi.json', '/owner/openapi.json'].map(
      async (path) => (await (await fetch(url + path)).json()) as OpenApiDocument,
    ),
  );
  return documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const { name, body, query } = readCall(document, { method, path, operation });
        const sample = codeSamples(document, { method, path, operation }).find(
          (it) => it.label === label,
        );
        if (!sample || NEED_A_BROWSER.has(name)) return [];
        const endpoint = endpoints.find(
          (it) => it.name === operation.operationId && it.area === operation.tags[0],
        )!;
        return [{ name, endpoint, source: sample.source, example: body ?? query }];
      }),
    ),
  );
}

async function startDriver(
  {
    extension,
    prepare = (source) => source,
    files,
    compile,
    command: [program = '', ...args],
  }: Language,
  samples: SampleOf[],
  key: string,
) {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files(samples.length)))
    writeFileSync(join(folder, name), text);
  for (const [index, { source }] of samples.entries())
    writeFileSync(join(folder, `sample${index}.${extension}`), `${prepare(source, index)}\n`);
  writeFileSync(join(folder, 'picture.jpg'), await createImage().jpeg().toBuffer());
  await compile?.(folder);
  const env = childEnvironment({ NAMEPLATE_API_KEY: key, CURL_HOME: folder });
  const child = spawn(program, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    run: async (index: number): Promise<string> => {
      child.stdin.write(`${index}\n`);
      const output: string[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done) return `FAILED ${output.join('\n')}`;
        if (value === END) return output.join('\n');
        output.push(value);
      }
    },
  };
}
