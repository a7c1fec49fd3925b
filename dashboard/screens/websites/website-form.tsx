import { useSignal } from '@preact/signals';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { t } from '#dashboard/translate.ts';
import { guessProgram, PROGRAM_TITLES, type ProgramName, PROGRAMS } from './programs.ts';
import type { Website } from './website.ts';

type Fields = Pick<
  Website,
  | 'name'
  | 'address'
  | 'redirect_uris'
  | 'backchannel_logout_uri'
  | 'requires_pkce'
  | 'asks_consent'
  | 'allowed'
>;

interface FieldsProps {
  program: ProgramName;
  fields: Fields;
  onChange: (change: Partial<Fields>) => void;
}

const URL_FIELD = { type: 'url', spellcheck: false, maxLength: LIMITS.url } as const;

export function WebsiteForm({
  website,
  onSaved,
}: {
  /** The website to edit. */
  website?: Website;
  onSaved: (website: Website, secret: string | null) => void;
}) {
  const program = useSignal(website ? guessProgram(website) : 'nextcloud');
  const changes = useSignal<Partial<Fields>>({});
  const fields: Fields = {
    ...(website ?? deriveFields(program.value, changes.value.address ?? '')),
    ...changes.value,
  };
  const onChange = (change: Partial<Fields>) => (changes.value = { ...changes.value, ...change });
  const save = async () => {
    if (website) {
      const change = { client_id: website.id, ...changes.value };
      return onSaved((await owner.clients.updateClient(change)).client, null);
    }
    const { software = 'other' } = PROGRAMS[program.value];
    const created = await owner.clients.createClient({ software, ...fields });
    onSaved(created.client, created.client_secret);
  };
  return (
    <section class="card website-form">
      {website && <h2>{t('Settings')}</h2>}
      <Form
        fields={['address', 'redirect_uris', 'backchannel_logout_uri', 'name']}
        submitLabel={website ? t('Save') : t('Add website')}
        isPrimary={!website}
        onSubmit={save}
      >
        {!website && (
          <div>
            <p class="label">{t('What is it?')}</p>
            <SegmentedControl
              label={t('What is it?')}
              value={program.value}
              options={PROGRAM_TITLES}
              onValue={(name) => (program.value = name)}
              look="chips"
            />
          </div>
        )}
        <Addresses program={program.value} fields={fields} onChange={onChange} />
        <Field
          name="name"
          label={t('Name')}
          required
          maxLength={LIMITS.keyLabel}
          placeholder={t('Club wiki')}
          value={fields.name}
          onValue={(name) => onChange({ name })}
        />
        <Switches program={program.value} fields={fields} onChange={onChange} />
      </Form>
    </section>
  );
}

/** What follows from the program and the address. */
function deriveFields(program: ProgramName, address: string): Fields {
  const { redirectPath, logoutPath, lacksPkce = false } = PROGRAMS[program];
  const base = address.endsWith('/') ? address.slice(0, -1) : address;
  return {
    name: '',
    address: null,
    redirect_uris: base && redirectPath ? [base + redirectPath] : [],
    backchannel_logout_uri: base && logoutPath ? base + logoutPath : null,
    requires_pkce: !lacksPkce,
    asks_consent: true,
    allowed: 'everybody',
  };
}

function Addresses({ program, fields, onChange }: FieldsProps) {
  const { redirectHint, title } = PROGRAMS[program];
  return (
    <>
      <Field
        {...URL_FIELD}
        name="address"
        label={t('Its address')}
        placeholder="https://cloud.example.org"
        value={fields.address ?? ''}
        onValue={(text) => onChange({ address: text.trim() || null })}
      />
      <Field
        {...URL_FIELD}
        // Several addresses have spaces between them.
        type="text"
        name="redirect_uris"
        label={t('After signing in, people go back to')}
        required
        hint={redirectHint ?? t('Change it if {program} shows another one.', { program: title })}
        value={fields.redirect_uris.join(' ')}
        onValue={(text) => onChange({ redirect_uris: text.split(' ') })}
      />
      <Field
        {...URL_FIELD}
        name="backchannel_logout_uri"
        label={t('Back-channel logout (optional)')}
        hint={t('This server calls this address when a member signs out or leaves.')}
        value={fields.backchannel_logout_uri ?? ''}
        onValue={(text) => onChange({ backchannel_logout_uri: text.trim() || null })}
      />
    </>
  );
}

function Switches({ program, fields, onChange }: FieldsProps) {
  const { lacksPkce, title: name } = PROGRAMS[program];
  const { allowed, asks_consent, requires_pkce } = fields;
  const row = (
    title: string,
    text: string,
    checked: boolean,
    toFields: (isOn: boolean) => Partial<Fields>,
  ) => (
    <ListRow
      title={title}
      text={text}
      actions={
        <Switch
          label={<span class="visually-hidden">{title}</span>}
          checked={checked}
          onChange={(isOn) => onChange(toFields(isOn))}
        />
      }
    />
  );
  return (
    <ul>
      {row(
        t('Only for operators'),
        t('Otherwise all members of this server can sign in there.'),
        allowed === 'operators',
        (isOn) => ({ allowed: isOn ? 'operators' : 'everybody' }),
      )}
      {row(
        t('Ask before the first sign-in'),
        t('Off is fine for your own websites.'),
        asks_consent,
        (isOn) => ({ asks_consent: isOn }),
      )}
      {row(
        t('Require PKCE'),
        lacksPkce
          ? t('{name} does not support it, so leave it off.', { name })
          : t('Protects the sign-in. Turn it off only if the website does not support it.'),
        requires_pkce,
        (isOn) => ({ requires_pkce: isOn }),
      )}
    </ul>
  );
}
