import { useSignal } from '@preact/signals';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { owner } from '#dashboard/api/api.ts';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { t } from '#dashboard/translate.ts';
import { type Account, accountName } from './labels.ts';

export function SuspendDialog({
  account,
  onCancel,
  onDone,
}: {
  account: Pick<Account, 'account_id' | 'display_name' | 'state'>;
  onCancel: () => void;
  onDone: () => void;
}) {
  const reason = useSignal('');
  const name = accountName(account);
  const accountId = account.account_id;
  const isActive = account.state === 'active';
  const change = async () => {
    if (isActive)
      await owner.operator.suspendAccount({ account_id: accountId, reason: reason.value.trim() });
    else await owner.operator.resumeAccount({ account_id: accountId });
    showMessage(isActive ? t('Suspended {name}.', { name }) : t('Resumed {name}.', { name }));
    // The report count in the menu: suspending closes reports.
    loadCurrentAccount().catch(() => undefined);
    onDone();
  };
  return (
    <Dialog
      title={isActive ? t('Suspend {name}?', { name }) : t('Resume {name}?', { name })}
      onCancel={onCancel}
    >
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {isActive
            ? t(
                'Its page is hidden, its API keys and sessions stop working, and mail forwarding stops. Nothing is deleted.',
              )
            : t('Its page, API keys and mail work again. The owner has to log in again.')}
        </p>
        <Form
          fields={['reason']}
          submitLabel={isActive ? t('Suspend account') : t('Resume account')}
          isDangerous={isActive}
          onCancel={onCancel}
          onSubmit={change}
        >
          {isActive && (
            <BoundField
              signal={reason}
              name="reason"
              label={t('Reason')}
              hint={t('The member gets it by mail, if there is a confirmed address.')}
              maxLength={500}
              required
            />
          )}
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}
