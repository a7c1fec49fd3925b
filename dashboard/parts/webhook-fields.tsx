import type { Signal } from '@preact/signals';
import { LIMITS } from '#contract/limits.ts';
import { Bound } from './field.tsx';

/** Names of the fields, for the form around them. */
export const WEBHOOK_FIELDS = ['name', 'webhookUrl'] as const;

/** Asks for a Discord webhook and a name for it. */
export function WebhookFields({ name, url }: { name: Signal<string>; url: Signal<string> }) {
  return (
    <>
      <Bound
        to={name}
        name="name"
        label="Webhook name"
        placeholder="#shop"
        maxLength={LIMITS.webhookName}
      />
      <Bound
        to={url}
        type="url"
        name="webhookUrl"
        label="Webhook URL"
        autocomplete="off"
        spellcheck={false}
        placeholder="https://discord.com/api/webhooks/…"
        hint="In Discord: Edit channel, Integrations, Webhooks, Copy webhook URL. It is stored encrypted and never shown again."
      />
    </>
  );
}
