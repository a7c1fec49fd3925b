import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fragment } from '#dashboard/router.ts';

export function SettingRow({
  id,
  title,
  text,
  children,
}: {
  /** Links to `settings#id` mark the row. */
  id?: string;
  title: string;
  text?: string;
  children: ComponentChildren;
}) {
  const row = useRef<HTMLLIElement>(null);
  const isMarked = id !== undefined && fragment.value === id;
  useEffect(() => {
    if (isMarked) row.current!.scrollIntoView({ block: 'center' });
  }, [isMarked]);
  return (
    <li ref={row} class={isMarked ? 'row between setting-row marked' : 'row between setting-row'}>
      <div>
        <h3>{title}</h3>
        {text && <p class="hint">{text}</p>}
      </div>
      {children}
    </li>
  );
}
