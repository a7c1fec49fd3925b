import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Logo } from '../parts/logo.tsx';
import { Plate } from '../parts/plate.tsx';

/** A screen of one card under the sign of the host, for whoever is not signed in; the sign says where they are. */
export function EntryCard({
  title,
  about,
  plate,
  below,
  children,
}: {
  title: string;
  about?: ComponentChildren;
  /** Plate above the title; by default, the host's. */
  plate?: ComponentChildren;
  /** Lines below the card. */
  below?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Nameplate`;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="entry">
      <a class="logo" href="/">
        <Logo />
        Nameplate
      </a>
      <div class="card">
        {plate ?? <Plate>{location.host}</Plate>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about && <p class="muted">{about}</p>}
        {children}
      </div>
      {below && <div class="below">{below}</div>}
    </main>
  );
}
