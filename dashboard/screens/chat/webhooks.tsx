import { signal } from '@preact/signals';
import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { confirm } from '#dashboard/components/confirm.tsx';
import { showDialog } from '#dashboard/components/dialog.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Empty } from '#dashboard/components/async-content.tsx';
import { TimeAgo } from '#dashboard/components/time.tsx';
import { WEBHOOK_FIELDS, WebhookFields } from '#dashboard/components/webhook-fields.tsx';
import { t } from '#dashboard/translate.ts';

type ConnectionList = ResponseOf<typeof owner.connections.listConnections>;

export function Webhooks({
  webhookList: { connections: webhooks, available },
  onChange,
}: {
  webhookList: ConnectionList;
  onChange: () => void;
}) {
  return (
    <section class="card">
      <div class="card-head">
        <h2>{t('Webhooks')}</h2>
        {available && (
          <button type="button" onClick={() => addWebhook(onChange)}>
            <Icon path={ICON_PATHS.plus} />
            {t('Add webhook')}
          </button>
        )}
      </div>
      {webhooks.length === 0 ? (
        <Empty icon={ICON_PATHS.link} title={t('No webhooks stored')}>
          <p class="muted">
            {available
              ? t('Store a Discord webhook, encrypted, to choose it by name here and in alerts.')
              : t('Your administrator has to set ENCRYPTION_KEY before you can store webhooks.')}
          </p>
        </Empty>
      ) : (
        <ul class="row-list">
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} onDeleted={onChange} />
          ))}
        </ul>
      )}
    </section>
  );
}

function addWebhook(onAdded: () => void): void {
  const name = signal('');
  const url = signal('');
  void showDialog(t('Add webhook'), (close) => (
    <Form
      fields={WEBHOOK_FIELDS}
      submitLabel={t('Add webhook')}
      onCancel={close}
      onSubmit={async () => {
        const input = { name: name.value.trim(), url: url.value.trim() };
        await owner.connections.createConnection({ kind: 'discord', event_types: [], ...input });
        showMessage(t('Added the webhook.'));
        close();
        onAdded();
      }}
    >
      <WebhookFields name={name} url={url} />
    </Form>
  ));
}

function WebhookRow({
  webhook: { id: connection_id, name, created_at },
  onDeleted,
}: {
  webhook: ConnectionList['connections'][number];
  onDeleted: () => void;
}) {
  const remove = async () => {
    const title = t('Delete {name}?', { name });
    const text = t('You can no longer send messages with it. The webhook still exists in Discord.');
    if (!(await confirm({ title, text, action: t('Delete') }))) return;
    if (!(await withErrorMessage(owner.connections.deleteConnection({ connection_id })))) return;
    showMessage(t('Deleted {name}.', { name }));
    onDeleted();
  };
  return (
    <li class="row">
      <div class="grow">
        <p class="strong">{name}</p>
        <p class="hint">
          {t.rich('Discord, added <time></time>', { time: () => <TimeAgo time={created_at} /> })}
        </p>
      </div>
      <button
        type="button"
        class="quiet danger"
        aria-label={t('Delete {name}', { name })}
        onClick={() => void remove()}
      >
        {t('Delete')}
      </button>
    </li>
  );
}
