/** Says to people, on standard error, what the log is not for. */
export function say(...lines: string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Says one sentence, or the whole error if it is a defect of ours. */
export function explain(sentence: string | undefined, error: unknown): void {
  if (sentence === undefined) console.error(error);
  else say(sentence);
}
