import { useSignal } from '@preact/signals';
import {
  deriveAddresses,
  followAddress,
  lacksPkce,
  type SoftwareName,
} from '#contract/shared/clients.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { owner } from '#dashboard/api/api.ts';
import { Field } from '#dashboard/components/field.tsx';
import { Form } from '#dashboard/components/form.tsx';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { Switch } from '#dashboard/components/switch.tsx';
import { isOn } from '#dashboard/facts.ts';
import { t } from '#dashboard/translate.ts';
import { LogoField } from '../appearance/logo-field.tsx';
import { GroupChips } from '../groups/group-chips.tsx';
import { SOFTWARE, SOFTWARE_TITLES } from './software.ts';
import type { Website } from './website.ts';

type Fields = Pick<
  Website,
  | 'name'
  | 'address'
  | 'logo_url'
  | 'redirect_uris'
  | 'post_logout_redirect_uris'
  | 'backchannel_logout_uri'
  | 'requires_pkce'
  | 'asks_consent'
  | 'allowed'
  | 'allowed_groups'
  | 'shared_groups'
>;

interface FieldsProps {
  name: SoftwareName;
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
  const chosen = useSignal((website?.software ?? 'nextcloud') as SoftwareName);
  const changes = useSignal<Partial<Fields>>({});
  const fields: Fields = {
    ...(website ?? deriveFields(chosen.value, changes.value.address ?? null)),
    ...changes.value,
  };
  const onChange = (change: Partial<Fields>) => (changes.value = { ...changes.value, ...change });
  const save = async () => {
    if (website) {
      const change = { client_id: website.id, ...withoutEmpty(changes.value) };
      return onSaved((await owner.clients.updateClient(change)).client, null);
    }
    const created = await owner.clients.createClient({
      software: chosen.value,
      ...withoutEmpty(fields),
    });
    onSaved(created.client, created.client_secret);
  };
  return (
    <section class="card website-form">
      {website && <h2>{t('Settings')}</h2>}
      <Form
        fields={[
          'address',
          'redirect_uris',
          'post_logout_redirect_uris',
          'backchannel_logout_uri',
          'name',
          'logo_url',
          'allowed',
        ]}
        submitLabel={website ? t('Save') : t('Add website')}
        isPrimary={!website}
        onSubmit={save}
      >
        {!website && (
          <div>
            <p class="label">{t('What is it?')}</p>
            <SegmentedControl
              label={t('What is it?')}
              value={chosen.value}
              options={SOFTWARE_TITLES}
              onValue={(name) => (chosen.value = name)}
              look="chips"
            />
          </div>
        )}
        <Addresses name={chosen.value} fields={fields} onChange={onChange} website={website} />
        <Field
          name="name"
          label={t('Name')}
          required
          maxLength={LIMITS.keyLabel}
          placeholder={t('Club wiki')}
          value={fields.name}
          onValue={(name) => onChange({ name })}
        />
        <LogoField
          name="logo_url"
          label={t('Logo')}
          value={fields.logo_url ?? ''}
          onValue={(url) => onChange({ logo_url: url || null })}
          isOptional
        />
        <People name={chosen.value} fields={fields} onChange={onChange} />
        <Switches name={chosen.value} fields={fields} onChange={onChange} />
      </Form>
    </section>
  );
}

/** A space that somebody types begins an empty address. */
function withoutEmpty<Some extends Partial<Fields>>(fields: Some): Some {
  const { redirect_uris: uris, post_logout_redirect_uris: signedOutUris } = fields;
  return {
    ...fields,
    ...(uris && { redirect_uris: uris.filter(Boolean) }),
    ...(signedOutUris && { post_logout_redirect_uris: signedOutUris.filter(Boolean) }),
  };
}

function deriveFields(name: SoftwareName, address: string | null): Fields {
  return {
    ...deriveAddresses(name, address),
    name: '',
    address: null,
    logo_url: null,
    requires_pkce: !lacksPkce(name),
    asks_consent: true,
    allowed: 'everybody',
    allowed_groups: [],
    shared_groups: [],
  };
}

