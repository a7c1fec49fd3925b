import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { InstanceLinks } from '../components/instance-links.tsx';
import { Logo } from '../components/logo.tsx';
import { Plate } from '../components/plate.tsx';
import { instance, instanceName, screenTitle } from '../instance.ts';

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
    screenTitle.value = title;
    heading.current?.focus();
  }, [title]);
  return (
    <main class="single-card">
      <a class="logo" href="/">
        <Logo />
        {instanceName.value}
      </a>
      <div class="card">
        {plate ?? <Plate>{instance.value.name ?? location.host}</Plate>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle && <p class="muted">{subtitle}</p>}
        {children}
      </div>
      {footer && <div class="below">{footer}</div>}
      <InstanceLinks />
    </main>
  );
}
