import {
  ALL_CARRIED_EVENT_TYPES,
  CARRIED_EVENT_TYPES,
  type CarriedEventGroup,
  type CarriedEventType,
} from '#contract/shared/event-types.ts';
import { t } from '#dashboard/translate.ts';

export const EVENT_GROUP_TITLES: Readonly<Record<CarriedEventGroup, string>> = {
  page: t('My page'),
  account: t('My account'),
  metrics: t('My metrics'),
  week: t('Weekly summary, Mondays at 8:00'),
  server: t('This server'),
};

export const EVENT_LABELS: Readonly<Record<CarriedEventType, string>> = {
  page_visibility_changed: t('Published or hidden'),
  display_name_updated: t('Name changed'),
  contact_message_received: t('Message from the contact form'),
  domain_verified: t('Domain works'),
  domain_lost: t('Domain lost'),
  key_created: t('API key created'),
  key_revoked: t('API key revoked'),
  forwarding_updated: t('Forwarding changed'),
  alert_firing: t('Alert fires or has no data'),
  alert_recovered: t('Alert is over'),
  week_summary: t('Weekly summary of my page'),
  server_week_summary: t('Weekly summary of this server'),
  application_received: t('Somebody wants to join'),
  member_joined: t('Member joined'),
  member_left: t('Member left'),
  member_suspended: t('Member suspended'),
  page_reported: t('Page reported'),
  backup_failed: t('Backup failed'),
  forwarding_failing: t('Forwarding fails'),
};

export function listChosen(
  group: CarriedEventGroup,
  types: readonly CarriedEventType[],
): CarriedEventType[] {
  return CARRIED_EVENT_TYPES[group].filter((type) => types.includes(type));
}

/** `types` with some of them switched on or off, in the order of the contract. */
export function switchTypes(
  types: readonly CarriedEventType[],
  changed: readonly CarriedEventType[],
  isOn: boolean,
): CarriedEventType[] {
  return ALL_CARRIED_EVENT_TYPES.filter((type) =>
    changed.includes(type) ? isOn : types.includes(type),
  );
}

export const GROUPS = Object.keys(CARRIED_EVENT_TYPES) as CarriedEventGroup[];

/** Such as `My page, Backup failed`: groups that are carried whole, and single events. */
export function describeTypes(types: readonly CarriedEventType[]): string {
  return GROUPS.flatMap((group) => {
    const chosen = listChosen(group, types);
    return chosen.length === CARRIED_EVENT_TYPES[group].length
      ? EVENT_GROUP_TITLES[group]
      : chosen.map((type) => EVENT_LABELS[type]);
  }).join(', ');
}
