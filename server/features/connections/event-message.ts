import { CARRIED_EVENT_TYPES, type DeliveredEventType } from '#contract/shared/event-types.ts';
import type { DeliveryRow } from '#db/queries/deliveries.ts';
import type { AlertMessage } from '#server/features/alerts/alert-message.ts';
import { describeEvent } from '#server/features/events/describe-event.ts';
import type { App } from '#server/app.ts';
import { toPrintable } from '#server/platform/text/printable-text.ts';
import type { Translator } from '#translations/translator.ts';

/** An event in words, in the language of the account. */
export interface EventMessage {
  tone: 'firing' | 'recovered' | 'news';
  title: string;
  text: string;
  /** The parts of the title and text of an alert. */
  alert?: AlertMessage;
  /** Where the dashboard shows more. */
  url: string;
}

const SCREENS = { page: 'page', account: 'events', metrics: 'metrics', server: 'operator' };

export function createEventMessage(
  { origin }: Pick<App, 'origin'>,
  { type, data }: Pick<DeliveryRow, 'type' | 'data'>,
  t: Translator,
): EventMessage {
  const url = new URL(`/dashboard/${screenOf(type)}`, origin());
  if (type === 'alert_firing' || type === 'alert_recovered') {
    const isFiring = type === 'alert_firing';
    const alert = {
      title: isFiring ? t('Alert') : t('Alert resolved'),
      project: toPrintable(String(data['project'])),
      text: toPrintable(String(data['text'])),
    };
    return {
      tone: isFiring ? 'firing' : 'recovered',
      title: `${alert.title}: ${alert.project}`,
      text: alert.text,
      alert,
      url: url.href,
    };
  }
  const event = { type, outcome: 'succeeded', detail: data } as const;
  const text = `${toPrintable(describeEvent(t, event).summary)}.`;
  return { tone: 'news', title: url.host, text, url: url.href };
}

function screenOf(type: DeliveredEventType): string {
  const group = Object.entries(CARRIED_EVENT_TYPES).find(([, types]) =>
    (types as readonly DeliveredEventType[]).includes(type),
  )?.[0];
  return SCREENS[group as keyof typeof SCREENS] ?? '';
}
