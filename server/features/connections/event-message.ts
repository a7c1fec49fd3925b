import { z } from 'zod';
import { isServerEvent } from '#contract/shared/event-types.ts';
import type { DeliveryRow } from '#db/queries/deliveries.ts';
import type { Core } from '#server/core.ts';
import { describeEvent, type LabelsByKeyId } from '#server/features/events/describe-event.ts';
import { dashboardLink } from '#server/platform/mail/mail-text.ts';
import { toPrintable } from '#server/platform/text/printable-text.ts';
import type { Translator } from '#translations/translator.ts';

/** The parts of the title and text of an alert. */
export const AlertMessage = z.object({
  title: z.string(),
  project: z.string(),
  text: z.string(),
  /** Undefined in mails that an older version queued. */
  url: z.string().optional(),
});

/** An event in words, in the language of the account. */
export interface EventMessage {
  tone: 'firing' | 'recovered' | 'news';
  title: string;
  text: string;
  alert?: z.infer<typeof AlertMessage>;
  /** Where the dashboard shows more. */
  url: string;
}

export function createEventMessage(
  { origin, instanceStore }: Pick<Core, 'instanceStore' | 'origin'>,
  { type, data }: Pick<DeliveryRow, 'type' | 'data'>,
  t: Translator,
  { labels, keptId }: { labels: LabelsByKeyId; keptId: string | undefined },
): EventMessage {
  const dashboard = dashboardLink(origin(), '', { keptId });
  if (type !== 'alert_firing' && type !== 'alert_recovered' && type !== 'alert_no_data') {
    const { summary } = describeEvent(t, { type, outcome: 'succeeded', detail: data }, labels);
    const screen = isServerEvent(type) ? 'operator' : type === 'week_summary' ? 'visitors' : '';
    const url = new URL(screen, dashboard);
    const text = [
      `${toPrintable(summary)}.`,
      type === 'contact_message_received' && t('The message itself is in your inbox.'),
    ];
    const title = instanceStore.current.name ?? url.host;
    return { tone: 'news', title, url: url.href, text: text.filter(Boolean).join(' ') };
  }
  const titles = {
    alert_firing: t('Alert'),
    alert_recovered: t('Alert resolved'),
    alert_no_data: t('Alert without data'),
  };
  const alert = {
    title: titles[type],
    project: toPrintable(String(data['project'])),
    text: toPrintable(String(data['text'])),
    url: new URL(`metrics/${String(data['project_id'])}#${String(data['alert_id'])}`, dashboard)
      .href,
  };
  return {
    tone: type === 'alert_recovered' ? 'recovered' : 'firing',
    title: `${alert.title}: ${alert.project}`,
    text: alert.text,
    alert,
    url: alert.url,
  };
}
