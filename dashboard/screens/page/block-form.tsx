import { type ComponentChildren, Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import type { BlockField } from '#contract/shared/blocks.ts';
import { blockDefinition } from '#contract/shared/blocks.ts';
import { owner } from '#dashboard/api/api.ts';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { hasDeveloperTools } from '#dashboard/current-account.ts';
import { isOn } from '#dashboard/facts.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { canMailLoginLinks } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import { serviceIcon, serviceName } from '#page/icons/service-hosts.ts';
import { FieldInput, isFieldShown } from './block-field.tsx';
import { BlockCover } from './cover-field.tsx';
import { draft } from './current-draft.ts';
import { JsonForm } from './json-form.tsx';
import { withServiceTitle } from './prefill.ts';
import { shownLinkIds } from './preview-document.ts';
import type { Block } from './site.ts';
import { formatDay, nextDatesOf, skipsMonths } from './zoned-time.ts';

/** Fields under “More options”. For links, all fields except the address and title. */
const ADVANCED_FIELDS = new Set([
  'from',
  'until',
  'me',
  'width',
  'height',
  'link',
  'language',
  'size',
]);

/** Advanced fields in a section of their own. */
const SCHEDULE_FIELDS = new Set(['from', 'until']);

/** Suggested starts of a new link’s address. */
const SERVICE_URL_PREFIXES = [
  'https://instagram.com/',
  'https://youtube.com/@',
  'https://tiktok.com/@',
  'https://github.com/',
  'https://linkedin.com/in/',
  'https://wa.me/',
];

/** Fields of a link that the form shows as one choice: a row, a half, a third or featured. */
const SIZE_FIELDS = new Set(['half', 'featured', 'size']);

export function BlockForm({ block }: { block: Block }) {
  const definition = blockDefinition(block.type);
  if (!definition)
    return hasDeveloperTools.value ? (
      <JsonForm block={block} />
    ) : (
      <p class="muted">
        {t('A program added this block. Turn on developer tools in Settings to edit it.')}
      </p>
    );
  const fields = Object.entries(definition.fields);
  if (fields.length === 0) return <p class="muted">{t('This block has no settings.')}</p>;
  const isLink = block.type === 'link';
  const isPlainLink = block.type === 'embed' && shownLinkIds.value.has(block.id);
  const inputs = fields.filter(
    ([name, field]) =>
      isFieldShown(block, name, field) &&
      !(isLink && SIZE_FIELDS.has(name)) &&
      !(isPlainLink && name === 'inline'),
  );
  const isAdvanced = ([name, { required }]: [string, BlockField]) =>
    !required && (isLink ? name !== 'title' : ADVANCED_FIELDS.has(name));
  const advanced = inputs.filter(isAdvanced);
  const schedule = advanced.filter(([name]) => SCHEDULE_FIELDS.has(name));
  const hasAdvancedValue = (isLink ? fields : inputs)
    .filter(isAdvanced)
    .some(([name]) => block[name] !== undefined);
  const changeFields = (changes: Readonly<Record<string, unknown>>) =>
    draft.changeBlock(
      block.id,
      Object.keys(changes).join(),
      isLink ? withServiceTitle(block, changes) : changes,
    );
  const renderInput = ([name, field]: [string, BlockField]) => (
    <FieldInput
      key={name}
      path={block.id}
      name={name}
      field={field}
      label={field.label}
      values={block}
      onFieldsChange={changeFields}
    />
  );
  return (
    <>
      <div class={isLink ? 'fields stacked' : 'fields'}>
        {block.type === 'contact_form' && <MessageRecipient />}
        {inputs
          .filter((entry) => !isAdvanced(entry))
          .map((entry) => (
            <Fragment key={entry[0]}>
              {renderInput(entry)}
              {entry[0] === 'repeats_until' && <NextDates block={block} />}
              {isLink && !block.url && entry[0] === 'url' && (
                <Services onUrl={(url) => changeFields({ url })} />
              )}
            </Fragment>
          ))}
        {isPlainLink && (
          <p class="panel">
            {t('There is no player for this address, so visitors see a link to it.')}
          </p>
        )}
        {(isLink || block.type === 'embed') && isOn('covers') && <BlockCover url={block.url} />}
      </div>
      {advanced.length > 0 && (
        <MoreFields title={t('More options')} isOpen={hasAdvancedValue}>
          {advanced.filter(([name]) => !SCHEDULE_FIELDS.has(name)).map(renderInput)}
          {isLink && <SizeInput block={block} />}
        </MoreFields>
      )}
      {schedule.length > 0 && (
        <MoreFields title={t('Schedule')} isOpen={schedule.some(([name]) => block[name] != null)}>
          {schedule.map(renderInput)}
        </MoreFields>
      )}
    </>
  );
}

/** The next dates of a repeating event, and which ones are left out. */
function NextDates({ block }: { block: Block }) {
  const dates = nextDatesOf(block, new Date(), 3);
  if (!dates) return null;
  return (
    <p class="hint" role="status">
      {dates.length > 0
        ? t('Next: {dates}.', { dates: dates.map(formatDay).join(' · ') })
        : t('No date is left.')}{' '}
      {skipsMonths(block) && t('Months without this day are left out.')}
    </p>
  );
}

function MoreFields({
  title,
  isOpen,
  children,
}: {
  title: string;
  isOpen: boolean;
  children: ComponentChildren;
}) {
  // Fixed on mount, so that clearing the last field does not close the section.
  const isInitiallyOpen = useRef(isOpen).current;
  return (
    <details class="advanced-fields" open={isInitiallyOpen}>
      <summary>{title}</summary>
      <div class="fields">{children}</div>
    </details>
  );
}

/** Buttons that put the beginning of an address into the address field. */
function Services({ onUrl }: { onUrl: (url: string) => void }) {
  return (
    <div class="chips">
      {SERVICE_URL_PREFIXES.map((url) => (
        <button
          key={url}
          type="button"
          class="chip"
          // The field keeps the focus, because it reports a missing address when it loses it.
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => {
            event.currentTarget
              .closest('.block')!
              .querySelector<HTMLElement>('[type=url]')!
              .focus();
            onUrl(url);
          }}
        >
          <img src={`/dashboard/icons/${serviceIcon(url)}.svg`} alt="" />
          {serviceName(url)}
        </button>
      ))}
    </div>
  );
}

