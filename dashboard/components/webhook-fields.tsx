import type { Signal } from '@preact/signals';
import { LIMITS } from '#contract/shared/limits.ts';
import { BoundField } from './field.tsx';
import { t } from '../translate.ts';

/** Field names for the enclosing `Form`. */
export const WEBHOOK_FIELDS = ['name', 'url'] as const;

export function WebhookFields({ name, url }: { name: Signal<string>; url: Signal<string> }) {
  return (
    <>
      <BoundField
        signal={name}
        name="name"
        label={t('Webhook name')}
        placeholder="#shop"
        maxLength={LIMITS.connectionName}
      />
      <BoundField
        signal={url}
        type="url"
        name="url"
        label={t('Webhook URL')}
        autocomplete="off"
        spellcheck={false}
        placeholder="https://discord.com/api/webhooks/…"
        hint={t(
          'In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL. It is stored encrypted and never shown again.',
        )}
      />
    </>
  );
}
