import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Logo } from '../components/logo.tsx';
import { Plate } from '../components/plate.tsx';

export function SignInCard({
  title,
  subtitle,
  plate,
  footer,
  children,
}: {
  title: string;
  subtitle?: ComponentChildren;
  /** Plate above the title. Shows the host name by default. */
  plate?: ComponentChildren;
  footer?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · Nameplate`;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="single-card">
      <a class="logo" href="/">
        <Logo />
        Nameplate
      </a>
      <div class="card">
        {plate ?? <Plate>{location.host}</Plate>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle && <p class="muted">{subtitle}</p>}
        {children}
      </div>
      {footer && <div class="below">{footer}</div>}
    </main>
  );
}
