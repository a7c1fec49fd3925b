import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { FONT_PAIRS } from '#contract/shared/fonts.ts';
import {
  PAGE_SETTINGS,
  type PageSettingName,
  THEME_DEFAULT,
} from '#contract/shared/page-settings.ts';
import { t } from '#dashboard/translate.ts';
import './design-fonts.ts';

export function OptionTiles({
  name,
  value,
  themeValue,
  themeLabel,
  sample,
  picture,
  themeDrawing,
  onValue,
}: {
  name: PageSettingName;
  value: string;
  /** The option that the theme itself uses. Undefined if none looks the same. */
  themeValue: string | undefined;
  /** Name of the theme. */
  themeLabel: string;
  /** Text in the drawings of buttons, and below “Aa” in those of fonts. */
  sample: string;
  /** Address of the owner's picture. */
  picture: string | undefined;
  /** Drawing of the theme’s own option, if none of the others looks the same. */
  themeDrawing: ComponentChildren;
  onValue: (value: string | undefined) => void;
}) {
  const id = useId();
  const { label, options } = PAGE_SETTINGS[name];
  const tiles = Object.entries<string>(options).filter(
    ([option]) => option !== THEME_DEFAULT || !themeValue || !(themeValue in options),
  );
  const themeTile = tiles.find(([option]) => option === themeValue)?.[0] ?? THEME_DEFAULT;
  tiles.sort(([one], [other]) => Number(other === themeTile) - Number(one === themeTile));
  const selected = tiles.some(([option]) => option === value) ? value : themeTile;
  return (
    <div class="option-set" role="radiogroup" aria-labelledby={id}>
      <h4 id={id}>{label}</h4>
      <div ref={showSelected} class="option-tiles">
        {tiles.map(([option, optionLabel]) => (
          <label key={option} class="option-tile picture-radio">
            <input
              type="radio"
              name={id}
              checked={option === selected}
              onChange={() => onValue(option === themeTile ? undefined : option)}
            />
            <span class={`drawing ${name}-${option}`} aria-hidden="true">
              {option === THEME_DEFAULT && themeDrawing ? (
                themeDrawing
              ) : name === 'fonts' ? (
                <b style={{ fontFamily: fontFamily(option, themeValue) }}>
                  Aa <small>{sample}</small>
                </b>
              ) : name === 'buttons' ? (
                <b>{sample}</b>
              ) : name === 'avatar' && picture && option !== 'none' ? (
                <img src={picture} alt="" referrerpolicy="no-referrer" />
              ) : (
                [1, 2, 3].map((line) => <i key={line} />)
              )}
            </span>
            <span>
              {option === themeTile ? t('As in {theme}', { theme: themeLabel }) : optionLabel}
            </span>
          </label>
        ))}
      </div>
    </div>
  );
}

/** A font that is not in a pair is the theme's own. */
function fontFamily(option: string, themeFont = 'Inter'): string {
  if (!Object.hasOwn(FONT_PAIRS, option)) return themeFont;
  const { body, heading = body }: { body: string; heading?: string } =
    FONT_PAIRS[option as keyof typeof FONT_PAIRS];
  return heading;
}

function showSelected(row: HTMLElement | null): void {
  const tile = row?.querySelector<HTMLElement>('label:has(:checked)');
  if (tile) row!.scrollLeft = tile.offsetLeft - tile.offsetWidth / 2;
}
