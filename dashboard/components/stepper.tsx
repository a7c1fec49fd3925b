import { t } from '../translate.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import './stepper.css';

/** `step` is the index of the current title, or the number of titles if all steps are done. */
export function Stepper({ titles, step: current }: { titles: readonly string[]; step: number }) {
  return (
    <ol class="stepper">
      {titles.map((title, step) => (
        <li key={title} class="row" aria-current={step === current ? 'step' : undefined}>
          <span class={step < current ? 'step-marker done' : 'step-marker'} aria-hidden="true">
            {step < current ? <Icon path={ICON_PATHS.check} /> : step + 1}
          </span>
          {title}
          {step < current && <span class="visually-hidden">{t('(done)')}</span>}
        </li>
      ))}
    </ol>
  );
}
