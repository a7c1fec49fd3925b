import { useId } from 'preact/hooks';
import { plateColors } from '#contract/shared/plate-colors.ts';
import { t } from '#dashboard/translate.ts';

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
      <h2>{t('Color')}</h2>
      <p class="hint">{t('For name plates, links, charts and icons.')}</p>
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
          {isCustom ? <Swatch color={value} /> : <span class="plate off">+</span>}
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
  return <span class="plate" style={{ '--plate-1': top, '--plate-2': bottom }} />;
}

/** An empty color is the default. White text is readable on all of them. */
const ENAMELS = [
  ['', t('Bottle green')],
  ['#1f5b96', t('Harbor blue')],
  ['#b8322c', t('Signal red')],
  ['#7e2f35', t('Oxblood')],
  ['#6a3f86', t('Plum')],
  ['#14707d', t('Petrol')],
  ['#56616e', t('Slate')],
  ['#7a5236', t('Cocoa')],
  ['#33342f', t('Ink')],
] as const;
