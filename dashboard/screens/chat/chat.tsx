import { signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { api, owner } from '#dashboard/api/api.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { BoundField, Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { t } from '#dashboard/translate.ts';
import './chat.css';
import { Deliveries } from './deliveries.tsx';
import { MessageFields, MessagePreview, type Payload } from './message-fields.tsx';
import { Webhooks } from './webhooks.tsx';

const FIELDS = [
  'webhookUrl',
  'payload.content',
  'payload.embeds.0.title',
  'payload.embeds.0.description',
  'payload',
];

/** The form starts empty, which the API refuses. */
const EMPTY = {} as Payload;

/** In memory only, because the URL is a secret: it allows posting to the channel. */
const webhookUrl = signal('');

function WebhookUrlField() {
  return (
    <BoundField
      signal={webhookUrl}
      type="url"
      name="webhookUrl"
      label={t('Webhook URL')}
      autocomplete="off"
      spellcheck={false}
      placeholder="https://discord.com/api/webhooks/…"
      hint={t(
        'In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL. Kept in this window until you close it.',
      )}
    />
  );
}

/** A message. The last one that was sent to a typed webhook URL can be edited. */
function useMessage(webhooks: readonly { id: string; name: string }[]) {
  const payload = useSignal<Payload | undefined>(EMPTY);
  const sentMessageId = useSignal<string>();
  /** Incremented to reset the form. */
  const resetCount = useSignal(0);
  const selectedId = useSignal<string>();
  const webhookId =
    sentMessageId.value === undefined ? selectedWebhookId(webhooks, selectedId.value) : '';
  const send = async () => {
    if (!payload.value) throw new NameplateError(t('The message must be JSON.'));
    if (webhookId !== '') {
      await owner.connections.sendMessage({ connection_id: webhookId, payload: payload.value });
      payload.value = EMPTY;
      resetCount.value += 1;
      const { name = '' } = webhooks.find(({ id }) => id === webhookId) ?? {};
      return showMessage(t('Sent to {name}.', { name }));
    }
    const input = { webhookUrl: webhookUrl.value.trim(), payload: payload.value };
    const { messageId } =
      sentMessageId.value === undefined
        ? await api.hooks.sendChatWebhook(input)
        : await api.hooks.editChatWebhook({ ...input, messageId: sentMessageId.value });
    showMessage(
      sentMessageId.value === undefined ? t('The message was sent.') : t('The message was edited.'),
    );
    sentMessageId.value = messageId;
  };
  return { payload, sentMessageId, resetCount, selectedId, webhookId, send };
}

export function Chat() {
  const heading = useRef<HTMLHeadingElement>(null);
  const sendCount = useSignal(0);
  const isJson = useSignal(false);
  const storedWebhooks = useAsync(async () => {
    const { connections, ...list } = await owner.connections.listConnections();
    return { ...list, connections: connections.filter(({ kind }) => kind === 'discord') };
  });
  const webhooks = storedWebhooks.value?.connections ?? [];
  const { payload, sentMessageId, resetCount, selectedId, webhookId, send } = useMessage(webhooks);
  return (
    <>
      <ScreenHeader
        title={t('Chat')}
        subtitle={t('Send messages to Discord channels through their webhooks.')}
      >
        {sentMessageId.value !== undefined && (
          <button
            type="button"
            onClick={() => {
              sentMessageId.value = undefined;
              // The button disappears, so move the focus.
              heading.current?.focus();
            }}
          >
            {t('Write another message')}
          </button>
        )}
      </ScreenHeader>
      <div class="main-and-side chat">
        <section class="card">
          <div class="card-head">
            <h2 ref={heading} tabIndex={-1}>
              {sentMessageId.value === undefined ? t('Send a message') : t('Edit the message')}
            </h2>
            <Switch
              label={t('Write it as JSON')}
              checked={isJson.value}
              onChange={(on) => (isJson.value = on)}
            />
          </div>
          <Form
            fields={FIELDS}
            submitLabel={sentMessageId.value === undefined ? t('Send') : t('Save changes')}
            onSubmit={() => send().finally(() => (sendCount.value += 1))}
          >
            {webhooks.length > 0 && sentMessageId.value === undefined && (
              <Field
                name="connection_id"
                label={t('Channel')}
                value={webhookId}
                onValue={(id) => (selectedId.value = id)}
                options={[
                  ...webhooks.map(({ id, name }) => [id, name] as const),
                  ['', t('Other Discord webhook…')],
                ]}
              />
            )}
            {webhookId === '' && <WebhookUrlField />}
            <MessageFields key={resetCount.value} payload={payload} isJson={isJson.value} />
          </Form>
        </section>
        <div>
          <section class="card">
            <h2>{t('In the chat')}</h2>
            <MessagePreview
              payload={payload.value}
              name={webhooks.find(({ id }) => id === webhookId)?.name ?? t('Shop')}
            />
          </section>
          <AsyncContent state={storedWebhooks}>
            {(value) => <Webhooks webhookList={value} onChange={storedWebhooks.reload} />}
          </AsyncContent>
          <Deliveries sendCount={sendCount.value} webhooks={webhooks} />
        </div>
      </div>
    </>
  );
}

/**
 * Id of the chosen webhook, by default the first stored one. Empty if the user types a URL instead.
 */
function selectedWebhookId(
  webhooks: readonly { id: string }[],
  selected: string | undefined,
): string {
  if (selected === undefined) return webhooks[0]?.id ?? '';
  return webhooks.some(({ id }) => id === selected) ? selected : '';
}
