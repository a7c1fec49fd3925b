import { useSignal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { NameField, useNameCheck } from '#dashboard/components/name-field.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pagesUrl } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';

export function RenameDialog({
  currentName,
  onCancel,
  onDone,
}: {
  currentName: string;
  onCancel: () => void;
  onDone: () => void;
}) {
  const nameInput = useSignal('');
  const input = { display_name: nameInput.value };
  const nameCheck = useNameCheck(nameInput, (name) => owner.account.checkDisplayName(name)).value;
  const forwarding = useAsync(() => owner.forwarding.getForwarding()).value;
  const hasMail = Boolean(forwarding?.enabled);
  const { host } = new URL(pagesUrl);
  return (
    <Dialog title={t('Change your name')} onCancel={onCancel}>
      <Form
        fields={['display_name']}
        submitLabel={t('Change name')}
        isDangerous
        onCancel={onCancel}
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const name = await loadDisplayName();
          showMessage(
            hasMail
              ? t('Your name is now {name}. Mail forwarding is off. Turn it on again under Mail.', {
                  name,
                })
              : t('Your name is now {name}.', { name }),
          );
          onDone();
        }}
      >
        <NameField
          signal={nameInput}
          nameCheck={nameCheck}
          label={t('New name')}
          hint={t('At least three letters, digits or hyphens.')}
        />
        <dl class="rename">
          <dt>{t('Old address')}</dt>
          <dd>
            <s>
              {host}/@{currentName}
            </s>
          </dd>
          <dt>{t('New address')}</dt>
          <dd>
            {host}/@{nameCheck?.display_name ?? '…'}
          </dd>
        </dl>
        <ul>
          <li>
            {t(
              'The old address does not redirect. Links and printed QR codes show “No page here”.',
            )}
          </li>
          {hasMail && (
            <li>
              {t(
                'Mail to {address} is no longer forwarded. Turn forwarding on again for the new address under Mail.',
                { address: forwarding!.address! },
              )}
            </li>
          )}
          <li>{t('If your page was visible, the old name stays reserved for you for a while.')}</li>
        </ul>
      </Form>
    </Dialog>
  );
}
