import { t } from '#dashboard/translate.ts';
import type { Group } from './group-form.tsx';
import { GroupDot } from './group-pill.tsx';

const SHOWN_GROUPS = 4;

/** The largest groups, and the others in a list. */
export function GroupFilters({
  groups,
  group,
  hasCounts = false,
  onChoose,
}: {
  groups: readonly Group[];
  /** The id of the chosen one. */
  group: string | undefined;
  /** How many members each has. */
  hasCounts?: boolean;
  onChoose: (id: string | undefined) => void;
}) {
  const largest = groups.toSorted((a, b) => b.members - a.members).slice(0, SHOWN_GROUPS);
  const others = groups.filter((other) => !largest.includes(other));
  return (
    <>
      {largest.map(({ id, name, color, members }) => (
        <button
          key={id}
          type="button"
          class="chip"
          aria-pressed={id === group}
          onClick={() => onChoose(id === group ? undefined : id)}
        >
          <GroupDot color={color} />
          {name} {hasCounts && <span class="muted">{members}</span>}
        </button>
      ))}
      {others.length > 0 && (
        <select
          aria-label={t('More groups')}
          value={others.some(({ id }) => id === group) ? group : ''}
          onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
        >
          <option value="">{t('More groups')}</option>
          {others.map(({ id, name, members }) => (
            <option key={id} value={id}>
              {name} {hasCounts && members}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
