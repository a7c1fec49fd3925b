import type { Place } from './places.ts';

/** Script that completes the commands of `name` in bash 3.2 and later. */
export function bashScript(name: string, places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const values = places.flatMap(({ path, options }) =>
    options.flatMap(({ word, values: known }) => {
      if (known === undefined) return [];
      const act = known === 'file' ? 'files=1' : known === 'text' ? 'return' : words(known);
      return [`    '${path} ${word}') ${act} ;;`];
    }),
  );
  const followers = places.map(({ path, commands, options, values: known }) => {
    const first = Array.isArray(known) ? known : commands.map(({ word }) => word);
    const file = known === 'file' ? ' files=1' : '';
    return `        '${path}') ${words(first)} options='${options.map(({ word }) => word).join(' ')}'${file} ;;`;
  });
  return `# Completes ${name} in bash: eval "$(${name} completion bash)"
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} place='' words='' options='' files='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$place \${COMP_WORDS[index]}" in
    ${paths.join(' | ')}) place+=" \${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$place \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
    *)
      case "$place" in
${followers.join('\n')}
      esac
      if [[ $word == -* || -z $words$files ]]; then words=$options files=''; fi
      ;;
  esac
  if [[ -n $files ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}
complete -F _${name} ${name}
`;
}

function words(list: readonly string[]): string {
  return `words='${list.join(' ')}'`;
}
