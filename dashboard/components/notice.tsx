import type { ComponentChildren } from 'preact';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import './notice.css';

/** A card that says what is wrong, with an action. */
export function Notice({
  tone = 'warn',
  title,
  text,
  children,
}: {
  tone?: 'warn' | 'bad';
  title: string;
  text: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <section class={`card row notice ${tone}`}>
      <span class={`tile ${tone}`}>
        <Icon path={ICON_PATHS.warning} />
      </span>
      <div class="grow">
        <h2>{title}</h2>
        <p class="muted">{text}</p>
      </div>
      {children}
    </section>
  );
}
