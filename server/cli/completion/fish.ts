import type { Place } from './places.ts';

/** Script that completes the commands of `name` in fish, with their descriptions. */
export function fishScript(name: string, places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const lines = places.flatMap(({ path, commands, options, values }) => {
    const begin = `complete -c ${name} -n ${quoted(`__${name}_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ word, description }) => `${begin} -a ${word} -d ${quoted(description)}`),
      ...(Array.isArray(values) ? [`${begin} -a ${quoted(values.join(' '))}`] : []),
      ...(values === 'file' ? [`${begin} -F`] : []),
      ...options.map(({ word, description, values: known }) => {
        const value =
          known === undefined
            ? ''
            : known === 'file'
              ? ' -r -F'
              : known === 'text'
                ? ' -x'
                : ` -x -a ${quoted(known.join(' '))}`;
        return `${begin} -l ${word.slice(2)}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# Completes ${name} in fish: ${name} completion fish | source
function __${name}_at
  set -l place ''
  for word in (commandline -opc)[2..]
    if contains -- "$place $word" ${paths.join(' ')}
      set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
complete -c ${name} -e
complete -c ${name} -f
${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
