import { useSignal } from '@preact/signals';
import { api, owner } from '#dashboard/api/api.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Bound } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { say } from '#dashboard/parts/messages.tsx';
import { Switch } from '#dashboard/parts/switch.tsx';
import { type Forwarding, stateWords } from './state-words.ts';

/** Turns forwarding on and off, and says where the mail goes. */
export function ForwardingForm({ state, onDone }: { state: Forwarding; onDone: () => void }) {
  const isOn = useSignal(state.enabled);
  const email = useSignal(state.email ?? '');
  const input = { enabled: isOn.value, ...(email.value.trim() && { email: email.value.trim() }) };
  return (
    <>
      <Form
        fields={['email', 'enabled']}
        submit="Save"
        onSubmit={async () => {
          await api.emailForwarding.emailForwardingToggle(input);
          say(stateWords(await owner.forwarding.getForwarding()));
          onDone();
        }}
      >
        <Switch label="Forward mail" on={isOn.value} onSwitch={(on) => (isOn.value = on)} />
        <Bound
          to={email}
          type="email"
          name="email"
          label="Email address"
          autocomplete="email"
          placeholder="jane@example.com"
          hint="We keep it when you turn forwarding off."
        />
      </Form>
      <ApiCall endpoint="emailForwarding.emailForwardingToggle" input={input} />
    </>
  );
}
