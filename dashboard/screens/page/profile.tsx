import { LIMITS } from '../../../contract/limits.ts';
import { Field } from '../../parts/field.tsx';
import { draft } from './current-draft.ts';
import type { Site } from './site.ts';
import { pictureFlaw } from './flaws.ts';
import { MAX_ADDRESS, withScheme, withoutDoubledScheme } from './web-address.ts';

const FIELDS = [
  [
    'display_name',
    'Title',
    LIMITS.siteDisplayName,
    'Shown at the top of your page instead of your name.',
  ],
  ['avatar_url', 'Picture', MAX_ADDRESS, 'Address of an image. Visitors load it from there.'],
  ['bio', 'Bio', LIMITS.bio, undefined],
  ['location', 'Location', LIMITS.location, undefined],
  ['mood', 'Mood', LIMITS.mood, 'An emoji becomes the page icon.'],
] as const;

/** The label of a field of the profile; of another field, its name. */
export function labelOf(field = ''): string {
  return FIELDS.find(([name]) => name === field)?.[1] ?? field;
}

/** Who the page is about. */
export function Profile({ site }: { site: Site }) {
  const set = (name: (typeof FIELDS)[number][0], text: string) =>
    draft.change(name, { [name]: text === '' ? null : text });
  return (
    <section class="card">
      <h2>Profile</h2>
      <div class="fields">
        {FIELDS.map(([name, label, maxLength, hint]) => {
          const value = site[name] ?? '';
          const shared = { name, label, maxLength, hint, dir: 'auto', value } as const;
          return name === 'avatar_url' ? (
            <Field
              key={name}
              {...shared}
              type="url"
              placeholder="https://"
              flaw={pictureFlaw({ avatar_url: withScheme(value) })}
              onValue={(text) => set(name, withoutDoubledScheme(text))}
              onLeave={() => {
                const complete = withScheme(value);
                if (complete !== value) set(name, complete);
              }}
            />
          ) : (
            <Field
              key={name}
              {...shared}
              onValue={(text) => set(name, text)}
              {...(name === 'bio' && { rows: 3 })}
            />
          );
        })}
      </div>
    </section>
  );
}
