import { Field } from '../../parts/field.tsx';
import { type Site, change } from './draft.ts';

const FIELDS = [
  ['display_name', 'Title', 'What your page is called; without it, your name.'],
  ['avatar_url', 'Picture', 'The address of an image; visitors load it from there.'],
  ['bio', 'Bio', undefined],
  ['location', 'Place', undefined],
  ['mood', 'Mood', 'An emoji becomes the icon of the page.'],
] as const;

/** Who the page is about. */
export function Profile({ site }: { site: Site }) {
  return (
    <section class="card">
      <h2>Profile</h2>
      <div class="fields">
        {FIELDS.map(([name, label, hint]) => (
          <Field
            key={name}
            name={name}
            label={label}
            hint={hint}
            dir="auto"
            value={site[name] ?? ''}
            onValue={(text) => change(name, { [name]: text === '' ? null : text })}
            {...(name === 'bio' && { rows: 3 })}
            {...(name === 'avatar_url' && { type: 'url', placeholder: 'https://' })}
          />
        ))}
      </div>
    </section>
  );
}
