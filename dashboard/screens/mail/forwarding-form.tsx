import { useSignal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { t } from '#dashboard/translate.ts';
import { type Forwarding, describeForwarding } from './forwarding-text.ts';

export function ForwardingForm({ state, onDone }: { state: Forwarding; onDone: () => void }) {
  const isOn = useSignal(state.enabled);
  const email = useSignal(state.email ?? '');
  const newEmail = email.value.trim();
  const input = {
    enabled: isOn.value,
    ...(newEmail && newEmail !== state.email && { email: newEmail }),
  };
  return (
    <Form
      fields={['email', 'enabled']}
      submitLabel={t('Save')}
      onSubmit={async () => {
        await api.emailForwarding.emailForwardingToggle(input);
        showMessage(describeForwarding(await owner.forwarding.getForwarding()));
        onDone();
      }}
    >
      <Switch label={t('Forward mail')} checked={isOn.value} onChange={(on) => (isOn.value = on)} />
      <BoundField
        signal={email}
        type="email"
        name="email"
        label={t('Email address')}
        autocomplete="email"
        placeholder="jane@example.com"
        hint={t('The address is kept when you turn forwarding off.')}
      />
    </Form>
  );
}
