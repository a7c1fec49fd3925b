import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { api } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { Icon } from '#dashboard/components/icon.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Menu } from '#dashboard/components/menu.tsx';
import { t } from '#dashboard/translate.ts';
import { NameplateError } from '../../../client/src/errors.ts';

export type Payload = Parameters<typeof api.hooks.sendChatWebhook>[0]['payload'];

interface Draft {
  content: string;
  card?: { title: string; description: string } | undefined;
  /** Replaces the fields. */
  json?: string | undefined;
}

const CARD_FIELDS = ['payload.embeds.0.title', 'payload.embeds.0.description'] as const;

function toPayload({ content, card, json }: Draft): Payload {
  if (json === undefined)
    return {
      ...(content.trim() && { content }),
      ...((card?.title.trim() || card?.description.trim()) && { embeds: [card] }),
    } as Payload;
  try {
    return JSON.parse(json) as Payload;
  } catch {
    throw new NameplateError(t('The message must be JSON.'));
  }
}

interface ComposerProps {
  name: string;
  onSend: (payload: Payload) => Promise<void>;
}

/** Writes a message to the channel. It keeps the text until it is sent. */
export function Composer({ name, onSend }: ComposerProps) {
  const draft = useSignal<Draft>({ content: '' });
  const root = useRef<HTMLDivElement>(null);
  const { content, card, json } = draft.value;
  const change = (next: Partial<Draft>) => (draft.value = { ...draft.value, ...next });
  const send = async () => {
    await onSend(toPayload(draft.value));
    draft.value = { content: '' };
    root.current!.querySelector('textarea')!.focus();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    // The keyboard of a phone has no Shift+Enter.
    if (matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    root.current!.querySelector('form')!.requestSubmit();
  };
  const toggleJson = () =>
    change({
      json: json === undefined ? JSON.stringify(toPayload(draft.value), null, 2) : undefined,
    });
  const toggleCard = () => change({ card: card ? undefined : { title: '', description: '' } });
  return (
    <div ref={root} class="composer">
      <Form fields={['payload.content', ...CARD_FIELDS, 'payload']} onSubmit={send}>
        {json === undefined ? (
          <div class="composer-text" onKeyDown={sendOnEnter}>
            <Field
              name="payload.content"
              class="unlabeled"
              label={t('Message to {name}', { name })}
              placeholder={t('Message to {name}', { name })}
              rows={2}
              dir="auto"
              value={content}
              onValue={(value) => change({ content: value })}
            />
          </div>
        ) : (
          <Field
            name="payload"
            label={t('Message as JSON, in the format of Discord webhooks')}
            rows={8}
            spellcheck={false}
            value={json}
            onValue={(value) => change({ json: value })}
          />
        )}
        {card && json === undefined && (
          <div class="composer-card">
            <Field
              name={CARD_FIELDS[0]}
              label={t('Card title')}
              dir="auto"
              value={card.title}
              onValue={(title) => change({ card: { ...card, title } })}
            />
            <Field
              name={CARD_FIELDS[1]}
              label={t('Card text')}
              rows={2}
              dir="auto"
              value={card.description}
              onValue={(description) => change({ card: { ...card, description } })}
            />
          </div>
        )}
        <div class="row">
          {json === undefined && (
            <button
              type="button"
              class="quiet small"
              aria-expanded={card !== undefined}
              onClick={toggleCard}
            >
              <Icon path={card ? ICON_PATHS.close : ICON_PATHS.plus} />
              {t('Card')}
            </button>
          )}
          <Menu
            label={t('More for this message')}
            items={() => [
              {
                label: json === undefined ? t('Write as JSON') : t('Write as text'),
                iconPath: ICON_PATHS.api,
                run: toggleJson,
              },
            ]}
          />
          <span class="grow" />
          <button class="primary">{t('Send')}</button>
        </div>
      </Form>
    </div>
  );
}
