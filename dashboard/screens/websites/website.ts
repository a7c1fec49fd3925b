import { type ResponseOf, owner } from '#dashboard/api/api.ts';
import { formatTimeAgo } from '#dashboard/components/format-time-ago.ts';
import { t } from '#dashboard/translate.ts';

export type Website = ResponseOf<typeof owner.clients.listClients>['clients'][number];

/** A secret that was just created. */
export interface NewSecret {
  id: string;
  secret: string;
}

export const LIST_PARENT = { title: t('Websites'), path: 'operator/websites' };

export function describePeople({ people: count }: Website): string {
  return t('{count, plural, one {# person} other {# people}}', { count });
}

export function describeLastUse({ last_used_at: time }: Pick<Website, 'last_used_at'>): string {
  return time ? t('used {time}', { time: formatTimeAgo(time) }) : t('not used yet');
}

export function hostOf({ address, redirect_uris: [uri = ''] }: Website): string {
  return URL.parse(address ?? uri)?.host || uri;
}
