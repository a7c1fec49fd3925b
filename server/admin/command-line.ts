import { CommanderError } from '@commander-js/extra-typings';
import { CommandFailedError } from './command-failed.ts';
import { InterruptedError } from './interruption.ts';
import { printableLines } from './output.ts';
import { createProgram } from './program.ts';
import { errorText } from './tone.ts';

const FAILED = 1;
const BAD_ARGUMENTS = 2;

/** Runs one command with the settings of the environment and returns its exit code. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Says on standard error what went wrong, unless that was done, and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_ARGUMENTS;
  // The parent process sees which signal ended the command.
  if (error instanceof InterruptedError) process.kill(process.pid, error.signal);
  else if (!(error instanceof CommandFailedError)) console.error(error);
  else if (error.message) process.stderr.write(`${errorText(printableLines(error.message))}\n`);
  return FAILED;
}
