import { Icon } from '#dashboard/components/icon.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';

export function BackToMembers() {
  return (
    <a class="operator-back" href={dashboardHref('operator/members')}>
      <Icon path="M10 3.5 5.5 8l4.5 4.5" />
      {t('All members')}
    </a>
  );
}
