import type { ComponentChildren } from 'preact';
import { Icon } from '#dashboard/components/icon.tsx';
import { dashboardHref } from '#dashboard/router.ts';
import { t } from '#dashboard/translate.ts';
import './operator.css';

/** Links to the parent screen, above the title. */
export function BackLink({ path, children }: { path: string; children: ComponentChildren }) {
  return (
    <a class="operator-back" href={dashboardHref(path)}>
      <Icon path="M10 3.5 5.5 8l4.5 4.5" />
      {children}
    </a>
  );
}

export function BackToMembers() {
  return <BackLink path="operator/members">{t('All members')}</BackLink>;
}
