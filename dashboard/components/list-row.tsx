import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import './list-row.css';

/** A line of a list: a sign, a title over a muted line, and an end. With children, it opens in place. */
export function ListRow({
  icon,
  tone = '',
  title,
  text,
  end,
  children,
}: {
  icon: string;
  tone?: 'good' | 'warn' | 'bad' | 'tinted' | '';
  title: ComponentChildren;
  text?: ComponentChildren;
  end?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const line = (
    <>
      <span class={`tile round ${tone}`}>
        <Icon path={icon} />
      </span>
      <div class="list-row-text">
        <div class="strong">{title}</div>
        {text && <div class="hint">{text}</div>}
      </div>
      <div class="list-row-end">{end}</div>
    </>
  );
  return (
    <li class="list-row">
      {children ? (
        <details>
          <summary class="list-row-line">{line}</summary>
          <div class="list-row-more">{children}</div>
        </details>
      ) : (
        <div class="list-row-line">{line}</div>
      )}
    </li>
  );
}
