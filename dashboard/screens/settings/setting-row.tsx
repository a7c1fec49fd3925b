import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { dashboardHref, fragment } from '#dashboard/router.ts';

export function SettingRow({
  id,
  title,
  text,
  open,
  isDangerous = false,
  children,
}: {
  /** Links to `settings#id` mark the row. */
  id?: string;
  title: string;
  text?: string;
  /** The path that a click anywhere in the row leads to, or what it does. */
  open?: string | (() => void) | undefined;
  isDangerous?: boolean;
  children?: ComponentChildren;
}) {
  const textId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const isMarked = id !== undefined && fragment.value === id;
  useEffect(() => {
    if (isMarked) heading.current!.scrollIntoView({ block: 'center' });
  }, [isMarked]);
  return (
    <ListRow
      title={
        <h3 ref={heading} class={isMarked ? 'setting marked' : 'setting'}>
          {open === undefined ? (
            title
          ) : typeof open === 'string' ? (
            <a class="whole-row" href={dashboardHref(open)} aria-describedby={text && textId}>
              {title}
            </a>
          ) : (
            <button
              type="button"
              class={isDangerous ? 'whole-row danger' : 'whole-row'}
              aria-describedby={text && textId}
              onClick={open}
            >
              {title}
            </button>
          )}
        </h3>
      }
      text={text && <span id={textId}>{text}</span>}
      actions={children}
    />
  );
}
