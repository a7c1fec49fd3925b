import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { LIMITS } from '#contract/shared/limits.ts';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { useDebounced } from '#dashboard/components/use-debounced.ts';

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
  const typed = useDebounced(searchText.value.trim());
  useEffect(() => {
    if (typed !== search) onSearch(typed);
  }, [typed]);
  return (
    <label class="member-search">
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
