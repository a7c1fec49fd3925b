import { t } from '../translate.ts';

export function HowItWorks({
  steps,
}: {
  steps: readonly (readonly [title: string, description: string])[];
}) {
  return (
    <section class="card">
      <h2>{t('How it works')}</h2>
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
