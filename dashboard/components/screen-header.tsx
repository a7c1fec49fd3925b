import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hasDeveloperTools } from '../current-account.ts';
import { screenTitle } from '../instance.ts';
import { dashboardHref, navigationCount } from '../router.ts';
import { t } from '../translate.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import './shared-chunk.ts';

let lastNavigation = 0;

/** For developers' screens, which only Settings links to if the navigation does not. */
export function developerParent(): { title: string; path: string } | undefined {
  return hasDeveloperTools.value === false ? { title: t('Settings'), path: 'settings' } : undefined;
}

/** Sets the document title. After navigation, moves the focus to the heading. */
export function ScreenHeader({
  title,
  heading = title,
  parent,
  subtitle,
  children,
}: {
  title: string;
  heading?: ComponentChildren;
  /** The screen above this one. */
  parent?: { title: string; path: string } | undefined;
  subtitle?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    screenTitle.value = title;
    if (lastNavigation !== navigationCount.value) element.current?.focus({ preventScroll: true });
    lastNavigation = navigationCount.value;
  }, [title]);
  return (
    <div class="title">
      <div class="screen-title">
        {parent && (
          <a class="back" href={dashboardHref(parent.path)}>
            <Icon path={ICON_PATHS.back} />
            {parent.title}
          </a>
        )}
        <h1 ref={element} tabIndex={-1}>
          {heading}
        </h1>
        {subtitle && <div class="muted">{subtitle}</div>}
      </div>
      <div class="row">{children}</div>
    </div>
  );
}
