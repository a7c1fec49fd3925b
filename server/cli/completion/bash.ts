import type { Completion } from './completions.ts';

/** Supports bash 3.2 and later. */
export function bashScript(name: string, completions: readonly Completion[]): string {
  const paths = completions.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const valueCases = completions.flatMap(({ path, options }) =>
    options.flatMap(({ word, values }) => {
      if (values === undefined) return [];
      const action =
        values === 'file' ? 'files=1' : values === 'text' ? 'return' : assignWords(values);
      return [`    '${path} ${word}') ${action} ;;`];
    }),
  );
  const commandCases = completions.map(({ path, commands, options, values }) => {
    const first = Array.isArray(values) ? values : commands.map(({ word }) => word);
    const file = values === 'file' ? ' files=1' : '';
    return `        '${path}') ${assignWords(first)} options='${options.map(({ word }) => word).join(' ')}'${file} ;;`;
  });
  return `# Completes ${name} in bash: eval "$(${name} completion bash)"
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} command_path='' words='' options='' files='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command_path \${COMP_WORDS[index]}" in
    ${paths.join(' | ')}) command_path+=" \${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$command_path \${COMP_WORDS[COMP_CWORD - 1]}" in
${valueCases.join('\n')}
    *)
      case "$command_path" in
${commandCases.join('\n')}
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

function assignWords(list: readonly string[]): string {
  return `words='${list.join(' ')}'`;
}
