import { Argument } from '@commander-js/extra-typings';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { listCompletions } from '../completion/completions.ts';
import { zshScript } from '../completion/zsh.ts';
import { examples, type Program, printResult } from '../output.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
const SHELLS = Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[];

export function addCompletionCommand(program: Program): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `${examples('completion bash', 'completion zsh', 'completion fish')}

To enable completion, add one of these lines to your shell's configuration:
  ~/.bashrc: eval "$(nameplate completion bash)"
  ~/.zshrc, after compinit: eval "$(nameplate completion zsh)"
  ~/.config/fish/config.fish: nameplate completion fish | source`,
    )
    .action((shell, _options, command) => {
      const script = SCRIPTS[shell](program.name(), listCompletions(program));
      printResult(command, { shell, script }, () => script.trimEnd());
    });
}
