import type { Signal } from '@preact/signals';
import { owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { formatMoment } from '#dashboard/components/format-time-ago.ts';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { ShownOnce } from '#dashboard/components/shown-once.tsx';
import { t } from '#dashboard/translate.ts';
import type { Connection } from './connection-state.ts';

/** The key of a webhook that was just created. */
export interface NewSecret {
  id: string;
  secret: string;
}

/** Shows the signing key, and the rules for receivers. */
export function NewKey({ newSecret }: { newSecret: Signal<NewSecret | undefined> }) {
  return (
    <ShownOnce
      title={t('Signing key for your program')}
      secret={newSecret.value!.secret}
      copyLabel={t('Copy signing key')}
      onDone={() => (newSecret.value = undefined)}
    >
      <p>
        {t.rich(
          'Requests are signed after Standard Webhooks: check them with any library for it or with <link>verifyWebhook of the SDK</link>. Answer with a 2xx status within 10 seconds. Anything else is tried again for three days.',
          {
            link: (text) => (
              <a href="/docs/#webhooks" target="_blank">
                {text}
              </a>
            ),
          },
        )}
      </p>
    </ShownOnce>
  );
}

export async function createSecret(
  { id, former_secret_until: until }: Pick<Connection, 'id' | 'former_secret_until'>,
  newSecret: Signal<NewSecret | undefined>,
): Promise<void> {
  const isConfirmed = await confirm({
    title: t('Create a new signing key?'),
    text: [
      t(
        'It is shown once. The key in use stays valid for 24 hours, so that you can replace it in your program without a gap.',
      ),
      until !== null &&
        t('The key before that one, which is valid until {time}, ends at once.', {
          time: formatMoment(until),
        }),
    ]
      .filter(Boolean)
      .join(' '),
    action: t('Create signing key'),
    isDangerous: until !== null,
  });
  if (!isConfirmed) return;
  const request = owner.connections.createSecret({ connection_id: id });
  const { secret } = (await withErrorMessage(request)) ?? {};
  if (secret) newSecret.value = { id, secret };
}
