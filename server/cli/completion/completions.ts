import type { CommandUnknownOpts } from '@commander-js/extra-typings';

export interface Suggestion {
  word: string;
  description: string;
}

type CompletionValues = readonly string[] | 'file' | 'text';

/** `values` is undefined for a flag. */
interface OptionSuggestion extends Suggestion {
  values: CompletionValues | undefined;
}

export interface Completion {
  /**
   * The command and its parents, each after a space, such as ` keys create`. Empty for the root.
   */
  path: string;
  commands: Suggestion[];
  options: OptionSuggestion[];
  values: CompletionValues | undefined;
}

export function listCompletions(command: CommandUnknownOpts, path = ''): Completion[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const [argument] = command.registeredArguments;
  return [
    {
      path,
      commands: commands.map((subcommand) => ({
        word: subcommand.name(),
        description: capitalize(help.subcommandDescription(subcommand)),
      })),
      options: options.flatMap(({ long, description, argChoices, ...option }) => {
        if (!long) return [];
        const takesValue = option.required || option.optional;
        const values = takesValue ? valuesOf(option.flags, argChoices) : undefined;
        return [{ word: long, description: capitalize(description), values }];
      }),
      values: argument && valuesOf(`<${argument.name()}>`, argument.argChoices),
    },
    ...command.commands.flatMap((subcommand) =>
      listCompletions(subcommand, `${path} ${subcommand.name()}`),
    ),
  ];
}

/** `<file>` in the help text means a file name. */
function valuesOf(notation: string, choices: readonly string[] | undefined): CompletionValues {
  return choices ?? (notation.endsWith('<file>') ? 'file' : 'text');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
