import type { Block } from '#contract/block.ts';
import { type Signal, useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { api, owner } from '../api/api.ts';
import { hasDeveloperTools, isOperator } from '../current-account.ts';
import { Icon } from '../components/icon.tsx';
import { ICON_PATHS } from '../components/icon-paths.ts';
import { type AsyncState, useAsync } from '../components/use-async.ts';
import {
  type Command,
  builtInCommands,
  accountCommands,
  blockCommands,
  memberCommands,
} from './commands.ts';
import './palette.css';
import { matchScore, splitMatches } from './match-score.ts';
import { t } from '../translate.ts';

const MAX_RESULTS = 50;
const MAX_RECENT = 3;
const MAX_MEMBERS = 6;
const SEARCH_DEBOUNCE_MS = 250;

/** Keys of the last commands, latest first. Kept until the window is reloaded. */
let recentKeys: readonly string[] = [];

/** Focus stays in the search field, even while the arrow keys move the selection. */
export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const { searchText, results, members } = useSearch();
  const activeIndex = useSignal(0);
  const clampedIndex = Math.min(activeIndex.value, results.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  useLayoutEffect(() => {
    document.getElementById(optionId(clampedIndex))?.scrollIntoView({ block: 'nearest' });
  }, [clampedIndex, searchText.value]);
  const runCommand = (command: Command | undefined) => {
    if (!command) return;
    // Closing restores the focus, so close before the command moves it.
    dialog.current!.close();
    remember(command);
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignore keys during IME composition.
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step)
      activeIndex.value = (clampedIndex + step + results.length) % Math.max(results.length, 1);
    else if (event.key === 'Enter') runCommand(results[clampedIndex]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette at-top"
      aria-label={t('Search')}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current!.close()}
    >
      <div class="palette-field">
        <Icon path={ICON_PATHS.search} />
        <input
          type="text"
          role="combobox"
          aria-label={t('Search screens, members and your page')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={results.length > 0 ? optionId(clampedIndex) : undefined}
          placeholder={t('Search or jump to…')}
          autocomplete="off"
          spellcheck={false}
          value={searchText.value}
          onInput={({ currentTarget }) => {
            searchText.value = currentTarget.value;
            activeIndex.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="icon-button" onClick={() => dialog.current!.close()}>
          <Icon path={ICON_PATHS.close} />
          <span class="visually-hidden">{t('Close')}</span>
        </button>
      </div>
      <Results
        id={id}
        results={results}
        searchText={searchText.value}
        selectedIndex={clampedIndex}
        onSelect={(index) => (activeIndex.value = index)}
        onRun={runCommand}
      />
      <div class={results.length > 0 ? 'visually-hidden' : 'empty'} role="status">
        {results.length > 0 ? (
          t('{count, plural, one {# result} other {# results}}', { count: results.length })
        ) : (
          <NoResults searchText={searchText.value.trim()} members={members} />
        )}
      </div>
    </dialog>
  );
}

function Results({
  id,
  results,
  searchText,
  selectedIndex,
  onSelect,
  onRun,
}: {
  id: string;
  results: readonly Command[];
  searchText: string;
  selectedIndex: number;
  onSelect: (index: number) => void;
  onRun: (command: Command) => void;
}) {
  return (
    <div
      id={`${id}-list`}
      class="palette-list"
      tabIndex={-1}
      role="listbox"
      aria-label={t('Results')}
    >
      {groupCommands(results).map(([group, commands]) => (
        <div key={group} role="group" aria-label={group}>
          <p class="palette-group" aria-hidden="true">
            {group}
          </p>
          {commands.map((command) => {
            const index = results.indexOf(command);
            return (
              <Option
                key={commandKey(command)}
                id={`${id}-${index}`}
                command={command}
                searchText={searchText}
                isSelected={index === selectedIndex}
                onSelect={() => onSelect(index)}
                onRun={() => onRun(command)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

function useSearch() {
  const searchText = useSignal('');
  // The palette may open before the account is loaded.
  const accountCommandsState = useAsync(loadAccountCommands, [hasDeveloperTools.value]);
  const members = useAsync(() => findMembers(searchText), [searchText.value, isOperator.value], {
    keepsOldValue: true,
  });
  const results = search(
    [...builtInCommands(), ...(accountCommandsState.value ?? [])],
    searchText.value,
    members.value,
  );
  return { searchText, results, members };
}

function remember(command: Command): void {
  const key = commandKey(command);
  recentKeys = [key, ...recentKeys.filter((recent) => recent !== key)].slice(0, MAX_RECENT);
}

function Option({
  id,
  command: { icon, title, hint },
  searchText,
  isSelected,
  onSelect,
  onRun,
}: {
  id: string;
  command: Command;
  searchText: string;
  isSelected: boolean;
  onSelect: () => void;
  onRun: () => void;
}) {
  return (
    <div
      id={id}
      class="palette-option"
      role="option"
      aria-selected={isSelected}
      onPointerMove={onSelect}
      onClick={onRun}
    >
      <Icon path={icon} />
      <span class="strong grow ellipsis">
        {splitMatches(title, searchText).map((part, index) =>
          index % 2 ? <mark key={index}>{part}</mark> : part,
        )}
      </span>
      {hint && <span class="hint ellipsis">{hint}</span>}
    </div>
  );
}

function NoResults({
  searchText,
  members,
}: {
  searchText: string;
  members: AsyncState<FoundMembers | undefined>;
}) {
  if (members.isLoading) return <p class="muted">{t('Searching…')}</p>;
  if (members.failure !== undefined) return <p class="strong">{members.failure}</p>;
  return (
    <>
      <p class="strong">{t('Nothing found for “{text}”', { text: searchText })}</p>
      <p class="muted">{t('Search for a screen or text on your page.')}</p>
    </>
  );
}

async function loadAccountCommands(): Promise<Command[]> {
  const isDeveloper = hasDeveloperTools.peek();
  const [{ blocks }, { projects }, { keys }] = await Promise.all([
    api.site.getSiteConfiguration(),
    isDeveloper ? api.stats.getProjects() : { projects: [] },
    isDeveloper ? owner.keys.listKeys() : { keys: [] },
  ]);
  return [...blockCommands((blocks ?? []) as Block[]), ...accountCommands(projects, keys)];
}

interface FoundMembers {
  searchText: string;
  commands: Command[];
}

/** Asks the server once the operator stops typing. */
async function findMembers(typed: Signal<string>): Promise<FoundMembers | undefined> {
  const searchText = typed.peek();
  const prefix = searchText.trim().replace(/^@/, '');
  if (!isOperator.peek() || prefix === '') return undefined;
  await new Promise((resolve) => setTimeout(resolve, SEARCH_DEBOUNCE_MS));
  if (searchText !== typed.peek()) return undefined;
  const { members } = await owner.members.listMembers({ search: prefix });
  return { searchText, commands: memberCommands(members.slice(0, MAX_MEMBERS)) };
}

function commandKey({ title, hint = '' }: Command): string {
  return `${title} ${hint}`;
}

/** Up to `MAX_RESULTS` matching commands, by group. The group with the best match comes first. */
function search(
  commands: readonly Command[],
  searchText: string,
  members: FoundMembers | undefined,
): Command[] {
  if (searchText.trim() === '') {
    const listed = commands.filter(({ isSearchOnly }) => !isSearchOnly);
    const recent = recentKeys.flatMap(
      (key) => commands.find((command) => commandKey(command) === key) ?? [],
    );
    return [
      ...recent.map((command) => ({ ...command, group: t('Recent') })),
      ...listed.filter((command) => !recent.includes(command)),
    ].slice(0, MAX_RESULTS);
  }
  const scoreOf = ({ title, hint = '', keywords = hint }: Command) =>
    matchScore(title, keywords, searchText);
  const matches = [
    ...commands.map((command) => ({ command, score: scoreOf(command) })),
    // The server also finds members by their email address.
    ...(members?.commands ?? []).map((command) => ({
      command,
      score: scoreOf(command) ?? (members?.searchText === searchText ? 0 : undefined),
    })),
  ].filter((match): match is { command: Command; score: number } => match.score !== undefined);
  const sorted = matches.toSorted((a, b) => a.score - b.score).map(({ command }) => command);
  return groupCommands(sorted)
    .flatMap(([, groupedCommands]) => groupedCommands)
    .slice(0, MAX_RESULTS);
}

function groupCommands(commands: readonly Command[]): [string, Command[]][] {
  return [...Map.groupBy(commands, ({ group }) => group)];
}
