import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { CommandFailedError } from './command-failed.ts';
import { toPrintable } from '#server/platform/text/printable-text.ts';
import type { Program } from './output.ts';

export function requireTerminal(command: Pick<Program, 'error'>): void {
  if (!process.stdin.isTTY)
    command.error('error: confirmation needs a terminal; add --yes to delete without asking');
}

export async function requireConfirmation(question: string): Promise<void> {
  if (!(await confirm(question, process.stdin, process.stderr)))
    throw new CommandFailedError('Nothing was deleted.');
}

export async function confirm(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const prompt = createInterface({ input, output });
  try {
    // question() never settles if the input ends, so wait for the close event, too.
    const closed = once(prompt, 'close').then(() => '');
    const answer = await Promise.race([prompt.question(`${toPrintable(question)} [y/N] `), closed]);
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ABORT_ERR') throw error;
    output.write('\n');
    return false;
  } finally {
    prompt.close();
  }
}
