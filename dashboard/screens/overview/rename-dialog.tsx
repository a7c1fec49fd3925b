import { useSignal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { loadDisplayName } from '#dashboard/display-name.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { NameField, useNameCheck } from '#dashboard/components/name-field.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { pagesUrl } from '#dashboard/session.ts';

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
    <Dialog title="Change your name" onCancel={onCancel}>
      <Form
        fields={['display_name']}
        submitLabel="Change name"
        isDangerous
        onCancel={onCancel}
        onSubmit={async () => {
          await api.account.updateDisplayName(input);
          const name = await loadDisplayName();
          showMessage(
            `Your name is now ${name}.${hasMail ? ' Mail forwarding is off. Turn it on again under Mail.' : ''}`,
          );
          onDone();
        }}
      >
        <NameField
          signal={nameInput}
          nameCheck={nameCheck}
          label="New name"
          hint="At least three letters, digits or hyphens."
        />
        <dl class="rename">
          <dt>Old address</dt>
          <dd>
            <s>
              {host}/@{currentName}
            </s>
          </dd>
          <dt>New address</dt>
          <dd>
            {host}/@{nameCheck?.display_name ?? '…'}
          </dd>
        </dl>
        <ul>
          <li>
            The old address does not redirect. Links and printed QR codes show “No page here”.
          </li>
          {hasMail && (
            <li>
              Mail to {forwarding!.address} is no longer forwarded. Turn forwarding on again for the
              new address under Mail.
            </li>
          )}
          <li>If your page was visible, the old name stays reserved for you for a while.</li>
        </ul>
      </Form>
    </Dialog>
  );
}
