import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import { type Member, memberName } from './labels.ts';
import './selection.css';

/** Ids of the selected members. */
export type Selection = Signal<readonly string[]>;

export function SelectMember({ member, selection }: { member: Member; selection: Selection }) {
  const { id } = member;
  return (
    <input
      type="checkbox"
      aria-label={t('Select {name}', { name: memberName(member) })}
      checked={selection.value.includes(id)}
      onChange={() =>
        (selection.value = [...new Set(selection.value).symmetricDifference(new Set([id]))])
      }
    />
  );
}

/** Stays visible while the operator selects further up. `children` are the actions. */
export function SelectedMembers({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ComponentChildren;
}) {
  return (
    <section class="row selected-members" aria-label={t('Selected people')}>
      <strong>{t('{count, number} selected', { count })}</strong>
      {children}
      <button type="button" class="icon-button" aria-label={t('Clear selection')} onClick={onClear}>
        <Icon path={ICON_PATHS.close} />
      </button>
    </section>
  );
}
