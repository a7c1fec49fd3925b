import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visits } from '../router.ts';

let shown = 0;

/** The heading of a page, also of the window; who came here by a link goes on reading at it. */
export function PageTitle({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Nameplate`;
    if (shown !== visits.value) heading.current?.focus({ preventScroll: true });
    shown = visits.value;
  }, [title]);
  return (
    <div class="title">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
