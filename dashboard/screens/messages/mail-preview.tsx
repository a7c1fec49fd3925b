import { signal } from '@preact/signals';
import type { Language } from '#contract/shared/languages.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { owner } from '#dashboard/api/api.ts';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { Field } from '#dashboard/components/field.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { instance } from '#dashboard/instance.ts';
import { dashboardHref } from '#dashboard/router.ts';
import { LANGUAGE_OPTIONS, language, t } from '#dashboard/translate.ts';
import type { CheckedMember } from '../invitations/member-csv.ts';
import './messages.css';

export interface MailOptions {
  language: Language;
  sentence: string | null;
  days: number;
}

/** Outside the component, so that it survives a change of screens, as `members` in add-members.tsx. */
export const mailOptions = signal<MailOptions>({ language, sentence: null, days: 14 });

export function MailPreview({ member: { name, email, display_name } }: { member: CheckedMember }) {
  const options = mailOptions.value;
  const updateOptions = (part: Partial<MailOptions>) =>
    (mailOptions.value = { ...options, ...part });
  const sentence = useDebounced(options.sentence);
  const preview = useAsync(
    () =>
      owner.invitations.previewInvitation({
        name,
        email: email!,
        display_name,
        days: options.days,
        language: options.language,
        sentence,
      }),
    [name, email, display_name, options.days, options.language, sentence],
    { keepsOldValue: true },
  );
  return (
    <div class="main-and-side">
      <section class="card" aria-label={t('Preview of the mail')}>
        <AsyncContent state={preview}>
          {({ subject, intro, button, outro, footer }) => (
            <>
              <dl class="titled-values">
                <dt>{t('mail|To')}</dt>
                <dd>{name === null ? email : `${name} <${email}>`}</dd>
                <dt>{t('Subject')}</dt>
                <dd class="strong">{subject}</dd>
              </dl>
              <div class="message-body" lang={options.language}>
                {intro.map((text) => (
                  <p key={text}>
                    {text.startsWith(QUOTE_PREFIX) ? (
                      <q>{text.slice(QUOTE_PREFIX.length)}</q>
                    ) : (
                      text
                    )}
                  </p>
                ))}
                <p>
                  <span class="button primary">{button}</span>
                </p>
                {outro.map((text) => (
                  <p key={text}>{text}</p>
                ))}
                <p class="hint">{footer}</p>
              </div>
            </>
          )}
        </AsyncContent>
      </section>
      <section class="card">
        <h2>{t('This is what people get')}</h2>
        {instance.value.name === null && (
          <p class="hint">
            {t.rich('Your club has no name here, so the mail says {host}. <link>Set it</link>', {
              host: location.host,
              link: (children) => <a href={dashboardHref('operator/appearance')}>{children}</a>,
            })}
          </p>
        )}
        <Field
          name="language"
          label={t('Language of the mail')}
          value={options.language}
          options={LANGUAGE_OPTIONS}
          onValue={(value) => updateOptions({ language: value as Language })}
        />
        <Field
          name="sentence"
          label={t('Your sentence (optional)')}
          placeholder={t('See you at the winter party!')}
          maxLength={LIMITS.invitationSentence}
          value={options.sentence ?? ''}
          onValue={(value) => updateOptions({ sentence: value.trim() === '' ? null : value })}
        />
      </section>
    </div>
  );
}
