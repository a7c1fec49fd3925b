import type { ComponentChildren } from 'preact';

/** One setting, with its control at the end of the line. */
export function SettingRow({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ComponentChildren;
}) {
  return (
    <li class="row between setting-row">
      <div>
        <h3>{title}</h3>
        <p class="hint">{text}</p>
      </div>
      {children}
    </li>
  );
}
