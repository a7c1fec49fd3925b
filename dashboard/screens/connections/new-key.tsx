import type { Signal } from '@preact/signals';
import { isServerEvent } from '#contract/shared/event-types.ts';
import { owner } from '#dashboard/api/api.ts';
import { Code } from '#dashboard/components/code.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { ShownOnce } from '#dashboard/components/shown-once.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import type { Connection } from './connection-state.ts';

/** The key of a webhook that was just created. */
export interface NewSecret {
  id: string;
  secret: string;
}

interface NewKeyProps {
  connection: Connection;
  newSecret: Signal<NewSecret | undefined>;
}

/** Shows the signing key, the rules for receivers and a sample event. */
export function NewKey({ connection: { name, event_types }, newSecret }: NewKeyProps) {
  const type = event_types[0] ?? 'test';
  const docs = isServerEvent(type) ? '/docs/owner/' : '/docs/';
  const href = new URL(`${docs}#webhooks`, location.origin).href;
  const sample = useAsync(() => loadSample(type), [type]).value;
  const { secret } = newSecret.value!;
  const rules = [
    t('Answer each event with a 2xx status within 10 seconds.'),
    t('Anything else is tried again for three days.'),
    t('Check the signature with the key.'),
  ].join(' ');
  const handover = [name, secret, href, rules, sample].filter(Boolean).join('\n\n');
  return (
    <ShownOnce
      title={t('Give this key to whoever runs the program')}
      secret={secret}
      copyLabel={t('Copy key')}
      onDone={() => (newSecret.value = undefined)}
    >
      <p>
        {rules}{' '}
        <a href={href} target="_blank">
          {t('Webhooks in the API reference')}
        </a>
      </p>
      {sample && <Code text={sample} label={t('example')} />}
      <div class="row">
        <CopyButton text={handover} label={t('Copy all')} />
      </div>
    </ShownOnce>
  );
}

/** The example of the API reference. Undefined if it cannot be loaded. */
async function loadSample(type: Connection['event_types'][number] | 'test') {
  const file = isServerEvent(type) ? '/owner/openapi.json' : '/openapi.json';
  const response = await fetch(file).catch(() => undefined);
  if (!response?.ok) return undefined;
  const { webhooks } = (await response.json()) as { webhooks: Record<string, Webhook> };
  const { examples } = webhooks[type]!.post.requestBody.content['application/json'];
  return JSON.stringify(examples[type]!.value, null, 2);
}

interface Webhook {
  post: {
    requestBody: {
      content: { 'application/json': { examples: Record<string, { value: unknown }> } };
    };
  };
}

export async function createSecret(id: string, newSecret: NewKeyProps['newSecret']): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Create a new key?'),
    text: t(
      'It is shown once. Both keys are valid for 24 hours, so that you can replace the old one in your program without a gap.',
    ),
    action: t('Create new key'),
    isDangerous: false,
  });
  if (!isConfirmed) return;
  const request = owner.connections.createSecret({ connection_id: id });
  const { secret } = (await withErrorMessage(request)) ?? {};
  if (secret) newSecret.value = { id, secret };
}
