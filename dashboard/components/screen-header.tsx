import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { screenTitle } from '../instance.ts';
import { navigationCount } from '../router.ts';
import { ApiCallsButton } from './api-call.tsx';
import './shared-chunk.ts';

let lastNavigation = 0;

/** Sets the document title. After navigation, moves the focus to the heading. */
export function ScreenHeader({
  title,
  heading = title,
  subtitle,
  hasApiCalls = true,
  children,
}: {
  title: string;
  heading?: ComponentChildren;
  subtitle?: ComponentChildren;
  /** Whether to show `ApiCallsButton`. */
  hasApiCalls?: boolean;
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
      <div class="row">
        {hasApiCalls && <ApiCallsButton />}
        {children}
      </div>
    </div>
  );
}
