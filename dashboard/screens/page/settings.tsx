import type { ComponentChildren } from 'preact';
import { BLOCKS } from '../../../contract/blocks.ts';
import { changeSettings } from './block-actions.ts';
import { FieldInput } from './block-field.tsx';
import { isSettings } from './kinds.ts';
import type { Site } from './site.ts';

/** Inputs for some settings of the page. */
export function SettingInputs({ site, names }: { site: Site; names: readonly string[] }) {
  const block = site.blocks.find(isSettings);
  return (
    <>
      {names.map((name) => {
        const field = BLOCKS.page.fields[name]!;
        return (
          <FieldInput
            key={name}
            path={block?.id ?? 'page'}
            name={name}
            field={field}
            label={field.label}
            holder={block ?? {}}
            onChange={changeSettings}
          />
        );
      })}
    </>
  );
}

/** Settings that are about the page as a whole and not about its looks. */
export function Settings({ site, children }: { site: Site; children: ComponentChildren }) {
  return (
    <section class="card" aria-labelledby="settings">
      <div class="card-head">
        <h2 id="settings">Settings</h2>
        {children}
      </div>
      <div class="fields">
        <SettingInputs site={site} names={['lang', 'fediverse', 'indexing']} />
      </div>
    </section>
  );
}
