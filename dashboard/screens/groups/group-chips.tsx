import { owner } from '#dashboard/api/api.ts';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useReloadOnFocus } from '#dashboard/components/use-reload-on-focus.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import type { Group } from './group-form.tsx';
import { GroupDot } from './group-pill.tsx';

/** Groups are made in another tab, so that a form keeps what was entered. */
export function useGroups() {
  const state = useAsync(() => owner.groups.listGroups());
  useReloadOnFocus(state.reload);
  return state;
}

export function CreateGroupFirst() {
  return (
    <p class="hint">
      <a href={dashboardHref('operator/members/groups')} target="_blank" rel="noreferrer">
        {t('Create a group first')}
      </a>
    </p>
  );
}

export function GroupChips({
  label,
  chosen,
  onChange,
}: {
  /** For screen readers. */
  label: string;
  /** Ids. */
  chosen: readonly string[];
  onChange: (groups: Group[]) => void;
}) {
  const groups = useGroups().value?.groups;
  if (groups?.length === 0) return <CreateGroupFirst />;
  const toggle = (id: string) => {
    const ids = new Set(chosen).symmetricDifference(new Set([id]));
    onChange(groups!.filter((group) => ids.has(group.id)));
  };
  return (
    <div class="chips" role="group" aria-label={label}>
      {groups?.map(({ id, name, color, members }) => (
        <button
          key={id}
          type="button"
          class="chip"
          aria-pressed={chosen.includes(id)}
          onClick={() => toggle(id)}
        >
          <GroupDot color={color} />
          {name} <span class="muted">{members}</span>
        </button>
      ))}
    </div>
  );
}
