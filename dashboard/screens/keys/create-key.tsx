import { DAY_MS } from '../../../contract/durations.ts';
import { useSignal } from '@preact/signals';
import type { Scope } from '../../../contract/scope.ts';
import { owner } from '../../api/api.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';

const SCOPES = [
  ['all', 'Full access'],
  ['read', 'Read only'],
  ['metrics', 'Send metrics only'],
] as const;

const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

/** Makes a key; its secret is handed over once, and kept by nobody. */
export function CreateKey({ onMade }: { onMade: (secret: string) => void }) {
  const label = useSignal('');
  const scope = useSignal<string>('all');
  const days = useSignal('');
  const inputNow = () => ({
    ...(label.value.trim() && { label: label.value.trim() }),
    scope: scope.value as Scope,
    ...(days.value && { expiresAt: inDays(Number(days.value)) }),
  });
  return (
    <>
      <Form
        fields={['label', 'scope', 'expiresAt']}
        submit="Create key"
        onSubmit={async () => {
          const { api_key: secret } = await owner.keys.createKey(inputNow());
          label.value = '';
          if (secret !== null) onMade(secret);
        }}
      >
        <Bound
          to={label}
          name="label"
          label="Label"
          placeholder="status page"
          maxLength={200}
          hint="Optional. Helps you recognise the key later."
        />
        <Bound to={scope} name="scope" label="Scope" options={SCOPES} />
        <Bound to={days} name="expiresAt" label="Expires" options={EXPIRIES} />
      </Form>
      <ApiCall endpoint="keys.createKey" input={inputNow()} />
    </>
  );
}

/** Midnight, so that the same form sent again is the same call. */
function inDays(days: number): string {
  const time = new Date(Date.now() + days * DAY_MS);
  time.setUTCHours(0, 0, 0, 0);
  return time.toISOString();
}
