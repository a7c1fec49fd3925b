import type { Completion } from './completions.ts';

export function fishScript(name: string, completions: readonly Completion[]): string {
  const paths = completions.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  const lines = completions.flatMap(({ path, commands, options, values }) => {
    const prefix = `complete -c ${name} -n ${quote(`__${name}_at ${quote(path)}`)}`;
    return [
      ...commands.map(({ word, description }) => `${prefix} -a ${word} -d ${quote(description)}`),
      ...(Array.isArray(values) ? [`${prefix} -a ${quote(values.join(' '))}`] : []),
      ...(values === 'file' ? [`${prefix} -F`] : []),
      ...options.map(({ word, description, values: optionValues }) => {
        const value =
          optionValues === undefined
            ? ''
            : optionValues === 'file'
              ? ' -r -F'
              : optionValues === 'text'
                ? ' -x'
                : ` -x -a ${quote(optionValues.join(' '))}`;
        return `${prefix} -l ${word.slice(2)}${value} -d ${quote(description)}`;
      }),
    ];
  });
  return `# Completes ${name} in fish: ${name} completion fish | source
function __${name}_at
  set -l command_path ''
  for word in (commandline -opc)[2..]
    if contains -- "$command_path $word" ${paths.join(' ')}
      set command_path "$command_path $word"
    end
  end
  test "$command_path" = "$argv[1]"
end
complete -c ${name} -e
complete -c ${name} -f
${lines.join('\n')}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
