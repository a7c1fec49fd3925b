import { t } from '#dashboard/translate.ts';
import { useId } from 'preact/hooks';
import { plateColors } from '#contract/shared/plate-colors.ts';
import { ENAMELS } from './enamels.ts';

export function ColorField({
  name,
  value,
  onValue,
}: {
  name: string;
  value: string;
  onValue: (color: string) => void;
}) {
  const id = useId();
  const isCustom = !ENAMELS.some(([color]) => color === value);
  const { top } = plateColors(value);
  return (
    <section class="card">
      <h2>{t('Enamel')}</h2>
      <p class="hint">{t('The color of the plate.')}</p>
      <fieldset class="enamels">
        <legend class="visually-hidden">{t('Color of the plate')}</legend>
        {ENAMELS.map(([color, label]) => (
          <label key={color} class="enamel picture-radio">
            <input
              type="radio"
              name={id}
              checked={color === value}
              onChange={() => onValue(color)}
            />
            <Swatch color={color} />
            {label}
          </label>
        ))}
        <label class={`enamel picture-radio ${isCustom ? 'chosen' : ''}`}>
          <input
            type="color"
            name={name}
            value={value || top}
            onInput={({ currentTarget }) => onValue(currentTarget.value)}
          />
          {isCustom ? <Swatch color={value} /> : <i class="own">+</i>}
          {t('color|Your own')}
        </label>
      </fieldset>
      {isCustom && top !== value && (
        <p class="hint" role="status">
          {t('{color} is too light for white letters, so the plate uses {darker}.', {
            color: value,
            darker: top,
          })}
        </p>
      )}
    </section>
  );
}

function Swatch({ color }: { color: string }) {
  const { top, bottom } = plateColors(color);
  return <i style={{ backgroundImage: `linear-gradient(${top}, ${bottom})` }} />;
}
