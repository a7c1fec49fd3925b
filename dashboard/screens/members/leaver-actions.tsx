import type { Signal } from '@preact/signals';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { t } from '#dashboard/translate.ts';
import { type Member, memberName } from './labels.ts';
import { MEMBER_ACTIONS } from './member-actions.tsx';
import { suspendMember, suspendMembers } from './suspend-member.tsx';

/** Suspends several members who left the group. */
export function LeaverActions({
  leavers,
  chosen,
  onChange,
}: {
  leavers: readonly Member[];
  chosen: Signal<readonly string[]>;
  onChange: () => void;
}) {
  const active = leavers.filter(MEMBER_ACTIONS.suspend.isFor);
  const selected = active.filter(({ id }) => chosen.value.includes(id));
  if (active.length < 2) return null;
  const areAll = selected.length === active.length;
  return (
    <div class="row operator-leavers">
      <label class="row">
        <input
          type="checkbox"
          checked={areAll}
          onChange={() => (chosen.value = areAll ? [] : active.map(({ id }) => id))}
        />
        <span>{t('Select all')}</span>
      </label>
      {selected.length > 0 && (
        <strong>{t('{count, number} selected', { count: selected.length })}</strong>
      )}
      <button
        type="button"
        disabled={selected.length === 0}
        onClick={() => void suspendMembers(selected, onChange)}
      >
        {t('Suspend selected')}
      </button>
    </div>
  );
}

/** For a member who left the group: directly in the row, unlike other actions. */
export function LeaverButtons({
  member,
  chosen,
  onChange,
}: {
  member: Member;
  chosen: Signal<readonly string[]>;
  onChange: () => void;
}) {
  const { id } = member;
  const name = memberName(member);
  return (
    <>
      <input
        type="checkbox"
        aria-label={t('Select {name}', { name })}
        checked={chosen.value.includes(id)}
        onChange={() =>
          (chosen.value = [...new Set(chosen.value).symmetricDifference(new Set([id]))])
        }
      />
      <button type="button" onClick={() => void suspendMember(member, onChange)}>
        {t.rich('Suspend<hidden> {name}</hidden>', { name, hidden: visuallyHidden })}
      </button>
    </>
  );
}
