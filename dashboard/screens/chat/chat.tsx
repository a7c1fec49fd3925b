import { signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { api, owner } from '#dashboard/api/api.ts';
import { NameplateError } from '../../../client/src/errors.ts';
import { ApiCall } from '#dashboard/parts/api-call.tsx';
import { Bound, Field } from '#dashboard/parts/field.tsx';
import { Form } from '#dashboard/parts/form.tsx';
import { say } from '#dashboard/parts/messages.tsx';
import { PageTitle } from '#dashboard/parts/page-title.tsx';
import { Show } from '#dashboard/parts/states.tsx';
import { Switch } from '#dashboard/parts/switch.tsx';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import './chat.css';
import { Deliveries } from './deliveries.tsx';
import { Message, type Payload } from './message.tsx';
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
  const stored = useLoaded(() => owner.webhooks.listWebhooks());
  const isJson = useSignal(false);
  const chosen = useSignal<string>();
  const known = stored.value?.webhooks ?? [];
  const webhookId = sent.value === undefined ? webhookOf(known, chosen.value) : '';
  const shown = { webhookUrl: webhookUrl.value || 'https://…', payload: payload.value ?? {} };
  const send = async () => {
    if (!payload.value) throw new NameplateError('The message must be JSON.');
    if (webhookId !== '') {
      await owner.webhooks.sendMessage({ webhookId, payload: payload.value });
      payload.value = {};
      messages.value += 1;
      return say('The message was sent.');
    }
    const input = { webhookUrl: webhookUrl.value.trim(), payload: payload.value };
    const { messageId } =
      sent.value === undefined
        ? await api.hooks.sendChatWebhook(input)
        : await api.hooks.editChatWebhook({ ...input, messageId: sent.value });
    say(sent.value === undefined ? 'The message was sent.' : 'The message was edited.');
    sent.value = messageId;
  };
  return (
    <>
      <PageTitle title="Chat" about="Send messages to Discord channels through their webhooks.">
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
      </PageTitle>
      <div class="main-and-side chat">
        <section class="card">
          <div class="card-head">
            <h2 ref={heading} tabIndex={-1}>
              {sent.value === undefined ? 'Send a message' : 'Edit the message'}
            </h2>
            <Switch
              label="Write it as JSON"
              on={isJson.value}
              onSwitch={(on) => (isJson.value = on)}
            />
          </div>
          <Form
            fields={FIELDS}
            submit={sent.value === undefined ? 'Send' : 'Save the edit'}
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
              <Bound
                to={webhookUrl}
                type="url"
                name="webhookUrl"
                label="Webhook URL"
                autocomplete="off"
                spellcheck={false}
                placeholder="https://discord.com/api/webhooks/…"
                hint="In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL. Kept in this window until you close it."
              />
            )}
            <Message key={messages.value} payload={payload} isJson={isJson.value} />
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
          <Show loaded={stored}>
            {(value) => <Webhooks stored={value} onChange={stored.reload} />}
          </Show>
          <Deliveries turn={turn.value} webhooks={known} />
        </div>
      </div>
    </>
  );
}

/** Id of the stored webhook that is chosen, at first the oldest; empty for one that is typed. */
function webhookOf(known: readonly { id: string }[], chosen: string | undefined): string {
  if (chosen === undefined) return known[0]?.id ?? '';
  return known.some(({ id }) => id === chosen) ? chosen : '';
}
