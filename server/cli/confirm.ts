import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { CommandFailedError } from './command-failed.ts';
import { type Program, printable } from './output.ts';

/** Ends a command that has to ask, where there is nobody to ask. */
export function demandTerminal(command: Pick<Program, 'error'>): void {
  if (!process.stdin.isTTY)
    command.error('error: there is no terminal to ask on; add --yes to delete without asking');
}

/** Asks at the terminal before something is deleted, and ends the command if the answer is no. */
export async function demandConsent(question: string): Promise<void> {
  if (!(await confirm(question, process.stdin, process.stderr)))
    throw new CommandFailedError('Nothing was deleted.');
}

/** Asks a question that only `y` or `yes` answers in the affirmative. */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const lines = createInterface({ input, output });
  try {
    // The end of the input leaves the question open, but closes the interface.
    const closed = once(lines, 'close').then(() => '');
    const answer = await Promise.race([lines.question(`${printable(question)} [y/N] `), closed]);
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } catch (error) {
    // Ctrl-C or Ctrl-D.
    if ((error as NodeJS.ErrnoException).code !== 'ABORT_ERR') throw error;
    output.write('\n');
    return false;
  } finally {
    lines.close();
  }
}
