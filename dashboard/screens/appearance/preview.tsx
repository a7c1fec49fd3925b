import type { ComponentChildren } from 'preact';
import { DEFAULT_INSTANCE_NAME, instanceLinks } from '#contract/shared/instance.ts';
import { plateColors } from '#contract/shared/plate-colors.ts';
import { DefaultLogo, LogoPicture } from '#dashboard/components/logo.tsx';
import { Plate } from '#dashboard/components/plate.tsx';
import { displayName } from '#dashboard/display-name.ts';
import { instance } from '#dashboard/instance.ts';
import { forwardsMail, isSignUpOpen } from '#dashboard/session.ts';
import { t } from '#dashboard/translate.ts';
import type { InstanceDraft } from './instance-draft.ts';
import { Markdown } from './markdown.tsx';
import { logoSrc } from './logo-field.tsx';

/** Mock-ups of the front page, a sign-in, a mail and the footer of a page. */
export function Preview({ draft }: { draft: InstanceDraft }) {
  const { top, bottom } = plateColors(draft.color);
  const name = draft.name.trim() || DEFAULT_INSTANCE_NAME;
  const plateText = draft.name.trim() || location.host;
  const logo = (
    <span class="logo preview-logo">
      <PreviewLogo draft={draft} />
      <strong>{name}</strong>
    </span>
  );
  const links = instanceLinks({ ...instance.value, contact: draft.contact }, t);
  const footer = links.map(({ label }) => <span key={label}>{label}</span>);
  return (
    <div
      class="preview-stage"
      role="group"
      aria-label={t('Preview')}
      tabIndex={0}
      style={{ '--plate-1': top, '--plate-2': bottom }}
    >
      <Sheet title={t('Front page')} isWide>
        <div class="row between">
          {logo}
          <span class="button">{t('Sign in')}</span>
        </div>
        <div class="preview-front">
          <div>
            <p class="preview-title">
              {isSignUpOpen ? t('Claim your name') : draft.name.trim() || t('Names live here')}
            </p>
            <p class="muted">
              {draft.line && (
                <>
                  <strong>{draft.line}</strong>
                  <br />
                </>
              )}
              {membershipText()}
            </p>
            {isSignUpOpen && <span class="button primary">{t('Claim name')}</span>}
          </div>
          <div class="wall">
            <Plate>@{t('your-name')}</Plate>
          </div>
        </div>
        {draft.welcome.trim() && (
          <div class="preview-welcome">
            <Markdown text={draft.welcome} />
          </div>
        )}
        <p class="preview-foot">{footer}</p>
      </Sheet>
      <Sheet title={t('Sign-in')}>
        <div class="preview-card">
          <Plate>{plateText}</Plate>
          <p class="strong">{t('Sign in to {name}', { name })}</p>
          <span class="button primary">{t('Use a passkey')}</span>
        </div>
        <p class="preview-foot">{footer}</p>
      </Sheet>
      <Sheet title={t('Mail')}>
        <p class="preview-from">
          <strong>{name}</strong>
          <span class="muted">{t('Your login link')}</span>
        </p>
        <div class="preview-card letter">
          <Plate>{plateText}</Plate>
          <span class="button primary">{t('Sign in')}</span>
        </div>
        <p class="preview-foot">
          <span>{[draft.name, draft.line].filter(Boolean).join(': ')}</span>
          {footer}
        </p>
      </Sheet>
      <Sheet title={t('Foot of a member’s page')} isWide>
        <p class="preview-foot page between">
          <span>
            @{displayName.value || 'jane'} · {plateText}
          </span>
          {links
            .filter(({ name: link }) => link === 'imprint' || link === 'privacy')
            .map(({ label }) => (
              <span key={label}>{label}</span>
            ))}
          <span>{t('Share')}</span>
        </p>
      </Sheet>
    </div>
  );
}

function membershipText(): string {
  return forwardsMail
    ? t(
        'Your name becomes an email address and a page for your links, pictures and dates, with visitor statistics.',
      )
    : t('Your name becomes a page for your links, pictures and dates, with visitor statistics.');
}

function Sheet({
  title,
  isWide = false,
  children,
}: {
  title: string;
  isWide?: boolean;
  children: ComponentChildren;
}) {
  return (
    <figure class={isWide ? 'wide' : undefined}>
      <figcaption>{title}</figcaption>
      <div class="preview-sheet">{children}</div>
    </figure>
  );
}

function PreviewLogo({ draft: { logo_url, dark_logo_url } }: { draft: InstanceDraft }) {
  const light = logo_url || dark_logo_url;
  if (!light) return <DefaultLogo />;
  return <LogoPicture light={logoSrc(light)} dark={dark_logo_url && logoSrc(dark_logo_url)} />;
}