/** Where messages of a contact form go, or why visitors do not see the form. */
function MessageRecipient() {
  const forwarding = useAsync(() => owner.forwarding.getForwarding()).value;
  if (!canMailLoginLinks)
    return (
      <p class="panel bad">
        {t('Visitors do not see the contact form, because this server cannot send mail.')}
      </p>
    );
  if (!forwarding) return null;
  if (forwarding.confirmed)
    return (
      <p class="panel">
        {t('Messages go to {email}. Visitors see that address when you reply.', {
          email: forwarding.email ?? '',
        })}
      </p>
    );
  return (
    <p class="panel bad">
      {t.rich(
        'Visitors do not see the contact form until you confirm an email address in <link>Settings</link>.',
        { link: (text) => <a href={dashboardHref('settings#email')}>{text}</a> },
      )}
    </p>
  );
}

/** On phones, halves and thirds are two in a row. */
function SizeInput({ block }: { block: Block }) {
  const { featured, half, size } = block;
  const narrow = size === 'third' ? 'third' : half === true || size === 'half' ? 'half' : 'row';
  return (
    <div class="field">
      <span class="label">{t('Size')}</span>
      <SegmentedControl
        label={t('Size')}
        value={featured === true ? 'featured' : narrow}
        options={[
          ['row', t('size|Row')],
          ['half', t('width|Half')],
          ['third', t('size|Third')],
          ['featured', t('Featured')],
        ]}
        onValue={(value) => {
          const isNarrow = value === 'half' || value === 'third';
          draft.changeBlock(block.id, 'size', {
            half: isNarrow || undefined,
            featured: value === 'featured' || undefined,
            size: isNarrow ? value : undefined,
          });
        }}
      />
    </div>
  );
}
