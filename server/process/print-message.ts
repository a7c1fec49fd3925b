/** Messages for people go to standard error. The log is for programs. */
export function printMessage(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

export function printError(message: string | undefined, error: unknown): void {
  if (message === undefined) console.error(error);
  else printMessage(message);
}
