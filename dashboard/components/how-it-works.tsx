import type { ComponentChildren } from 'preact';
import { t } from '../translate.ts';
import { Icon } from './icon.tsx';
import './how-it-works.css';

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

export function HowItWorks({
  steps,
  children,
}: {
  steps: readonly (readonly [title: string, description: string])[];
  children?: ComponentChildren;
}) {
  return (
    <section class="card">
      <h2>{t('How it works')}</h2>
      {children}
      <ol class="steps-list">
        {steps.map(([title, description], index) => (
          <li key={title}>
            <span class="step-marker" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <p class="strong">{title}</p>
              <p class="muted">{description}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
