import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { screenTitle } from '../instance.ts';
import { navigationCount } from '../router.ts';
import './shared-chunk.ts';

let lastNavigation = 0;

/** Sets the document title. After navigation, moves the focus to the heading. */
export function ScreenHeader({
  title,
  heading = title,
  subtitle,
  children,
}: {
  title: string;
  heading?: ComponentChildren;
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
        <h1 ref={element} tabIndex={-1}>
          {heading}
        </h1>
        {subtitle && <div class="muted">{subtitle}</div>}
      </div>
      <div class="row">{children}</div>
    </div>
  );
}
