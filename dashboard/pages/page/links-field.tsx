import { Field } from '../../parts/field.tsx';
import { addressFlaw } from './flaws.ts';
import { MAX_ADDRESS, withScheme, withoutDoubledScheme } from './web-address.ts';

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
          <Field
            name={`items.${index}.label`}
            label={`Name ${index + 1}`}
            value={textOf(item['label'])}
            onValue={(text) => set(index, { label: text })}
          />
          <AddressField
            number={index + 1}
            value={textOf(item['url'])}
            onValue={(url) => set(index, { url })}
          />
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

function AddressField({
  number,
  value,
  onValue,
}: {
  number: number;
  value: string;
  onValue: (url: string) => void;
}) {
  const label = `Address ${number}`;
  return (
    <Field
      name={`items.${number - 1}.url`}
      label={label}
      type="url"
      placeholder="https://"
      maxLength={MAX_ADDRESS}
      value={value}
      flaw={value ? addressFlaw(label, withScheme(value), true) : undefined}
      onValue={(text) => onValue(withoutDoubledScheme(text))}
      onLeave={() => {
        const complete = withScheme(value);
        if (complete !== value) onValue(complete);
      }}
    />
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
