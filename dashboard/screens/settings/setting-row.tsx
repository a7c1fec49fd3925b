import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
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
            <a class="whole-row" href={dashboardHref(open)}>
              {title}
            </a>
          ) : (
            <button
              type="button"
              class={isDangerous ? 'whole-row danger' : 'whole-row'}
              onClick={open}
            >
              {title}
            </button>
          )}
        </h3>
      }
      text={text}
      actions={children}
    />
  );
}