function Addresses({
  name,
  fields,
  onChange,
  website,
}: FieldsProps & { website: Website | undefined }) {
  const { redirectHint, title } = SOFTWARE[name];
  const isLeftBehind =
    website?.address &&
    fields.address !== website.address &&
    String(fields.redirect_uris) === String(website.redirect_uris) &&
    !('redirect_uris' in followAddress(name, website, fields.address));
  const changeAddress = (text: string) => {
    const address = text.trim() || null;
    onChange({ address, ...(website && followAddress(name, website, address, fields)) });
  };
  const changeRedirect = (redirect_uris: string[]) => {
    const [[old = ''], [next = '']] = [fields.redirect_uris, redirect_uris];
    const logoutUri = fields.backchannel_logout_uri;
    // Apache has both at one address.
    const isSame = logoutUri?.startsWith(`${old}?`);
    onChange({
      redirect_uris,
      ...(isSame && { backchannel_logout_uri: next + logoutUri!.slice(old.length) }),
    });
  };
  return (
    <>
      <Field
        {...URL_FIELD}
        name="address"
        label={t('Its address')}
        placeholder="https://cloud.example.org"
        value={fields.address ?? ''}
        onValue={changeAddress}
      />
      <Field
        {...URL_FIELD}
        // Several addresses have spaces between them.
        type="text"
        name="redirect_uris"
        label={t('After signing in, people go back to')}
        required
        hint={
          isLeftBehind
            ? t('It stays as it is: it was not the usual one for the old address.')
            : (redirectHint ?? t('Change it if {program} shows another one.', { program: title }))
        }
        value={fields.redirect_uris.join(' ')}
        onValue={(text) => changeRedirect(text.split(/\s/))}
      />
      <Field
        {...URL_FIELD}
        type="text"
        name="post_logout_redirect_uris"
        label={t('After signing out, people go back to (optional)')}
        hint={t('Without it, people who sign out there stay on a page of this server.')}
        value={fields.post_logout_redirect_uris.join(' ')}
        onValue={(text) => onChange({ post_logout_redirect_uris: text.split(/\s/) })}
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

/** Who may sign in, and which groups the website sees. */
function People({ fields, onChange }: FieldsProps) {
  const { allowed, allowed_groups, shared_groups } = fields;
  const toIds = (groups: readonly { id: string }[]) => groups.map(({ id }) => id);
  return (
    <>
      <div>
        <Field
          name="allowed"
          label={t('Who may sign in')}
          hint={allowed === 'groups' ? t('Operators, too, need to be in one of them.') : undefined}
          value={allowed}
          options={ALLOWED.filter(([value]) => value !== 'groups' || isOn('groups'))}
          onValue={(value) => onChange({ allowed: value as Fields['allowed'] })}
        />
        {allowed === 'groups' && (
          <GroupChips
            label={t('Who may sign in')}
            chosen={allowed_groups}
            onChange={(groups) => onChange({ allowed_groups: toIds(groups) })}
          />
        )}
      </div>
      {isOn('groups') && (
        <div>
          <p class="label">{t('Groups that it sees')}</p>
          <GroupChips
            label={t('Groups that it sees')}
            chosen={shared_groups}
            onChange={(groups) => onChange({ shared_groups: toIds(groups) })}
          />
        </div>
      )}
    </>
  );
}

const ALLOWED = [
  ['everybody', t('All members')],
  ['groups', t('Members of groups')],
  ['operators', t('Operators')],
] as const;

function Switches({ name, fields, onChange }: FieldsProps) {
  const { asks_consent, requires_pkce } = fields;
  const row = (
    title: string,
    text: string,
    checked: boolean,
    toFields: (checked: boolean) => Partial<Fields>,
  ) => (
    <ListRow
      title={title}
      text={text}
      actions={
        <Switch
          label={<span class="visually-hidden">{title}</span>}
          checked={checked}
          onChange={(isChecked) => onChange(toFields(isChecked))}
        />
      }
    />
  );
  return (
    <ul>
      {row(
        t('Ask before the first sign-in'),
        t('Off is fine for your own websites.'),
        asks_consent,
        (isChecked) => ({ asks_consent: isChecked }),
      )}
      {row(
        t('Require PKCE'),
        lacksPkce(name)
          ? t('{name} does not support it, so leave it off.', { name: SOFTWARE[name].title })
          : t('Protects the sign-in. Turn it off only if the website does not support it.'),
        requires_pkce,
        (isChecked) => ({ requires_pkce: isChecked }),
      )}
    </ul>
  );
}
