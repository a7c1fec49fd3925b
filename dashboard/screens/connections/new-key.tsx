import type { Signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { ShownOnce } from '#dashboard/components/shown-once.tsx';
import { t } from '#dashboard/translate.ts';

/** The key of a webhook that was just created. */
export interface NewSecret {
  id: string;
  secret: string;
}

/** Shows the signing key, and the rules for receivers. */
export function NewKey({ newSecret }: { newSecret: Signal<NewSecret | undefined> }) {
  return (
    <ShownOnce
      title={t('Give this key to whoever runs the program')}
      secret={newSecret.value!.secret}
      copyLabel={t('Copy key')}
      onDone={() => (newSecret.value = undefined)}
    >
      <p>
        {t(
          'Check the signature with the key, and answer each event with a 2xx status within 10 seconds. Anything else is tried again for three days.',
        )}{' '}
        <a href="/docs/#webhooks" target="_blank">
          {t('Webhooks in the API reference')}
        </a>
      </p>
    </ShownOnce>
  );
}

export async function createSecret(
  id: string,
  newSecret: Signal<NewSecret | undefined>,
): Promise<void> {
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
