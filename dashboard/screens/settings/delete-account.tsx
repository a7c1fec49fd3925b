import { useSignal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { isOperator } from '#dashboard/current-account.ts';
import { displayName } from '#dashboard/display-name.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { currentAccountId, leaveDeletedAccount } from '#dashboard/session.ts';
import { SettingRow } from './setting-row.tsx';
import { t } from '#dashboard/translate.ts';

/** The user has to type the name of the account, and needs a recent login. */
export function DeleteAccount() {
  const isDialogOpen = useSignal(false);
  const nameInput = useSignal('');
  const input = { confirm: nameInput.value.trim() };
  const name = displayName.value;
  const close = () => {
    isDialogOpen.value = false;
    nameInput.value = '';
  };
  return (
    <SettingRow
      title={t('Delete your account')}
      text={t('Your name, your page and everything else, for good.')}
    >
      <button type="button" class="quiet danger" onClick={() => (isDialogOpen.value = true)}>
        {t('Delete my account')}
      </button>
      {isDialogOpen.value && (
        <Dialog title={t('Delete your account?')} onCancel={close}>
          <p>
            {t(
              'Your name, your page and everything else in your account will be deleted at once. You cannot undo this. Export your data first if you want to keep it.',
            )}
          </p>
          {isOperator.value && (
            <p class="note">
              {t('The only operator cannot leave: make another member an operator first.')}
            </p>
          )}
          <Form
            fields={['confirm']}
            submitLabel={t('Delete my account')}
            isDangerous
            onCancel={close}
            onSubmit={async () => {
              await owner.account.deleteAccount(input);
              leaveDeletedAccount();
            }}
          >
            <BoundField
              signal={nameInput}
              name="confirm"
              label={t('Type {name} to confirm', { name: name || currentAccountId.value! })}
              autocomplete="off"
              spellcheck={false}
            />
          </Form>
        </Dialog>
      )}
    </SettingRow>
  );
}
