import { type Signal, useSignal } from '@preact/signals';
import type { api } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { t } from '#dashboard/translate.ts';

export type Payload = Parameters<typeof api.hooks.sendChatWebhook>[0]['payload'];

/** Discord's limits, in characters. */
const MAX_LENGTHS = { content: 2_000, title: 256, description: 4_096 };

/** Edits a message in fields or as JSON. `payload` is undefined while the JSON is invalid. */
export function MessageFields({
  payload,
  isJson,
}: {
  payload: Signal<Payload | undefined>;
  isJson: boolean;
}) {
  return isJson ? <PayloadJson payload={payload} /> : <PayloadForm payload={payload} />;
}

function PayloadForm({ payload }: { payload: Signal<Payload | undefined> }) {
  const { content, embeds } = payload.value ?? {};
  const embed = embeds?.[0] ?? {};
  const setFields = (change: Payload) => {
    payload.value = { ...payload.value, ...change };
  };
  const setEmbed = (change: Record<string, string>) => {
    const next = { ...embed, ...change };
    const otherEmbeds = embeds?.slice(1) ?? [];
    const isEmpty = Object.values(next).every((value) => value === '');
    setFields({ embeds: isEmpty ? otherEmbeds : [next, ...otherEmbeds] });
  };
  return (
    <>
      <Field
        name="payload.content"
        label={t('Message')}
        rows={5}
        dir="auto"
        value={content ?? ''}
        onValue={(value) => setFields({ content: value })}
        hint={characterCount(content, MAX_LENGTHS.content)}
      />
      <div class="embed">
        <Field
          name="payload.embeds.0.title"
          label={t('Card title (optional)')}
          dir="auto"
          value={embed.title ?? ''}
          onValue={(title) => setEmbed({ title })}
          hint={characterCount(embed.title, MAX_LENGTHS.title)}
        />
        <Field
          name="payload.embeds.0.description"
          label={t('Card text (optional)')}
          rows={3}
          dir="auto"
          value={embed.description ?? ''}
          onValue={(description) => setEmbed({ description })}
          hint={characterCount(embed.description, MAX_LENGTHS.description)}
        />
      </div>
    </>
  );
}

/** The message as it looks in the chat, or an example if it has no text. */
export function MessagePreview({ payload, name }: { payload: Payload | undefined; name: string }) {
  const { content, embeds } = payload ?? {};
  const { title, description } = embeds?.[0] ?? {};
  const isExample = !content && !title && !description;
  return (
    <figure class="chat-preview">
      <span class="tile">
        <Icon path={ICON_PATHS.message} />
      </span>
      <div>
        <p>
          <strong>{name}</strong> <span class="pill">{t('App')}</span>{' '}
          {isExample && <span class="hint">{t('Example')}</span>}
        </p>
        <p>{isExample ? t('2 mugs sold, 48.00 €') : content}</p>
        {(isExample || title || description) && (
          <div class="embed">
            <p class="strong">{isExample ? t('New order') : title}</p>
            <p>{isExample ? t('Ships to Lisbon by Friday.') : description}</p>
          </div>
        )}
      </div>
    </figure>
  );
}

function PayloadJson({ payload }: { payload: Signal<Payload | undefined> }) {
  const text = useSignal(JSON.stringify(payload.peek() ?? {}, null, 2));
  const error = useSignal<string>();
  const onValue = (value: string) => {
    text.value = value;
    try {
      payload.value = JSON.parse(value) as Payload;
      error.value = undefined;
    } catch (cause) {
      payload.value = undefined;
      error.value = (cause as Error).message;
    }
  };
  return (
    <Field
      name="payload"
      label={t('Payload')}
      rows={12}
      spellcheck={false}
      value={text.value}
      onValue={onValue}
      hint={
        error.value === undefined
          ? t('The payload is passed on unchanged.')
          : t('Invalid JSON: {reason}', { reason: error.value })
      }
    />
  );
}

function characterCount(text: string | null | undefined, limit: number): string | undefined {
  const { length } = [...(text ?? '').trim()];
  return length === 0 ? undefined : t('{count} of {max} characters', { count: length, max: limit });
}
