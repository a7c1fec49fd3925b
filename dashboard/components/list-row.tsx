import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import './list-row.css';

/**
 * A line of a list: a sign, a title over a muted line, and an end. With children, it opens in place.
 * If they do not fit, the actions are below the title.
 */
export function ListRow({
  icon,
  tone = '',
  sign = icon && (
    <span class={`tile round ${tone}`}>
      <Icon path={icon} />
    </span>
  ),
  title,
  text,
  end,
  actions,
  below,
  children,
}: {
  icon?: string;
  tone?: 'good' | 'warn' | 'bad' | 'tinted' | '';
  /** Instead of the icon. */
  sign?: ComponentChildren;
  title: ComponentChildren;
  text?: ComponentChildren;
  end?: ComponentChildren;
  actions?: ComponentChildren;
  below?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const line = (
    <>
      {sign}
      <div class="list-row-text">
        <div class="strong">{title}</div>
        {text && <div class="hint">{text}</div>}
      </div>
      {end && <div class="list-row-end">{end}</div>}
      {actions && <div class="list-row-actions">{actions}</div>}
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
      {below && <div class="list-row-below">{below}</div>}
    </li>
  );
}
