/** The end of a command's help: how it is called. */
export function examples(...commands: string[]): string {
  const heading = commands.length === 1 ? 'Example:' : 'Examples:';
  return ['', heading, ...commands.map((words) => `  nameplate ${words}`)].join('\n');
}
