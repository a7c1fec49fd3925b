import { StartError } from '../platform/settings/start-failure.ts';

/** Messages for people go to standard error. The log is for programs. */
export function printMessage(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

export function printError(error: unknown): void {
  if (error instanceof StartError) printMessage(error.message);
  else console.error(error);
}
