import type { Completion, Suggestion } from './completions.ts';

export function zshScript(name: string, completions: readonly Completion[]): string {
  const paths = completions.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const valueCases = completions.flatMap(({ path, options }) =>
    options.flatMap(({ word, values }) => {
      if (values === undefined) return [];
      const action =
        values === 'file'
          ? '_files; '
          : values === 'text'
            ? ''
            : `compadd -- ${values.join(' ')}; `;
      return [`    ('${path} ${word}') ${action}return ;;`];
    }),
  );
  const commandCases = completions.map(({ path, commands, options, values }) => {
    const candidates = Array.isArray(values)
      ? values.map((word: string) => ({ word, description: '' }))
      : commands;
    const file = values === 'file' ? ' files=1' : '';
    return `    ('${path}') candidates=(${quoteSuggestions(candidates)}) flags=(${quoteSuggestions(options)})${file} ;;`;
  });
  return `#compdef ${name}
# Completes ${name} in zsh, after compinit: eval "$(${name} completion zsh)"
_${name}() {
  local command_path='' word files=''
  local -a candidates flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command_path $word" in
    (${paths.join(' | ')}) command_path+=" $word" ;;
    esac
  done
  case "$command_path \${words[CURRENT-1]}" in
${valueCases.join('\n')}
  esac
  case "$command_path" in
${commandCases.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* || ( -z $files && $#candidates -eq 0 ) ]]; then
    _describe -o option flags
  elif [[ -n $files ]]; then
    _files
  else
    _describe command candidates
  fi
}
# zsh autoloads the file from $fpath as the function itself; otherwise register the function.
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function quoteSuggestions(suggestions: readonly Suggestion[]): string {
  return suggestions
    .map(({ word, description }) => {
      const text = description ? `${word}:${description.replaceAll(':', '\\:')}` : word;
      return `'${text.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}
