import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

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
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
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
