import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';

const here = import.meta.dirname;

/**
 * Runs a program from this package's dependencies and returns its output. If it fails, the error
 * contains the output.
 */
export function runTool(
  name: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const path = [join(here, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    execFile(
      name,
      args,
      {
        cwd: here,
        env: { ...process.env, PATH: path, REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1', ...env },
        timeout: 300_000,
        maxBuffer: 2 ** 26,
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout + stderr);
        else reject(new Error(`${name} failed\n${stdout}\n${stderr}`));
      },
    );
  });
}
