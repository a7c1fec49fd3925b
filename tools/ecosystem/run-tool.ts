import { delimiter, join } from 'node:path';
import { run } from './sdk/run.ts';

const here = import.meta.dirname;

/** Some tools print warnings and still exit with 0. Ignores npm's warnings about the machine's settings. */
const WARNING = /^(?!npm warn).*(?:⚠|\bwarnings?\b).*$/imu;

/** Runs a program from this package's dependencies. Throws if it fails or prints a warning. */
export async function runTool(name: string, args: readonly string[]): Promise<void> {
  const path = [join(here, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const env = { PATH: path, REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1' };
  const warning = WARNING.exec(await run(name, args, here, env));
  if (warning) throw new Error(warning[0]);
}
