import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
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
    if (isActive) await owner.operator.suspendAccount({ accountId, reason: reason.value.trim() });
    else await owner.operator.resumeAccount({ accountId });
    showMessage(`${isActive ? 'Suspended' : 'Resumed'} ${name}.`);
    onDone();
  };
  return (
    <Dialog title={`${isActive ? 'Suspend' : 'Resume'} ${name}?`} onCancel={onCancel}>
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {isActive
            ? 'Its page is hidden, its API keys and sessions stop working, and mail forwarding stops. Nothing is deleted.'
            : 'Its page, API keys and mail work again. The owner has to log in again.'}
        </p>
        <Form
          fields={['reason']}
          submitLabel={isActive ? 'Suspend account' : 'Resume account'}
          isDangerous={isActive}
          onCancel={onCancel}
          onSubmit={change}
        >
          {isActive && (
            <BoundField
              signal={reason}
              name="reason"
              label="Reason"
              hint="Only operators see this."
              maxLength={500}
              required
            />
          )}
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}
