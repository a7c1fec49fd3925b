import { type BlockField, SETTINGS_BLOCK } from '#contract/shared/blocks.ts';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import { owner } from '#dashboard/api/api.ts';
import { RadioCards } from '#dashboard/components/radio-cards.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { setPageVisibility, VISIBILITIES } from '#dashboard/page-visibility.ts';
import { t } from '#dashboard/translate.ts';
import { changeSettings } from './block-actions.ts';
import { FieldInput } from './block-field.tsx';
import type { Site } from './site.ts';
import { canSetVisibility, type SiteStatus } from './view-page-button.tsx';

export function SettingInputs({ site, names }: { site: Site; names: readonly string[] }) {
  const fields: Readonly<Record<string, BlockField>> = SETTINGS_BLOCK.fields;
  return (
    <>
      {names.map((name) => {
        const field = fields[name]!;
        return (
          <FieldInput
            key={name}
            path={site.settings?.id ?? 'page'}
            name={name}
            field={field}
            label={field.label}
            values={site.settings?.fields ?? {}}
            onFieldsChange={changeSettings}
          />
        );
      })}
    </>
  );
}

export function Settings({ site, status }: { site: Site; status: SiteStatus }) {
  const before = status.value;
  const changeVisibility = async (visibility: PageVisibility) => {
    await setPageVisibility(visibility, { before, onUndo: status.reload });
    status.reload();
  };
  return (
    <section class="card" aria-labelledby="settings">
      <h2 id="settings">{t('Settings')}</h2>
      <div class="fields">
        {before && canSetVisibility() && (
          <RadioCards
            label={t('Who can see your page')}
            value={before}
            options={VISIBILITIES}
            onValue={(visibility) => void changeVisibility(visibility)}
          />
        )}
        <SettingInputs site={site} names={['lang', 'fediverse', 'bluesky', 'indexing']} />
        {before === 'public' && <ListedFrom />}
      </div>
    </section>
  );
}

const dateFormat = new Intl.DateTimeFormat(t.locale, { day: 'numeric', month: 'long' });

/** Pages of new accounts are kept from search engines for a while. */
function ListedFrom() {
  const { value } = useAsync(() => owner.page.getPageViews({ days: 1 }));
  if (!value?.listed_from) return null;
  const day = dateFormat.format(new Date(value.listed_from));
  return <p class="hint">{t('Search engines may list your page from {day}.', { day })}</p>;
}
