import { api } from '../../api/api.ts';
import { Field } from '../../parts/field.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { type Block, changeBlock } from './draft.ts';
import { JsonForm } from './json-form.tsx';
import { type BlockField, KINDS } from './kinds.ts';
import { LinksField } from './links-field.tsx';
import { fieldTime, storedTime } from './zoned-time.ts';

/** The form of a block: a field for each that pages read; of a kind that they do not know, JSON. */
export function BlockForm({ block, index }: { block: Block; index: number }) {
  const kind = KINDS[block.type];
  if (!kind) return <JsonForm block={block} />;
  if (kind.fields.length === 0) return <p class="muted">It has nothing to fill in.</p>;
  return (
    <div class="fields">
      {kind.fields.map((field) => (
        <BlockFieldInput key={field.name} block={block} index={index} field={field} />
      ))}
    </div>
  );
}

interface InputProps {
  block: Block;
  index: number;
  field: BlockField;
}

function BlockFieldInput({ block, index, field }: InputProps) {
  const { name, label, kind, usually = false } = field;
  const value = block[name];
  const set = (next: unknown) => changeBlock(block.id, name, { [name]: next });
  if (kind === 'links') return <LinksField label={label} value={value} onValue={set} />;
  if (kind === 'flag')
    return (
      <Switch label={label} on={typeof value === 'boolean' ? value : usually} onSwitch={set} />
    );
  const shared = { name: `blocks.${index}.${name}`, label, hint: field.hint, value: textOf(value) };
  // A text block without a text, or a link without an address, is none.
  const isNeeded =
    (block.type === 'text' && name === 'content') || (block.type === 'link' && name === 'url');
  const setText = (text: string) => set(text === '' && !isNeeded ? undefined : text);
  switch (kind) {
    case 'area':
      return <Field {...shared} rows={4} onValue={setText} />;
    case 'number':
      return (
        <Field
          {...shared}
          type="number"
          onValue={(text) => set(text === '' ? undefined : Number(text))}
        />
      );
    case 'time':
      return (
        <Field
          {...shared}
          type="datetime-local"
          value={fieldTime(block, shared.value)}
          onValue={(text) => set(storedTime(block, text))}
        />
      );
    case 'zone':
      return <Field {...shared} options={zoneOptions(shared.value)} onValue={setText} />;
    case 'choice':
      return (
        <Field
          {...shared}
          options={(field.options ?? []).map((option) => [option, option])}
          onValue={setText}
        />
      );
    case 'project':
      return <ProjectField {...shared} onValue={setText} />;
    default:
      return <Field {...shared} type={kind} onValue={setText} />;
  }
}

function ProjectField(props: {
  name: string;
  label: string;
  value: string;
  onValue: (id: string) => void;
}) {
  const projects = useLoaded(() => api.stats.getProjects()).value?.projects ?? [];
  const options = projects.map(({ id, name }) => [id, name] as const);
  const isKnown = projects.some(({ id }) => id === props.value);
  return (
    <Field
      {...props}
      options={
        isKnown ? options : [[props.value, props.value ? 'Unknown' : 'Choose one'], ...options]
      }
    />
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** All time zones, and the one that is chosen, which the browser may not know. */
function zoneOptions(chosen: string): (readonly [string, string])[] {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), chosen]);
  zones.delete('');
  zones.delete('UTC');
  return [['', 'UTC'], ...[...zones].map((zone) => [zone, zone.replaceAll('_', ' ')] as const)];
}
