import { t } from '#dashboard/translate.ts';
import { ACCOUNT_STATES, type Account } from './labels.ts';

export function AccountState({
  account: { state, operator },
  activeClass = 'muted',
}: {
  account: Pick<Account, 'state' | 'operator'>;
  activeClass?: string;
}) {
  const [text, pill] = ACCOUNT_STATES[state as keyof typeof ACCOUNT_STATES];
  return (
    <span class="row">
      {(state !== 'active' || !operator) && (
        <span class={state === 'active' ? activeClass : pill}>{text}</span>
      )}
      {operator && <span class="pill">{t('Operator')}</span>}
    </span>
  );
}
