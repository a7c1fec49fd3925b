import { type ComponentChildren, Fragment } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { CLUB_THEME_ID } from '#contract/shared/club-theme.ts';
import { isLook, LOOKS } from '#contract/shared/looks.ts';
import { type PageSettingName, THEME_DEFAULT } from '#contract/shared/page-settings.ts';
import { Field } from '#dashboard/components/field.tsx';
import { ICON_PATHS } from '#dashboard/components/icon-paths.ts';
import { Icon } from '#dashboard/components/icon.tsx';
import { withErrorMessage } from '#dashboard/components/messages.tsx';
import { displayName } from '#dashboard/display-name.ts';
import { instance } from '#dashboard/instance.ts';
import { t } from '#dashboard/translate.ts';
import { changeSettings } from './block-actions.ts';
import { draft, themes } from './current-draft.ts';
import {
  customThemeLike,
  designSettingsOf,
  lookOf,
  themeValuesOf,
  thumbnailRequest,
  withDesignSettings,
} from './designs.ts';
import { OptionTiles } from './option-tiles.tsx';
import { type DraftColors, loadPageColors, usePageColors } from './page-colors.ts';
import { pictureSrc } from './picture-file.ts';
import { SettingInputs } from './settings.tsx';
import type { Block, Site } from './site.ts';
import { Thumbnail } from './thumbnail.tsx';
import './theme.css';
import { toSavableColors, isColor, pictureError } from './validation.ts';

const COLOR_FIELDS = [
  ['background_color', t('Background')],
  ['primary_color', t('Headings, buttons')],
  ['text_color', t('Text')],
  ['accent_color', t('Links')],
] as const;
type ColorField = (typeof COLOR_FIELDS)[number][0];

const listSwatches = (): (CustomTheme & { name: string })[] =>
  themes.value.map(({ name, settings: { backgroundColor, textColor, accentColor } }) => ({
    name,
    background_color: backgroundColor,
    primary_color: textColor,
    text_color: textColor,
    accent_color: accentColor,
  }));

