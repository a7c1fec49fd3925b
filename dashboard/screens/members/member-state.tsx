import { t } from '#dashboard/translate.ts';
import { MEMBER_STATES, type Member } from './labels.ts';

export function MemberState({
  member: { state, operator },
  activeClass = 'muted',
}: {
  member: Pick<Member, 'state' | 'operator'>;
  activeClass?: string;
}) {
  const { text, pillClass } = MEMBER_STATES[state as keyof typeof MEMBER_STATES];
  return (
    <span class="row">
      {(state !== 'active' || !operator) && (
        <span class={state === 'active' ? activeClass : pillClass}>{text}</span>
      )}
      {operator && <span class="pill">{t('Operator')}</span>}
    </span>
  );
}
