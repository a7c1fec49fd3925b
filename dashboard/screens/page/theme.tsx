import { FONT_FAMILIES } from '../../../contract/fonts.ts';
import { owner } from '../../api/api.ts';
import { Field } from '../../parts/field.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { draft, themes } from './current-draft.ts';
import type { Site } from './site.ts';
import { finishedColours, isColour } from './flaws.ts';
import { useDebounced } from './use-debounced.ts';

const COLOURS = [
  ['background_color', 'Background'],
  ['primary_color', 'Headings, buttons'],
  ['text_color', 'Text'],
  ['accent_color', 'Links'],
] as const;
type Role = (typeof COLOURS)[number][0];

/** Theme of the page: one of the presets, colours of one's own, or what the visitor has. */
export function Theme({ site }: { site: Site }) {
  const { theme_id: preset, custom_theme: custom } = site;
  const choice = preset ?? (custom ? 'own' : 'none');
  const choose = (id: string) =>
    draft.change('theme', {
      theme_id: id === 'own' || id === 'none' ? null : id,
      ...(id === 'none' && { custom_theme: null }),
      ...(id === 'own' && { custom_theme: custom ?? {} }),
    });
  return (
    <section class="card">
      <h2>Theme</h2>
      <div class="swatches" role="radiogroup" aria-label="Theme">
        <Swatch id="none" name="Automatic" choice={choice} onChoose={choose} />
        {themes.value.map(({ id, name, settings }) => (
          <Swatch
            key={id}
            id={id}
            name={name}
            choice={choice}
            onChoose={choose}
            colours={[settings.backgroundColor, settings.textColor, settings.accentColor]}
          />
        ))}
        <Swatch
          id="own"
          name="Custom"
          choice={choice}
          onChoose={choose}
          colours={COLOURS.map(([role]) => custom?.[role]).filter((colour) => colour !== undefined)}
        />
      </div>
      {choice === 'own' && <OwnTheme custom={custom ?? {}} />}
    </section>
  );
}

interface SwatchProps {
  id: string;
  name: string;
  choice: string;
  onChoose: (id: string) => void;
  colours?: readonly string[];
}

function Swatch({ id, name, choice, onChoose, colours = [] }: SwatchProps) {
  const width = 24 / Math.max(1, colours.length);
  return (
    <label class="swatch">
      <input type="radio" name="theme" checked={choice === id} onChange={() => onChoose(id)} />
      <svg
        viewBox="0 0 24 16"
        preserveAspectRatio="none"
        aria-hidden="true"
        class={id === 'none' ? 'either' : undefined}
      >
        {colours.map((colour, at) => (
          <rect key={`${at} ${colour}`} x={at * width} width={width} height="16" fill={colour} />
        ))}
      </svg>
      <span>{name}</span>
    </label>
  );
}

type Custom = NonNullable<Site['custom_theme']>;

function OwnTheme({ custom }: { custom: Custom }) {
  const debounced = useDebounced(JSON.stringify(finishedColours(custom)));
  const shown = useLoaded(
    () => owner.page.preview({ theme_id: null, custom_theme: JSON.parse(debounced) as Custom }),
    [debounced],
  );
  const colours = shown.failure ? undefined : shown.value?.colours;
  const set = (name: keyof Custom, value: string) => {
    const { [name]: _old, ...rest } = custom;
    draft.change(`theme ${name}`, {
      custom_theme: value === '' ? rest : { ...rest, [name]: value },
    });
  };
  return (
    <div class="fields">
      {COLOURS.map(([role, label]) => (
        <div key={role} class="colour">
          <input
            type="color"
            aria-label={`${label}: choose`}
            value={shownColour(custom[role]) ?? colours?.light[usedAs(role)] ?? '#888888'}
            onInput={(event) => set(role, event.currentTarget.value)}
          />
          <Field
            name={`custom_theme.${role}`}
            label={label}
            placeholder={colours ? usualWords(role, colours.light) : ''}
            spellcheck={false}
            value={custom[role] ?? ''}
            onValue={(text) => set(role, text)}
            flaw={
              custom[role] === undefined || isColour(custom[role])
                ? undefined
                : `${label} must be a colour such as #1d4ed8.`
            }
            hint={colours && contrastWords(custom[role], colours, role)}
          />
        </div>
      ))}
      <Field
        name="custom_theme.font_family"
        label="Font"
        value={custom.font_family ?? ''}
        onValue={(text) => set('font_family', text)}
        options={fontsWith(custom.font_family)}
      />
    </div>
  );
}

function fontsWith(own: string | undefined): [string, string][] {
  const all = own && !FONT_FAMILIES.includes(own) ? [...FONT_FAMILIES, own] : FONT_FAMILIES;
  return [['', 'Visitor’s default'], ...all.map((name): [string, string] => [name, name])];
}

/** A colour that was chosen, in the form that the browser's field takes. */
function shownColour(chosen: string | undefined): string | undefined {
  return chosen !== undefined && isColour(chosen) ? chosen.toLowerCase() : undefined;
}

type Shown = Record<Role | 'button_color', string>;

/** The colour of a page that a swatch shows: buttons are the larger part of what has the first colour. */
function usedAs(role: Role): keyof Shown {
  return role === 'primary_color' ? 'button_color' : role;
}

/** Words for the colour that is used where none was chosen. */
function usualWords(role: Role, shown: Shown): string {
  const usual = shown[role];
  return role === 'primary_color' && shown.button_color !== usual
    ? `${usual}, buttons ${shown.button_color}`
    : `${usual} by default`;
}

/** Words for a colour that is not shown as it was chosen. */
function contrastWords(
  wanted: string | undefined,
  { light, dark }: { light: Record<Role, string>; dark: Record<Role, string> },
  role: Role,
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
