import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visits } from '../router.ts';
import { ApiCalls } from './api-call.tsx';

let shown = 0;

/**
 * The head of a screen: its heading, also of the window, and what can be done with all of it. Who came
 * here by a link goes on reading at the heading.
 */
export function PageTitle({
  title,
  about,
  children,
}: {
  title: string;
  /** What the screen is for, in a line. */
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Nameplate`;
    if (shown !== visits.value) heading.current?.focus({ preventScroll: true });
    shown = visits.value;
  }, [title]);
  return (
    <div class="title">
      <div class="words">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about && <p class="muted">{about}</p>}
      </div>
      <ApiCalls />
      {children}
    </div>
  );
}
