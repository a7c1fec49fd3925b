import { Field } from '../../parts/field.tsx';

type Item = Readonly<Record<string, unknown>>;

/** A list of links, each with an address and a name. */
export function LinksField({
  label,
  value,
  onValue,
}: {
  label: string;
  value: unknown;
  onValue: (items: Item[]) => void;
}) {
  const items = (Array.isArray(value) ? value : []) as Item[];
  const set = (index: number, changes: Item) =>
    onValue(items.map((item, at) => (at === index ? { ...item, ...changes } : item)));
  return (
    <fieldset>
      <legend>{label}</legend>
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they have no ids, and their order stays
        <div key={index} class="item">
          {(['label', 'url'] as const).map((name) => (
            <Field
              key={name}
              name={`items.${index}.${name}`}
              label={name === 'url' ? `Address ${index + 1}` : `Name ${index + 1}`}
              value={String(item[name] ?? '')}
              onValue={(text) => set(index, { [name]: text })}
            />
          ))}
          <button
            type="button"
            class="small"
            onClick={() => onValue(items.filter((_item, at) => at !== index))}
          >
            Remove<span class="unseen"> link {index + 1}</span>
          </button>
        </div>
      ))}
      <button
        type="button"
        class="small"
        onClick={() => onValue([...items, { label: '', url: '' }])}
      >
        Add a link
      </button>
    </fieldset>
  );
}
