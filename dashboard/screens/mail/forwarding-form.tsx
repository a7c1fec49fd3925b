import { useSignal } from '@preact/signals';
import { api, owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { say } from '../../parts/messages.tsx';
import { Switch } from '../../parts/switch.tsx';
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
