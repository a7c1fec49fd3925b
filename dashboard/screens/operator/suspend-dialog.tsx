import { useSignal } from '@preact/signals';
import { loadCurrentAccount } from '#dashboard/current-account.ts';
import { owner } from '#dashboard/api/api.ts';
import { RequireRecentLogin } from '#dashboard/sign-in/require-recent-login.tsx';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { instance } from '#dashboard/instance.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import { type Account, accountName } from './labels.ts';

interface DialogProps {
  account: Pick<Account, 'account_id' | 'display_name' | 'state' | 'page_suspended'>;
  onCancel: () => void;
  onDone: () => void;
}

export function SuspendDialog(props: DialogProps) {
  return <ReasonDialog {...props} isPageOnly={false} />;
}

export function HidePageDialog(props: DialogProps) {
  return <ReasonDialog {...props} isPageOnly />;
}

function ReasonDialog({
  account,
  isPageOnly,
  onCancel,
  onDone,
}: DialogProps & { isPageOnly: boolean }) {
  const reason = useSignal('');
  const name = accountName(account);
  const { account_id } = account;
  const finish = () => {
    // The report count in the menu: suspending closes reports.
    loadCurrentAccount().catch(() => undefined);
    onDone();
  };
  const suspend = async () => {
    const { account: before } = await owner.operator.getAccount({ account_id });
    await owner.operator.suspendAccount({
      account_id,
      reason: reason.value.trim(),
      page_only: isPageOnly,
    });
    const undo = async () => {
      await owner.operator.resumeAccount({ account_id, reopen_reports: true });
      finish();
      showMessage(
        isPageOnly
          ? t('The page of {name} is no longer hidden.', { name })
          : t('Resumed {name}. The member has to log in again.', { name }),
      );
    };
    finish();
    // Another operator may have done the same before. Undo would end that, too.
    const wasShown = before.state === 'active' && !(isPageOnly && before.page_suspended);
    showMessage(
      isPageOnly ? t('The page of {name} is hidden.', { name }) : t('Suspended {name}.', { name }),
      wasShown ? { label: t('Undo'), run: () => void withErrorMessage(undo()) } : undefined,
    );
  };
  return (
    <Dialog
      title={isPageOnly ? t('Hide the page of {name}?', { name }) : t('Suspend {name}?', { name })}
      onCancel={onCancel}
    >
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {isPageOnly
            ? t('Only the member and operators still see it, in the dashboard.')
            : t(
                'The member is signed out. Page, API keys and mail forwarding stop working. Nothing is deleted.',
              )}
        </p>
        <Form
          fields={['reason']}
          submitLabel={isPageOnly ? t('Hide page') : t('Suspend account')}
          isDangerous
          onCancel={onCancel}
          onSubmit={suspend}
        >
          <BoundField
            signal={reason}
            name="reason"
            label={t('Reason')}
            hint={
              isPageOnly
                ? t(
                    'The member reads it in the dashboard, and in a mail if an address is confirmed.',
                  )
                : t('The member gets it by mail, if there is a confirmed address.')
            }
            maxLength={500}
            required
          />
          {instance.value.contact === null && (
            <p class="note">
              <Icon path={ICON_PATHS.warning} />
              <span>
                {t('The member cannot answer: this server has no contact.')}{' '}
                <a href={dashboardHref('operator/appearance')}>{t('Set a contact')}</a>
              </span>
            </p>
          )}
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}

/** Ends the suspension of the account, or of its page. */
export function ResumeDialog({ account, onCancel, onDone }: DialogProps) {
  const name = accountName(account);
  const isPageOnly = account.state === 'active';
  return (
    <Dialog
      title={isPageOnly ? t('Show the page of {name}?', { name }) : t('Resume {name}?', { name })}
      onCancel={onCancel}
    >
      <RequireRecentLogin onCancel={onCancel}>
        <p>
          {isPageOnly
            ? t('It is public again if its owner published it.')
            : account.page_suspended
              ? t(
                  'Its API keys and mail work again. The member has to log in again. The page stays hidden.',
                )
              : t('Its page, API keys and mail work again. The member has to log in again.')}
        </p>
        <Form
          fields={[]}
          submitLabel={isPageOnly ? t('Show page again') : t('Resume account')}
          onCancel={onCancel}
          onSubmit={async () => {
            await owner.operator.resumeAccount({ account_id: account.account_id });
            showMessage(
              isPageOnly
                ? t('The page of {name} is no longer hidden.', { name })
                : t('Resumed {name}.', { name }),
            );
            onDone();
          }}
        >
          {null}
        </Form>
      </RequireRecentLogin>
    </Dialog>
  );
}
