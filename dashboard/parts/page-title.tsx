import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visits } from '../router.ts';
import { ApiCalls } from './api-call.tsx';
import './shared.ts';

let shown = 0;

/**
 * The head of a screen: its heading, also of the window, and what can be done with all of it. Who came
 * here by a link goes on reading at the heading.
 */
export function PageTitle({
  title,
  heading = title,
  about,
  children,
}: {
  /** Title of the window. */
  title: string;
  /** Heading, where it is another than the title. */
  heading?: ComponentChildren;
  /** Purpose of the screen, in a line. */
  about?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Nameplate`;
    if (shown !== visits.value) element.current?.focus({ preventScroll: true });
    shown = visits.value;
  }, [title]);
  return (
    <div class="title">
      <div class="screen-title">
        <h1 ref={element} tabIndex={-1}>
          {heading}
        </h1>
        {about && <p class="muted">{about}</p>}
      </div>
      <div class="row">
        <ApiCalls />
        {children}
      </div>
    </div>
  );
}
