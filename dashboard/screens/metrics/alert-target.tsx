import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { WebhookFields } from '#dashboard/components/webhook-fields.tsx';
import { t } from '#dashboard/translate.ts';

type Alert = ResponseOf<typeof owner.alerts.listAlerts>['alerts'][number];
/** The connections, and the confirmed address, which may still need one. */
export type AlertTargets = ResponseOf<typeof owner.connections.listConnections>;

/** Other option values are ids of connections. */
const ALL_OPTION = '';
const EMAIL_OPTION = 'email';
const NEW_WEBHOOK_OPTION = 'new';

export function describeTarget({ connection_id }: Alert, { connections }: AlertTargets): string {
  const connection = connections.find(({ id }) => id === connection_id);
  return connection?.name ?? t('All connections that carry alerts');
}

/** The chosen target of the form. `save` creates a new connection, and returns the fields of the alert. */
export function useAlertTarget(
  alert: Alert | undefined,
  { email, connections, available }: AlertTargets,
) {
  const created = useSignal<AlertTargets['connections']>([]);
  const all = [...connections, ...created.value];
  const options = [
    ...(email === null || all.some(({ kind }) => kind === 'email')
      ? []
      : [[EMAIL_OPTION, email] as const]),
    ...all.map(({ id, name }) => [id, name] as const),
    ...(available ? [[NEW_WEBHOOK_OPTION, t('A new Discord webhook…')] as const] : []),
    [ALL_OPTION, t('All connections that carry alerts')] as const,
  ];
  const current = alert && (alert.connection_id ?? ALL_OPTION);
  const option = useSignal((options.find(([id]) => id === current) ?? options[0]!)[0]);
  const webhookName = useSignal('');
  const webhookUrl = useSignal('');
  const save = async () => {
    if (option.value === NEW_WEBHOOK_OPTION || option.value === EMAIL_OPTION) {
      const fields =
        option.value === EMAIL_OPTION
          ? { kind: 'email' as const, name: t('Email') }
          : {
              ...{ kind: 'discord' as const, name: webhookName.value.trim() },
              url: webhookUrl.value.trim(),
            };
      const { connection } = await owner.connections.createConnection({
        ...fields,
        event_types: [],
      });
      // Select it, so that submitting again after an error does not create it twice.
      created.value = [...created.value, connection];
      option.value = connection.id;
    }
    return { connection_id: option.value || null };
  };
  return { options, option, webhookName, webhookUrl, save };
}

export function AlertTargetFields({
  target: { options, option, webhookName, webhookUrl },
}: {
  target: ReturnType<typeof useAlertTarget>;
}) {
  return (
    <>
      <BoundField
        signal={option}
        name="connection_id"
        label={t('Send a message to')}
        options={options}
      />
      {option.value === NEW_WEBHOOK_OPTION && <WebhookFields name={webhookName} url={webhookUrl} />}
    </>
  );
}
