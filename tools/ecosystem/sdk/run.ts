import { execFile } from 'node:child_process';

/** Runs a program and returns its output. If it fails, the error contains the output. */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...env }, timeout: 600_000, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout + stderr);
        else reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      },
    );
  });
}
