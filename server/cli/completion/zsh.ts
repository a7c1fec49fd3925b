import type { Place, Suggestion } from './places.ts';

/** Script that completes the commands of `name` in zsh, with their descriptions. */
export function zshScript(name: string, places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const values = places.flatMap(({ path, options }) =>
    options.flatMap(({ word, values: known }) => {
      if (known === undefined) return [];
      const act =
        known === 'file' ? '_files; ' : known === 'text' ? '' : `compadd -- ${known.join(' ')}; `;
      return [`    ('${path} ${word}') ${act}return ;;`];
    }),
  );
  const followers = places.map(({ path, commands, options, values: known }) => {
    const first = Array.isArray(known)
      ? known.map((word: string) => ({ word, description: '' }))
      : commands;
    const file = known === 'file' ? ' files=1' : '';
    return `    ('${path}') follow=(${entries(first)}) flags=(${entries(options)})${file} ;;`;
  });
  return `#compdef ${name}
# Completes ${name} in zsh, after compinit: eval "$(${name} completion zsh)"
_${name}() {
  local place='' word files=''
  local -a follow flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
    (${paths.join(' | ')}) place+=" $word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$place" in
${followers.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* || ( -z $files && $#follow -eq 0 ) ]]; then
    _describe -o option flags
  elif [[ -n $files ]]; then
    _files
  else
    _describe command follow
  fi
}
# The first word of the call stack is the function itself where the file is loaded from $fpath.
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function entries(suggestions: readonly Suggestion[]): string {
  return suggestions
    .map(({ word, description }) => {
      const text = description ? `${word}:${description.replaceAll(':', '\\:')}` : word;
      return `'${text.replaceAll("'", "'\\''")}'`;
    })
    .join(' ');
}
