/** Prints messages for people to standard error. The log is for programs. */
export function printMessage(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Prints the message, or the whole error if there is none because it is a bug. */
export function printError(message: string | undefined, error: unknown): void {
  if (message === undefined) console.error(error);
  else printMessage(message);
}
