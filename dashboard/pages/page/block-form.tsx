import { api, owner } from '../../api/api.ts';
import { Field } from '../../parts/field.tsx';
import { Switch } from '../../parts/switch.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { changeBlock } from './draft.ts';
import type { Block } from './site.ts';
import { addressFlaw, blockFlaw } from './flaws.ts';
import { JsonForm } from './json-form.tsx';
import { type BlockField, KINDS } from './kinds.ts';
import { LinksField } from './links-field.tsx';
import { MAX_ADDRESS, withScheme, withoutDoubledScheme } from './web-address.ts';
import { fieldTime, storedTime } from './zoned-time.ts';

/** The form of a block: a field for each that pages read; of a kind that they do not know, JSON. */
export function BlockForm({ block }: { block: Block }) {
  const kind = KINDS[block.type];
  if (!kind) return <JsonForm block={block} />;
  if (kind.fields.length === 0) return <p class="muted">It has nothing to fill in.</p>;
  return (
    <div class="fields">
      {kind.fields.map((field) => (
        <BlockFieldInput key={field.name} block={block} field={field} />
      ))}
    </div>
  );
}

interface InputProps {
  block: Block;
  field: BlockField;
}

function BlockFieldInput({ block, field }: InputProps) {
  const { name, label, kind, usually = false, maxLength } = field;
  const value = block[name];
  const set = (next: unknown) => changeBlock(block.id, name, { [name]: next });
  if (kind === 'links') return <LinksField label={label} value={value} onValue={set} />;
  if (kind === 'flag')
    return (
      <Switch label={label} on={typeof value === 'boolean' ? value : usually} onSwitch={set} />
    );
  const text = textOf(value);
  const shared = {
    name: `${block.id}.${name}`,
    label,
    hint: field.hint,
    value: text,
    flaw: flawOf(block, field, text),
    ...(maxLength !== undefined && { maxLength }),
  };
  // A text block without a text, or a link without an address, is none.
  const isNeeded =
    (block.type === 'text' && name === 'content') || (block.type === 'link' && name === 'url');
  const setText = (typed: string) => set(typed === '' && !isNeeded ? undefined : typed);
  switch (kind) {
    case 'area':
      return <Field {...shared} rows={4} onValue={setText} />;
    case 'number':
      return (
        <Field
          {...shared}
          type="number"
          onValue={(typed) => set(typed === '' ? undefined : Number(typed))}
        />
      );
    case 'time':
      return (
        <Field
          {...shared}
          type="datetime-local"
          value={fieldTime(block, shared.value)}
          onValue={(typed) => set(storedTime(block, typed))}
        />
      );
    case 'zone':
      return <Field {...shared} options={zoneOptions(shared.value)} onValue={setText} />;
    case 'choice':
      return (
        <Field
          {...shared}
          // What pages take where nothing was chosen.
          value={text || (field.options?.[0]?.[0] ?? '')}
          options={field.options ?? []}
          onValue={setText}
        />
      );
    case 'project':
      return <ProjectField {...shared} onValue={setText} />;
    case 'metric':
      return <MetricField {...shared} projectId={textOf(block['project'])} onValue={setText} />;
    case 'url':
      return (
        <Field
          {...shared}
          type="url"
          placeholder="https://"
          maxLength={MAX_ADDRESS}
          onValue={(typed) => setText(withoutDoubledScheme(typed))}
          onLeave={() => {
            const complete = withScheme(text);
            if (complete !== text) setText(complete);
          }}
        />
      );
    default:
      return <Field {...shared} type={kind} onValue={setText} />;
  }
}

function flawOf(block: Block, { name, label, kind }: BlockField, text: string): string | undefined {
  if (kind !== 'url') return undefined;
  // While an address is typed, its scheme is not there yet.
  if (name === 'url') return blockFlaw({ ...block, url: withScheme(text) })?.sentence;
  return text ? addressFlaw(label, withScheme(text)) : undefined;
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

/** A field of a project's metrics: of those that a block can show, which are numbers and have no dots in their keys. */
function MetricField({
  projectId,
  ...props
}: {
  projectId: string;
  name: string;
  label: string;
  value: string;
  onValue: (path: string) => void;
}) {
  const described = useLoaded(
    async () => (projectId ? await owner.metrics.describeMetrics({ projectId }) : undefined),
    [projectId],
  );
  const paths = (described.value?.fields ?? [])
    .filter(
      ({ path, types }) => types.includes('number') && path.every((key) => !key.includes('.')),
    )
    .map(({ path }) => path.join('.'));
  const all = props.value && !paths.includes(props.value) ? [...paths, props.value] : paths;
  return (
    <Field
      {...props}
      hint={projectId ? described.failure : 'Choose a project first.'}
      options={[['', 'Number of metrics'], ...all.map((path) => [path, path] as const)]}
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
