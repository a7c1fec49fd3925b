import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ListRow } from '#dashboard/components/list-row.tsx';
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
  const heading = useRef<HTMLHeadingElement>(null);
  const isMarked = id !== undefined && fragment.value === id;
  useEffect(() => {
    if (isMarked) heading.current!.scrollIntoView({ block: 'center' });
  }, [isMarked]);
  return (
    <ListRow
      title={
        <h3 ref={heading} class={isMarked ? 'setting marked' : 'setting'}>
          {title}
        </h3>
      }
      text={text}
      actions={children}
    />
  );
}
