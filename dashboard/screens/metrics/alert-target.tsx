import { useSignal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { BoundField } from '#dashboard/components/field.tsx';
import { WebhookFields } from '#dashboard/components/webhook-fields.tsx';
import { t } from '#dashboard/translate.ts';

type Alert = ResponseOf<typeof owner.alerts.listAlerts>['alerts'][number];
type WebhookList = ResponseOf<typeof owner.webhooks.listWebhooks>;

/** What alerts can be sent to: the confirmed address, and stored webhooks. */
export interface AlertTargets extends WebhookList {
  address: string | null;
}

/** Other option values are webhook ids. */
const NEW_WEBHOOK_OPTION = 'new';
const EMAIL_OPTION = '';

export function describeTarget({ webhook_id }: Alert, { webhooks }: AlertTargets): string {
  return webhooks.find((webhook) => webhook.id === webhook_id)?.name ?? t('Email');
}

/** The chosen target of the form. `save` stores a new webhook, and returns the fields of the alert. */
export function useAlertTarget(
  alert: Alert | undefined,
  { address, webhooks, available }: AlertTargets,
) {
  const createdWebhooks = useSignal<WebhookList['webhooks']>([]);
  const options = [
    ...(address === null ? [] : [[EMAIL_OPTION, address] as const]),
    ...[...webhooks, ...createdWebhooks.value].map(
      ({ id, name: text }) => [id, `${text} (Discord)`] as const,
    ),
    ...(available ? [[NEW_WEBHOOK_OPTION, t('A new Discord webhook…')] as const] : []),
  ];
  const current = alert && (alert.webhook_id ?? EMAIL_OPTION);
  // If there are no targets, the server responds with the reason.
  const option = useSignal(
    (options.find(([id]) => id === current) ?? options[0] ?? [EMAIL_OPTION])[0],
  );
  const webhookName = useSignal('');
  const webhookUrl = useSignal('');
  const save = async () => {
    if (option.value === NEW_WEBHOOK_OPTION) {
      const input = { name: webhookName.value.trim(), webhook_url: webhookUrl.value.trim() };
      const { webhook } = await owner.webhooks.createWebhook(input);
      // Select the new webhook, so that submitting again after an error does not create it twice.
      createdWebhooks.value = [...createdWebhooks.value, webhook];
      option.value = webhook.id;
    }
    return { webhook_id: option.value || null };
  };
  return { options, option, webhookName, webhookUrl, save };
}

export function AlertTargetFields({
  target: { options, option, webhookName, webhookUrl },
}: {
  target: ReturnType<typeof useAlertTarget>;
}) {
  if (options.length === 0)
    return (
      <p class="note">
        {t('Confirm a forwarding address first, so that alerts can be mailed to it.')}
      </p>
    );
  return (
    <>
      <BoundField
        signal={option}
        name="webhook_id"
        label={t('Send a message to')}
        options={options}
      />
      {option.value === NEW_WEBHOOK_OPTION && <WebhookFields name={webhookName} url={webhookUrl} />}
    </>
  );
}
