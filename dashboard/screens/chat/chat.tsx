import { signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { api, owner } from '#dashboard/api/api.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { ApiCall } from '#dashboard/components/api-call.tsx';
import { BoundField, Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { showMessage } from '#dashboard/components/messages.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import './chat.css';
import { Deliveries } from './deliveries.tsx';
import { MessageFields, type Payload } from './message-fields.tsx';
import { Webhooks } from './webhooks.tsx';

const FIELDS = [
  'webhookUrl',
  'payload.content',
  'payload.embeds.0.title',
  'payload.embeds.0.description',
  'payload',
];

/** In memory alone: whoever has it can write to the channel. It lasts while the dashboard is open. */
const webhookUrl = signal('');

/** Sends a message to a chat through its webhook, and edits it afterwards. */
export function Chat() {
  const payload = useSignal<Payload | undefined>({});
  const sent = useSignal<string>();
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = useSignal(0);
  /** Number of messages that left the form empty. */
  const messages = useSignal(0);
  const stored = useAsync(() => owner.webhooks.listWebhooks());
  const isJson = useSignal(false);
  const chosen = useSignal<string>();
  const known = stored.value?.webhooks ?? [];
  const webhookId = sent.value === undefined ? selectedWebhookId(known, chosen.value) : '';
  const shown = { webhookUrl: webhookUrl.value || 'https://…', payload: payload.value ?? {} };
  const send = async () => {
    if (!payload.value) throw new NameplateError('The message must be JSON.');
    if (webhookId !== '') {
      await owner.webhooks.sendMessage({ webhookId, payload: payload.value });
      payload.value = {};
      messages.value += 1;
      return showMessage('The message was sent.');
    }
    const input = { webhookUrl: webhookUrl.value.trim(), payload: payload.value };
    const { messageId } =
      sent.value === undefined
        ? await api.hooks.sendChatWebhook(input)
        : await api.hooks.editChatWebhook({ ...input, messageId: sent.value });
    showMessage(sent.value === undefined ? 'The message was sent.' : 'The message was edited.');
    sent.value = messageId;
  };
  return (
    <>
      <ScreenHeader title="Chat" subtitle="Send messages to Discord channels through their webhooks.">
        {sent.value !== undefined && (
          <button
            type="button"
            onClick={() => {
              sent.value = undefined;
              // The button goes: who pressed it goes on where the message begins.
              heading.current?.focus();
            }}
          >
            Write another message
          </button>
        )}
      </ScreenHeader>
      <div class="main-and-side chat">
        <section class="card">
          <div class="card-head">
            <h2 ref={heading} tabIndex={-1}>
              {sent.value === undefined ? 'Send a message' : 'Edit the message'}
            </h2>
            <Switch
              label="Write it as JSON"
              checked={isJson.value}
              onChange={(on) => (isJson.value = on)}
            />
          </div>
          <Form
            fields={FIELDS}
            submitLabel={sent.value === undefined ? 'Send' : 'Save the edit'}
            onSubmit={() => send().finally(() => (turn.value += 1))}
          >
            {known.length > 0 && sent.value === undefined && (
              <Field
                name="webhookId"
                label="Channel"
                value={webhookId}
                onValue={(id) => (chosen.value = id)}
                options={[
                  ...known.map(({ id, name }) => [id, name] as const),
                  ['', 'Other Discord webhook…'],
                ]}
              />
            )}
            {webhookId === '' && (
              <BoundField
                signal={webhookUrl}
                type="url"
                name="webhookUrl"
                label="Webhook URL"
                autocomplete="off"
                spellcheck={false}
                placeholder="https://discord.com/api/webhooks/…"
                hint="In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL. Kept in this window until you close it."
              />
            )}
            <MessageFields key={messages.value} payload={payload} isJson={isJson.value} />
          </Form>
          {sent.value === undefined ? (
            <ApiCall
              endpoint="hooks.sendChatWebhook"
              input={shown}
              also={[
                ['webhooks.sendMessage', { webhookId: webhookId || '…', payload: shown.payload }],
              ]}
            />
          ) : (
            <ApiCall endpoint="hooks.editChatWebhook" input={{ ...shown, messageId: sent.value }} />
          )}
        </section>
        <div>
          <AsyncContent state={stored}>
            {(value) => <Webhooks stored={value} onChange={stored.reload} />}
          </AsyncContent>
          <Deliveries turn={turn.value} webhooks={known} />
        </div>
      </div>
    </>
  );
}

/** Id of the stored webhook that is chosen, at first the oldest; empty for one that is typed. */
function selectedWebhookId(known: readonly { id: string }[], chosen: string | undefined): string {
  if (chosen === undefined) return known[0]?.id ?? '';
  return known.some(({ id }) => id === chosen) ? chosen : '';
}
