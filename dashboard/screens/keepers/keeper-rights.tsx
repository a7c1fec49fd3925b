import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { t } from '#dashboard/translate.ts';
import './keepers.css';

const CAN = [
  t('Edit the page and its dates'),
  t('Read visitors and mail'),
  t('Projects, keys and alerts'),
  t('Connections and domains'),
];
const CANNOT = [
  t('Invite or remove keepers'),
  t('Change where mail goes, export or delete the account'),
];

export function KeeperRights() {
  return (
    <ul class="keeper-rights">
      {CAN.map((right) => (
        <li key={right}>
          <Icon path={ICON_PATHS.check} />
          {right}
        </li>
      ))}
      {CANNOT.map((right) => (
        <li key={right} class="muted">
          <Icon path={ICON_PATHS.close} />
          <span class="visually-hidden">{t('Only the owner:')} </span>
          {right}
        </li>
      ))}
    </ul>
  );
}
