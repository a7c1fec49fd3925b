import { useSignal } from '@preact/signals';
import { api } from '#dashboard/api/api.ts';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { EmailField } from '#dashboard/components/email-field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { t } from '#dashboard/translate.ts';
import type { Forwarding } from './forwarding-text.ts';

export function ForwardDialog({
  forwarding,
  onCancel,
  onDone,
}: {
  forwarding: Forwarding;
  onCancel: () => void;
  onDone: () => void;
}) {
  const email = useSignal(forwarding.email ?? forwarding.login_email ?? '');
  return (
    <Dialog title={t('Forward mail')} onCancel={onCancel}>
      <Form
        fields={['email', 'enabled']}
        submitLabel={t('Forward')}
        onCancel={onCancel}
        onSubmit={async () => {
          const address = email.value.trim();
          await api.emailForwarding.emailForwardingToggle({
            enabled: true,
            ...(address && address !== forwarding.email && { email: address }),
          });
          onDone();
        }}
      >
        <EmailField
          signal={email}
          hint={t('An inbox you already read. Visitors of your page never see it.')}
        />
      </Form>
    </Dialog>
  );
}
