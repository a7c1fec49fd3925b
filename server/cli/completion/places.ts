import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/** A word that can follow, and its explanation. */
export interface Suggestion {
  word: string;
  description: string;
}

/** Values that can follow: some words, the name of a file, or any text. */
type Values = readonly string[] | 'file' | 'text';

/** An option; without values it is a switch. */
interface OptionSuggestion extends Suggestion {
  values: Values | undefined;
}

/** A command of the tree, and what can follow it. */
export interface Place {
  /** The words that lead there, each after a space; empty for the program itself. */
  path: string;
  commands: Suggestion[];
  options: OptionSuggestion[];
  /** Values of its first argument. */
  values: Values | undefined;
}

/** Every place of a command tree: what a shell can complete. */
export function placesOf(command: CommandUnknownOpts, path = ''): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const [argument] = command.registeredArguments;
  return [
    {
      path,
      commands: commands.map((one) => ({
        word: one.name(),
        description: capitalized(help.subcommandDescription(one)),
      })),
      options: options.flatMap(({ long, description, argChoices, ...option }) => {
        if (!long) return [];
        const takesValue = option.required || option.optional;
        const values = takesValue ? valuesOf(option.flags, argChoices) : undefined;
        return [{ word: long, description: capitalized(description), values }];
      }),
      values: argument && valuesOf(`<${argument.name()}>`, argument.argChoices),
    },
    ...command.commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`)),
  ];
}

/** Values by how the help names them. */
function valuesOf(named: string, choices: readonly string[] | undefined): Values {
  return choices ?? (named.endsWith('<file>') ? 'file' : 'text');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
