import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { SoftwareName } from '#contract/shared/clients.ts';
import { owner } from '#dashboard/api/api.ts';
import { Code } from '#dashboard/components/code.tsx';
import { confirm } from '#dashboard/components/confirm.tsx';
import { CopyButton } from '#dashboard/components/copy-button.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { formatMoment } from '#dashboard/components/format-time-ago.ts';
import { ListRow } from '#dashboard/components/list-row.tsx';
import { showMessage, withErrorMessage } from '#dashboard/components/messages.tsx';
import { Notice } from '#dashboard/components/notice.tsx';
import { ScreenHeader } from '#dashboard/components/screen-header.tsx';
import { ShownOnce } from '#dashboard/components/shown-once.tsx';
import { t } from '#dashboard/translate.ts';
import { SOFTWARE, SOFTWARE_TITLES } from './software.ts';
import { WebsiteForm } from './website-form.tsx';
import {
  describeLastUse,
  describePeople,
  hostOf,
  LIST_PARENT,
  type NewSecret,
  type Website,
} from './website.ts';

interface DetailProps {
  website: Website;
  newSecret: Signal<NewSecret | undefined>;
  onSaved: (website: Website) => void;
  onDeleted: () => void;
}

export function WebsiteDetail({ website, newSecret, onSaved, onDeleted }: DetailProps) {
  const { id, name, address, logout_failed_at: failedAt, logout_error: code } = website;
  const secret = newSecret.value?.id === id ? newSecret.value.secret : undefined;
  const finish = (saved: Website) => {
    showMessage(t('Saved.'));
    onSaved(saved);
  };
  return (
    <>
      <ScreenHeader
        title={name}
        parent={LIST_PARENT}
        subtitle={[hostOf(website), describePeople(website), describeLastUse(website)].join(' · ')}
      >
        {address && (
          <a class="button" href={address} target="_blank" rel="noreferrer">
            {t('Open')}
          </a>
        )}
      </ScreenHeader>
      {secret !== undefined && (
        <ShownOnce
          title={t('The secret of {name}', { name })}
          secret={secret}
          copyLabel={t('Copy secret')}
          onDone={() => (newSecret.value = undefined)}
        />
      )}
      {failedAt && (
        <Notice
          title={t('Signing out does not reach this website')}
          text={t('Last tried {time}: {code}. Check its address for the back-channel logout.', {
            time: formatMoment(failedAt),
            code: code ?? '',
          })}
        />
      )}
      <div class="main-and-side">
        <div>
          <SettingsThere website={website} secret={secret} />
        </div>
        <div>
          <WebsiteForm key={id} website={website} onSaved={finish} />
          <section class="card">
            <ul>
              {website.has_secret && <SecretRow website={website} newSecret={newSecret} />}
              <DeleteRow website={website} onDeleted={onDeleted} />
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}

/** What to enter in the software. */
function SettingsThere({ website, secret }: { website: Website; secret: string | undefined }) {
  const chosen = useSignal(website.software as SoftwareName);
  const { where, rows, lines } = SOFTWARE[chosen.value];
  const hint =
    website.has_secret &&
    secret === undefined &&
    t('The secret was shown once. Enter yours, or make a new one.');
  const values = {
    issuer: location.origin,
    id: website.id,
    secret: secret ?? t('(shown once)'),
    redirectUri: website.redirect_uris[0]!,
    signedOutUri: website.post_logout_redirect_uris[0],
    randomText: useMemo(createRandomText, []),
  };
  return (
    <section class="card">
      <h2>{t('What to enter there')}</h2>
      <Field
        name="software"
        label={t('Program')}
        value={chosen.value}
        options={SOFTWARE_TITLES}
        onValue={(name) => (chosen.value = name as SoftwareName)}
      />
      <p class="muted">{where}</p>
      {hint && <p class="hint">{hint}</p>}
      {lines && (
        <Code text={(hint ? `# ${hint}\n` : '') + lines(values)} label={t('configuration')} />
      )}
      <dl class="website-values">
        {rows?.(values).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span>{value}</span>
              <CopyButton text={value} label={t('Copy {label}', { label })} isIconOnly />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function createRandomText(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(30))));
}

function SecretRow({
  website: { id, name },
  newSecret,
}: Pick<DetailProps, 'website' | 'newSecret'>) {
  const rotate = async () => {
    const isConfirmed = await confirm({
      title: t('Make a new secret?'),
      text: t(
        'The old one stops working at once. Nobody can sign in to {name} until you enter the new one there.',
        { name },
      ),
      action: t('Make a new one'),
    });
    if (!isConfirmed) return;
    const request = owner.clients.rotateClientSecret({ client_id: id });
    const { client_secret: secret } = (await withErrorMessage(request)) ?? {};
    if (secret) newSecret.value = { id, secret };
  };
  return (
    <ListRow
      title={t('Secret')}
      text={t('Lost it? Make a new one. The old one then stops.')}
      actions={
        <button type="button" onClick={() => void rotate()}>
          {t('Make a new one')}
        </button>
      }
    />
  );
}

function DeleteRow({ website, onDeleted }: Pick<DetailProps, 'website' | 'onDeleted'>) {
  const { id: client_id, name, people: count } = website;
  const remove = async () => {
    const isConfirmed = await confirm({
      title: t('Delete {name}?', { name }),
      text: t(
        '{count, plural, =0 {Nobody uses it yet.} one {# person cannot sign in there any more.} other {# people cannot sign in there any more.}}',
        { count },
      ),
      action: t('Delete'),
    });
    if (!isConfirmed || !(await withErrorMessage(owner.clients.deleteClient({ client_id }))))
      return;
    showMessage(t('Deleted {name}.', { name }));
    onDeleted();
  };
  return (
    <ListRow
      title={t('Delete')}
      text={t('Nobody can sign in there with this server any more.')}
      actions={
        <button type="button" class="danger" onClick={() => void remove()}>
          {t('Delete')}
        </button>
      }
    />
  );
}
