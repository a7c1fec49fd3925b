import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import './flow-diagram.css';

type Stop = readonly [iconPath: string, label: string];

/** Two icons with labels, and `children` between them. */
export function FlowDiagram({
  from,
  to,
  isOn = false,
  children,
}: {
  from: Stop;
  to: Stop;
  isOn?: boolean;
  children: ComponentChildren;
}) {
  const drawStop = ([iconPath, label]: Stop) => (
    <li>
      <span class="tile">
        <Icon path={iconPath} />
      </span>
      <span>{label}</span>
    </li>
  );
  return (
    <ol class={isOn ? 'route wall on' : 'route wall'}>
      {drawStop(from)}
      <li>{children}</li>
      {drawStop(to)}
    </ol>
  );
}
