import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { api, owner } from '../api/api.ts';
import { Icon } from '../parts/icon.tsx';
import { LINES } from '../parts/icon-lines.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { type Command, fixedCommands, ownCommands } from './commands.ts';
import './palette.css';
import { rank } from './rank.ts';

/** Longest list that is shown, in commands. */
const SHOWN = 50;

/**
 * Finds screens, projects, keys and actions by a few letters. The focus stays in the field; the arrow
 * keys choose, Enter runs what is chosen, Escape leaves.
 */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const typed = useSignal('');
  const at = useSignal(0);
  const own = useLoaded(loadOwn);
  const found = find([...fixedCommands(), ...(own.value ?? [])], typed.value);
  const chosen = Math.min(at.value, found.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close();
  }, []);
  useLayoutEffect(() => {
    document.getElementById(optionId(chosen))?.scrollIntoView({ block: 'nearest' });
  }, [chosen, typed.value]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    // The focus is back where it was before the command moves it.
    dialog.current!.close();
    command.run();
  };
  const press = (event: KeyboardEvent) => {
    // Keys that belong to an input method.
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) at.value = (chosen + step + found.length) % Math.max(found.length, 1);
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current!.close()}
    >
      <div class="palette-field">
        <Icon lines={LINES.search} />
        <input
          type="text"
          role="combobox"
          aria-label="Search screens, projects, keys and actions"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? optionId(chosen) : undefined}
          placeholder="Search or jump to…"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={press}
        />
        <button type="button" class="icon-button" onClick={() => dialog.current!.close()}>
          <Icon lines={LINES.close} />
          <span class="unseen">Close</span>
        </button>
      </div>
      <div id={`${id}-list`} class="palette-list" tabIndex={-1} role="listbox" aria-label="Results">
        {groupsOf(found).map(([group, commands]) => (
          <div key={group} role="group" aria-label={group}>
            <p class="palette-group" aria-hidden="true">
              {group}
            </p>
            {commands.map((command) => {
              const index = found.indexOf(command);
              return (
                <div
                  key={`${command.title} ${command.hint}`}
                  id={optionId(index)}
                  class="palette-option"
                  role="option"
                  aria-selected={index === chosen}
                  onPointerMove={() => (at.value = index)}
                  onClick={() => run(command)}
                >
                  <Icon lines={command.icon} />
                  <span class="palette-title">{command.title}</span>
                  {command.hint && <code class="muted">{command.hint}</code>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p class={found.length > 0 ? 'unseen' : 'palette-none'} role="status">
        {found.length > 0
          ? `${found.length} ${found.length === 1 ? 'result' : 'results'}`
          : 'No screen, action, project or key has this name.'}
      </p>
    </dialog>
  );
}

/** Commands for what the account has; without an answer there are none. */
async function loadOwn(): Promise<Command[]> {
  const [{ projects }, { keys }] = await Promise.all([
    api.stats.getProjects(),
    owner.keys.listKeys(),
  ]);
  return ownCommands(
    projects,
    keys.map(({ key_id: id, label }) => ({ id, name: label ?? id })),
  );
}

/** Commands that match, the best of each group first, groups in the order of their best. */
function find(commands: readonly Command[], typed: string): Command[] {
  const ranked = commands.flatMap((command) => {
    const place = rank(`${command.title} ${command.words ?? ''}`, typed);
    return place === undefined ? [] : [{ command, place }];
  });
  const sorted = ranked.toSorted((a, b) => a.place - b.place).map(({ command }) => command);
  return groupsOf(sorted)
    .flatMap(([, members]) => members)
    .slice(0, SHOWN);
}

function groupsOf(commands: readonly Command[]): [Command['group'], Command[]][] {
  return [...Map.groupBy(commands, ({ group }) => group)];
}
