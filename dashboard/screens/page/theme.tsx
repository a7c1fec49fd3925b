import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { FONT_FAMILIES } from '#contract/fonts.ts';
import { DESIGN_PRESETS } from '#contract/design-presets.ts';
import { owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/parts/field.tsx';
import { Icon } from '#dashboard/parts/icon.tsx';
import { LINES } from '#dashboard/parts/icon-lines.ts';
import { useLoaded } from '#dashboard/parts/use-loaded.ts';
import { draft, themes } from './current-draft.ts';
import {
  DESIGN_SETTINGS,
  designOf,
  matchingLook,
  thumbnailRequest,
  withDesign,
} from './designs.ts';
import { savableColours, isColour } from './validation.ts';
import { SettingInputs } from './settings.tsx';
import type { Site } from './site.ts';
import { Thumbnail } from './thumbnail.tsx';
import { useDebounced } from './use-debounced.ts';

const COLOUR_FIELDS = [
  ['background_color', 'Background'],
  ['primary_color', 'Headings, buttons'],
  ['text_color', 'Text'],
  ['accent_color', 'Links'],
] as const;
type ColourField = (typeof COLOUR_FIELDS)[number][0];

/** Theme of the page: a thumbnail for each, and what can be changed of the one that is chosen. */
export function Theme({ site }: { site: Site }) {
  const { theme_id: preset, custom_theme: custom } = site;
  const look = preset === null ? matchingLook(site) : undefined;
  const choice = preset ?? look?.id ?? (custom ? CUSTOM : NO_THEME);
  const isAdjusting = useSignal(false);
  const card = useRef<HTMLElement>(null);
  // Unfinished changes are no part of a page yet.
  const shown = useThumbnailSite(card, draft.savable.value ?? site);
  const choose = (id: string) => {
    const chosen = DESIGN_PRESETS.find((other) => other.id === id);
    const isPreset = themes.value.some((theme) => theme.id === id);
    draft.change('theme', {
      theme_id: isPreset ? id : null,
      ...(id === NO_THEME && { custom_theme: null }),
      ...(id === CUSTOM && { custom_theme: custom ?? {} }),
      ...(chosen && { custom_theme: chosen.custom_theme }),
      // Adjustments of another theme are no part of this one.
      ...(id !== CUSTOM && { settings: withDesign(site.settings, chosen?.page) }),
    });
    if (id === CUSTOM) isAdjusting.value = true;
  };
  const choices = [
    {
      id: NO_THEME,
      name: 'Default',
      picture: thumbnailRequest(shown, { theme_id: null, custom_theme: null }),
    },
    ...themes.value.map(({ id, name }) => ({
      id,
      name,
      picture: thumbnailRequest(shown, { theme_id: id, custom_theme: null }),
    })),
    ...DESIGN_PRESETS.map(({ id, name, custom_theme, page }) => ({
      id,
      name,
      picture: thumbnailRequest(shown, { theme_id: null, custom_theme }, page),
    })),
    {
      id: CUSTOM,
      name: 'Custom',
      picture: thumbnailRequest(
        shown,
        { theme_id: null, custom_theme: savableColours(shown.custom_theme ?? {}) },
        designOf(shown.settings),
      ),
    },
  ];
  return (
    <section ref={card} class="card" aria-labelledby="theme">
      <div class="card-head">
        <h2 id="theme">Theme</h2>
        <button
          type="button"
          class="quiet"
          aria-expanded={isAdjusting.value}
          onClick={() => (isAdjusting.value = !isAdjusting.value)}
        >
          <Icon lines={PALETTE_ICON} />
          Design
        </button>
      </div>
      <div class="themes" role="radiogroup" aria-labelledby="theme">
        {choices.map(({ id, name, picture }) => (
          <label key={id} class="theme">
            <input type="radio" name="theme" checked={choice === id} onChange={() => choose(id)} />
            <Thumbnail site={picture} />
            <span class="block-line">
              {name}
              {choice === id && (
                <span class="tick done">
                  <Icon lines={LINES.check} />
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {isAdjusting.value && (
        <div class="design">
          <div class="fields">
            <SettingInputs
              site={site}
              names={DESIGN_SETTINGS.filter(
                (name) =>
                  name !== 'background_picture' ||
                  designOf(site.settings)['background'] === 'picture',
              )}
            />
          </div>
          {preset === null && custom ? (
            <CustomThemeForm custom={custom ?? {}} />
          ) : (
            <p class="hint">Choose Custom to pick your own colours.</p>
          )}
        </div>
      )}
    </section>
  );
}

const NO_THEME = 'none';
const CUSTOM = 'own';
const PALETTE_ICON =
  'M8 14.2A6.2 6.2 0 1 1 14.2 8c0 1.7-1.3 2.7-2.8 2.7H9.8c-1.3 0-1.8 1.2-1 2.1.6.7.2 1.4-.8 1.4M5 8.2v.01M6.3 5.2v.01M9.7 5.2v.01M11.3 8v.01';

/** The site that thumbnails show: as it is whenever the card comes into sight. They do not follow each letter. */
function useThumbnailSite(card: RefObject<HTMLElement | null>, site: Site): Site {
  const shown = useSignal(site);
  const latest = useRef(site);
  latest.current = site;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry!.isIntersecting) shown.value = latest.current;
    });
    observer.observe(card.current!);
    return () => observer.disconnect();
  }, []);
  const { version } = draft;
  useEffect(() => {
    shown.value = latest.current;
  }, [version.value]);
  return shown.value;
}

type CustomTheme = NonNullable<Site['custom_theme']>;

function CustomThemeForm({ custom }: { custom: CustomTheme }) {
  const debounced = useDebounced(JSON.stringify(savableColours(custom)));
  const shown = useLoaded(
    () =>
      owner.page.preview({ theme_id: null, custom_theme: JSON.parse(debounced) as CustomTheme }),
    [debounced],
  );
  const colours = shown.failure ? undefined : shown.value?.colours;
  const set = (name: keyof CustomTheme, value: string) => {
    const { [name]: _old, ...rest } = custom;
    draft.change(`theme ${name}`, {
      custom_theme: value === '' ? rest : { ...rest, [name]: value },
    });
  };
  return (
    <div class="fields">
      {COLOUR_FIELDS.map(([role, label]) => (
        <div key={role} class="colour">
          <input
            type="color"
            aria-label={`${label}: choose`}
            value={pickerColour(custom[role]) ?? colours?.light[renderedField(role)] ?? '#888888'}
            onInput={(event) => set(role, event.currentTarget.value)}
          />
          <Field
            name={`custom_theme.${role}`}
            label={label}
            placeholder={colours ? defaultColourText(role, colours.light) : ''}
            spellcheck={false}
            value={custom[role] ?? ''}
            onValue={(text) => set(role, text)}
            flaw={
              custom[role] === undefined || isColour(custom[role])
                ? undefined
                : `${label} must be a colour such as #1d4ed8.`
            }
            hint={colours && contrastNote(custom[role], colours, role)}
          />
        </div>
      ))}
      <Field
        name="custom_theme.font_family"
        label="Font"
        value={custom.font_family ?? ''}
        onValue={(text) => set('font_family', text)}
        options={fontOptions(custom.font_family)}
      />
    </div>
  );
}

function fontOptions(own: string | undefined): [string, string][] {
  const all = own && !FONT_FAMILIES.includes(own) ? [...FONT_FAMILIES, own] : FONT_FAMILIES;
  return [['', 'Visitor’s default'], ...all.map((name): [string, string] => [name, name])];
}

/** A colour that was chosen, in the form that the browser's field takes. */
function pickerColour(chosen: string | undefined): string | undefined {
  return chosen !== undefined && isColour(chosen) ? chosen.toLowerCase() : undefined;
}

type RenderedColours = Record<ColourField | 'button_color', string>;

/** The colour of a page that a swatch shows: buttons are the larger part of what has the first colour. */
function renderedField(role: ColourField): keyof RenderedColours {
  return role === 'primary_color' ? 'button_color' : role;
}

/** Words for the colour that is used where none was chosen. */
function defaultColourText(role: ColourField, shown: RenderedColours): string {
  const usual = shown[role];
  return role === 'primary_color' && shown.button_color !== usual
    ? `${usual}, buttons ${shown.button_color}`
    : `${usual} by default`;
}

/** Words for a colour that is not shown as it was chosen. */
function contrastNote(
  wanted: string | undefined,
  { light, dark }: { light: Record<ColourField, string>; dark: Record<ColourField, string> },
  role: ColourField,
): string | undefined {
  if (!wanted || !/^#[0-9a-f]{6}$/i.test(wanted)) return undefined;
  const other = [light[role], dark[role]].filter((colour) => colour !== wanted.toLowerCase());
  if (other.length === 0) return undefined;
  const [first] = other;
  if (light[role] === dark[role]) return `Shown as ${first}, so that it can be read.`;
  return other.length === 2
    ? `Shown as ${light[role]}, in dark mode as ${dark[role]}, so that it can be read.`
    : `Shown as ${first} in ${light[role] === first ? 'light' : 'dark'} mode, so that it can be read.`;
}
