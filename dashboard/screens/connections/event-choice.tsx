import type { Signal } from '@preact/signals';
import {
  CARRIED_EVENT_TYPES,
  type CarriedEventGroup,
  type CarriedEventType,
  isServerEvent,
} from '#contract/shared/event-types.ts';
import type { OptionalFeature } from '#contract/shared/optional-features.ts';
import { Switch } from '#dashboard/components/switch.tsx';
import { visuallyHidden } from '#dashboard/components/visually-hidden.tsx';
import { isOperator } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import {
  EVENT_LABELS,
  EVENT_GROUP_TITLES,
  GROUPS,
  listChosen,
  switchTypes,
} from './event-groups.ts';

const FEATURES: Partial<Record<CarriedEventType, OptionalFeature>> = {
  domain_verified: 'domains',
  domain_lost: 'domains',
  alert_firing: 'alerts',
  alert_recovered: 'alerts',
  week_summary: 'weekSummaries',
  server_week_summary: 'weekSummaries',
  application_received: 'signUp',
  page_reported: 'reports',
  backup_failed: 'backups',
};

/** False for events of a feature that is off. */
function canHappen(type: CarriedEventType): boolean {
  const feature = FEATURES[type];
  return feature === undefined || isOn(feature);
}

interface Props {
  types: Signal<readonly CarriedEventType[]>;
  /** Not offered. */
  mailedAnyway: CarriedEventType | undefined;
}

/** A switch for each group of events, above its single events. */
export function EventChoice(props: Props) {
  return (
    <div role="group" aria-label={t('Tell it about')}>
      <h2>{t('Tell it about')}</h2>
      <ul class="row-list">
        {GROUPS.map((group) => (
          <EventGroup key={group} group={group} {...props} />
        ))}
      </ul>
    </div>
  );
}

function EventGroup({ group, types, mailedAnyway }: Props & { group: CarriedEventGroup }) {
  const chosen = listChosen(group, types.value).filter((type) => type !== mailedAnyway);
  const all = CARRIED_EVENT_TYPES[group].filter(
    (type) =>
      type !== mailedAnyway &&
      canHappen(type) &&
      (!isServerEvent(type) || isOperator.value || chosen.includes(type)),
  );
  if (all.length === 0) return null;
  const title = EVENT_GROUP_TITLES[group];
  const change = (changed: readonly CarriedEventType[], areChosen: boolean) => {
    types.value = switchTypes(types.value, changed, areChosen);
  };
  return (
    <li>
      <div class="row between">
        <h3>{title}</h3>
        <Switch
          label={visuallyHidden(title)}
          checked={chosen.length > 0}
          onChange={(areChosen) => change(all, areChosen)}
        />
      </div>
      {group === 'page' && mailedAnyway && (
        <p class="hint">{t('Messages from the contact form are mailed to you anyway.')}</p>
      )}
      {group === 'week' && chosen.length > 0 && (
        <p class="hint">
          {t.rich(
            'The numbers of the seven days before Monday. The first ones come within 15 minutes, for a new account on its first Monday. Your time zone is in <link>Settings</link>.',
            {
              link: (text) => <a href={dashboardHref('settings#time-zone')}>{text}</a>,
            },
          )}
        </p>
      )}
      <div class="event-checks" role="group" aria-label={title}>
        {all.map((type) => {
          const isChosen = chosen.includes(type);
          const toggle = () => change([type], !isChosen);
          return (
            <label key={type} class="row">
              <input type="checkbox" checked={isChosen} onChange={toggle} />
              {EVENT_LABELS[type]}
            </label>
          );
        })}
      </div>
    </li>
  );
}
