import { t } from '#dashboard/translate.ts';
import { ACCOUNT_STATES, type Account } from './labels.ts';

export function AccountState({
  account: { state, operator },
}: {
  account: Pick<Account, 'state' | 'operator'>;
}) {
  const [text, pill] = ACCOUNT_STATES[state as keyof typeof ACCOUNT_STATES];
  return (
    <span class="row">
      {(state !== 'active' || !operator) && <span class={pill}>{text}</span>}
      {operator && <span class="pill">{t('Operator')}</span>}
    </span>
  );
}
