import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { t } from '#dashboard/translate.ts';
import { type Member, memberName } from './labels.ts';
import { MEMBER_ACTIONS } from './member-actions.tsx';
import { type Selection, SelectedMembers, SelectMember } from './selection.tsx';
import { suspendMember, suspendMembers } from './suspend-member.tsx';

interface LeaverProps {
  leavers: readonly Member[];
  selection: Selection;
}

export function SelectAllLeavers({ leavers, selection }: LeaverProps) {
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

/** Suspends several members who left the group. */
export function SelectedLeavers({
  leavers,
  selection,
  onChange,
}: LeaverProps & { onChange: () => void }) {
  const selected = leavers.filter(
    (leaver) => MEMBER_ACTIONS.suspend.isFor(leaver) && selection.value.includes(leaver.id),
  );
  if (selected.length === 0) return null;
  return (
    <SelectedMembers count={selected.length}>
      <button type="button" onClick={() => void suspendMembers(selected, onChange)}>
        {t('Suspend selected')}
      </button>
    </SelectedMembers>
  );
}

/** For a member who left the group: directly in the row, unlike other actions. */
export function LeaverButtons({
  member,
  selection,
  onChange,
}: {
  member: Member;
  selection: Selection;
  onChange: () => void;
}) {
  return (
    <>
      <SelectMember member={member} selection={selection} />
      <button type="button" onClick={() => void suspendMember(member, onChange)}>
        {t.rich('Suspend<hidden> {name}</hidden>', {
          name: memberName(member),
          hidden: visuallyHidden,
        })}
      </button>
    </>
  );
}
