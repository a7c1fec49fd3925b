import { describeCondition, formatAlertValue } from '#contract/shared/alert-text.ts';
import { listFormat } from '#contract/shared/intl-formats.ts';
import { listFiringAlerts } from '#db/queries/alerts.ts';
import type { OwnToDoReader } from '../define-feature.ts';

/** Links to the alert, or to the list of projects if several fire. */
export const findFiringAlerts: OwnToDoReader = async (db, { accountId }, t) => {
  const alerts = await listFiringAlerts(db, accountId);
  const [first] = alerts;
  if (!first) return undefined;
  const about = { code: 'alertsFiring', level: 'warning', count: alerts.length } as const;
  if (alerts.length > 1) {
    const projects = [...new Set(alerts.map(({ project }) => project))];
    const title = t('{count} alerts are firing', { count: alerts.length });
    const text = listFormat(t.locale).format(projects);
    return { ...about, title, text, path: 'metrics' };
  }
  const { id, project, project_id, value } = first;
  const title = `${project}: ${describeCondition(first, t)}`;
  const text =
    value === null ? t('Firing') : t('It is now {value}.', { value: formatAlertValue(value, t) });
  return { ...about, title, text, path: `metrics/${project_id}#${id}` };
};
