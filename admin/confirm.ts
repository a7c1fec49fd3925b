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
    // Ctrl-C and the end of the input leave the question open, but close the interface.
    const closed = once(lines, 'close').then(() => '');
    const answer = await Promise.race([lines.question(`${question} [y/N] `), closed]);
    return /^\s*y(?:es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}