export function Theme({ site }: { site: Site }) {
  const { theme_id: themeId, custom_theme: custom } = site;
  const look = lookOf(site.settings);
  // Thumbnails load again after a save, not on each input. The preview endpoint rejects invalid
  // values, which a savable site does not contain.
  const thumbnailSite = useMemo(() => draft.savableSite.peek() ?? site, [draft.version.value]);
  const isPreset = (id: string) => themes.value.some((theme) => theme.id === id);
  const presetId = themeId !== null && isPreset(themeId) ? themeId : undefined;
  const customChoice = themeId === null && custom ? CUSTOM_CHOICE : NO_THEME_CHOICE;
  const selectedChoice = look ?? presetId ?? customChoice;
  const themeName = look ?? themes.value.find(({ id }) => id === themeId)?.name;
  const selectChoice = async (id: string) => {
    const isUnchanged = JSON.stringify(custom) === initialCustomColors;
    const startsFromTheme = id === CUSTOM_CHOICE && themeName && (!custom || isUnchanged);
    // Not the colors of the drawings, which are loaded some time after a change.
    const colors = startsFromTheme && (await withErrorMessage(loadPageColors()));
    const { theme_fonts: clubFonts } = instance.peek();
    const initial = colors && customThemeLike(site, themeName, colors.light, clubFonts);
    if (initial) initialCustomColors = JSON.stringify(initial.custom_theme);
    draft.change('theme', {
      theme_id: isPreset(id) ? id : null,
      ...(id === NO_THEME_CHOICE && { custom_theme: null }),
      ...(id === CUSTOM_CHOICE && { custom_theme: custom ?? {} }),
      // Design settings belong to a theme or look, so another one resets them.
      ...((id !== CUSTOM_CHOICE || look) && {
        settings: withDesignSettings(site.settings, isLook(id) ? { look: id } : {}),
      }),
      ...initial,
    });
  };
  const customColors = toSavableColors(thumbnailSite.custom_theme ?? {});
  const thumbnailOf = (id: string, designSettings?: object, blocks = thumbnailSite.blocks) => {
    const custom_theme = id === CUSTOM_CHOICE ? customColors : null;
    return (
      <Thumbnail
        siteJson={thumbnailRequest(
          { ...thumbnailSite, blocks },
          { theme_id: isPreset(id) ? id : null, custom_theme },
          { ...designSettings, look: isLook(id) ? id : undefined },
        )}
        design={id}
        custom={custom_theme ?? undefined}
        showsLinks={blocks === SAMPLE_LINKS}
      />
    );
  };
  const renderThemeDrawing = (name: PageSettingName) => {
    if (name === 'fonts' || name === 'density') return undefined;
    const showsLinks = name === 'buttons' || name === 'corners';
    return thumbnailOf(selectedChoice, {}, showsLinks ? SAMPLE_LINKS : undefined);
  };
  const presets = themes.value.map(({ id, name }) => [id, name] as const);
  const choices = [
    ...presets.filter(([id]) => id === CLUB_THEME_ID),
    [NO_THEME_CHOICE, t('design|Default')] as const,
    ...presets.filter(([id]) => id !== CLUB_THEME_ID),
    ...Object.entries(LOOKS),
  ] as const;
  return (
    <section class="card" aria-labelledby="theme">
      <h2 id="theme">{t('Theme')}</h2>
      <div class="themes" role="radiogroup" aria-labelledby="theme">
        {choices.map(([id, name]) => (
          <label key={id} class={`theme picture-radio ${id}-theme`}>
            <input
              type="radio"
              name="theme"
              checked={selectedChoice === id}
              onChange={() => void selectChoice(id)}
            />
            {thumbnailOf(id)}
            <span class="block-line">
              {name}
              {selectedChoice === id && (
                <span class="step-marker done">
                  <Icon path={ICON_PATHS.check} />
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      <button
        type="button"
        class="custom-colors"
        aria-pressed={selectedChoice === CUSTOM_CHOICE}
        onClick={() => void selectChoice(CUSTOM_CHOICE)}
      >
        <Icon path={ICON_PATHS.contrast} />
        {t('Custom colors')}
      </button>
      <DesignPanel
        site={site}
        themeName={themeName}
        themeLabel={choices.find(([id]) => id === selectedChoice)?.[1] ?? t('Custom colors')}
        renderThemeDrawing={renderThemeDrawing}
      />
    </section>
  );
}

/** Custom colors that were those of a theme. Unless they are changed, another theme replaces them. */
let initialCustomColors: string | undefined;

const NO_THEME_CHOICE = 'none';
const CUSTOM_CHOICE = 'own';

type CustomTheme = NonNullable<Site['custom_theme']>;

/** The look is one of the themes above. */
const GROUPS: readonly (readonly [title: string, settings: readonly PageSettingName[]])[] = [
  [t('Type and buttons'), ['fonts', 'buttons', 'corners']],
  [t('Layout'), ['background', 'layout', 'avatar', 'density']],
];

/** Two, because a page with one link has a layout of its own. */
const SAMPLE_LINKS = ['1', '2'].map((digit): Block => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  type: 'link',
  enabled: true,
  url: 'https://example.com',
  title: t('Link'),
}));

function DesignPanel({
  site,
  themeName,
  themeLabel,
  renderThemeDrawing,
}: {
  site: Site;
  themeName: string | undefined;
  themeLabel: string;
  renderThemeDrawing: (name: PageSettingName) => ComponentChildren;
}) {
  const { theme_id: themeId, custom_theme: custom } = site;
  const { colors, style } = usePageColors();
  const values = designSettingsOf(site.settings);
  const themeValues = themeValuesOf(site, themeName, instance.value.theme_fonts);
  const picture = site.avatar_url && !pictureError(site) ? pictureSrc(site.avatar_url) : undefined;
  return (
    <div class="design page-colors" style={style}>
      {themeId === null && custom && !lookOf(site.settings) && (
        <CustomThemeForm custom={custom} colors={colors} />
      )}
      {GROUPS.map(([title, names]) => (
        <section key={title}>
          <h3>{title}</h3>
          {names.map((name) => (
            <Fragment key={name}>
              <OptionTiles
                // Another theme selects other options, which a new component scrolls to.
                key={themeName}
                name={name}
                value={String(values[name] ?? THEME_DEFAULT)}
                themeValue={themeValues[name]}
                themeLabel={themeLabel}
                sample={fittedName(site.display_name || (displayName.value ?? ''))}
                picture={picture}
                themeDrawing={renderThemeDrawing(name)}
                onValue={(value) => changeSettings({ [name]: value })}
              />
              {name === 'background' && values['background'] === 'picture' && (
                <SettingInputs site={site} names={['background_picture']} />
              )}
            </Fragment>
          ))}
        </section>
      ))}
    </div>
  );
}

const MAX_SAMPLE_LENGTH = 9;

/** The first name, which is never cut: without one that fits, a sample. */
function fittedName(name: string): string {
  const first = name.split(/[ -]/)[0]!;
  const capitalized = first.charAt(0).toLocaleUpperCase() + first.slice(1);
  return first && first.length <= MAX_SAMPLE_LENGTH ? capitalized : t('Hello');
}

function CustomThemeForm({
  custom,
  colors,
}: {
  custom: CustomTheme;
  colors: DraftColors | undefined;
}) {
  const id = useId();
  const setField = (name: keyof CustomTheme, value: string) => {
    const { [name]: _old, ...rest } = custom;
    draft.change(`theme ${name}`, {
      custom_theme: value === '' ? rest : { ...rest, [name]: value },
    });
  };
  return (
    <div class="option-set">
      <h4 id={id}>{t('Colors')}</h4>
      <div class="swatches" role="radiogroup" aria-labelledby={id}>
        {listSwatches().map(({ name, ...swatch }) => (
          <label key={name} class="option-tile picture-radio" title={name}>
            <input
              type="radio"
              name={id}
              aria-label={name}
              checked={COLOR_FIELDS.every(([field]) => custom[field] === swatch[field])}
              onChange={() => {
                const { font_family: font } = custom;
                draft.change('theme colors', {
                  custom_theme: { ...swatch, ...(font && { font_family: font }) },
                });
              }}
            />
            <span
              class="drawing"
              style={{ background: swatch.background_color, color: swatch.primary_color }}
            >
              <b>Aa</b>
              <i style={{ background: swatch.accent_color }} />
            </span>
          </label>
        ))}
      </div>
      <div class="fields">
        {COLOR_FIELDS.map(([field, label]) => (
          <div key={field} class="color-field">
            <input
              type="color"
              aria-label={t('{label}: choose', { label })}
              value={pickerColor(custom[field]) ?? colors?.light[renderedField(field)] ?? '#888888'}
              onInput={(event) => setField(field, event.currentTarget.value)}
            />
            <Field
              name={`custom_theme.${field}`}
              label={label}
              placeholder={colors?.light[renderedField(field)]}
              spellcheck={false}
              value={custom[field] ?? ''}
              onValue={(text) => setField(field, text)}
              error={
                custom[field] === undefined || isColor(custom[field])
                  ? undefined
                  : t('{label} must be a color such as #1d4ed8.', { label })
              }
              hint={
                (colors && contrastNote(custom[field], colors, field)) ??
                (field === 'background_color' && custom[field]
                  ? t('The same in light and dark mode.')
                  : undefined)
              }
            />
          </div>
        ))}
      </div>
    </div>
  );
}

/** A custom color as `<input type="color">` needs it. Undefined if it is not valid. */
function pickerColor(customColor: string | undefined): string | undefined {
  return customColor !== undefined && isColor(customColor) ? customColor.toLowerCase() : undefined;
}

type RenderedColors = Record<ColorField | 'button_color', string>;

/** Name of the rendered color that a swatch shows. The primary color is most visible on buttons. */
function renderedField(field: ColorField): keyof RenderedColors {
  return field === 'primary_color' ? 'button_color' : field;
}

/** Tells the user if a custom color is rendered differently to keep text readable. */
function contrastNote(
  custom: string | undefined,
  { light, dark }: { light: Record<ColorField, string>; dark: Record<ColorField, string> },
  field: ColorField,
): string | undefined {
  if (!custom || !/^#[0-9a-f]{6}$/i.test(custom)) return undefined;
  const shown = { light: light[field], dark: dark[field] };
  if (Object.values(shown).every((color) => color === custom.toLowerCase())) return undefined;
  return shown.light === shown.dark
    ? t('Shown as {color}, for better contrast.', { color: shown.light })
    : t('Shown as {light} in light mode and {dark} in dark mode, for better contrast.', shown);
}
