import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';

const DEBOUNCE_MS = 250;

/** Calls `onSearch` when the operator has stopped typing. */
export function SearchInput({
  label,
  placeholder,
  search,
  onSearch,
}: {
  label: string;
  placeholder: string;
  search: string;
  onSearch: (search: string) => void;
}) {
  const searchText = useSignal(search);
  // The newest one: a filter chosen while the timer runs must not be undone.
  const searchRef = useRef(onSearch);
  searchRef.current = onSearch;
  useEffect(() => {
    if (searchText.value.trim() === search) return undefined;
    const timer = setTimeout(() => searchRef.current(searchText.peek().trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [searchText.value]);
  return (
    <label class="operator-search">
      <Icon path={ICON_PATHS.search} />
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        maxLength={LIMITS.email}
        spellcheck={false}
        autocomplete="off"
        value={searchText.value}
        onInput={({ currentTarget }) => (searchText.value = currentTarget.value)}
      />
    </label>
  );
}
