import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { t } from '#dashboard/translate.ts';
import { type Member, memberName } from './labels.ts';
import { MEMBER_ACTIONS } from './member-actions.tsx';
import type { Selection } from './selection.tsx';
import { suspendMember, suspendMembers } from './suspend-member.tsx';

export function SelectAllLeavers({
  leavers,
  selection,
}: {
  leavers: readonly Member[];
  selection: Selection;
}) {
  const active = leavers.filter(MEMBER_ACTIONS.suspend.isFor);
  if (active.length < 2) return null;
  const areAll = active.every(({ id }) => selection.value.includes(id));
  return (
    <label class="row select-all">
      <input
        type="checkbox"
        checked={areAll}
        onChange={() => (selection.value = areAll ? [] : active.map(({ id }) => id))}
      />
      <span>{t('Select all')}</span>
    </label>
  );
}

export function SuspendLeavers({
  leavers,
  onChange,
}: {
  leavers: readonly Member[];
  onChange: () => void;
}) {
  return (
    <button type="button" onClick={() => void suspendMembers(leavers, onChange)}>
      {t('Suspend selected')}
    </button>
  );
}

/** For a member who left the group: directly in the row, unlike other actions. */
export function SuspendLeaver({ member, onChange }: { member: Member; onChange: () => void }) {
  return (
    <button type="button" onClick={() => void suspendMember(member, onChange)}>
      {t.rich('Suspend<hidden> {name}</hidden>', {
        name: memberName(member),
        hidden: visuallyHidden,
      })}
    </button>
  );
}
