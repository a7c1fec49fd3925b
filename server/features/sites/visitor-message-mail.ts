import { z } from 'zod';
import { guardFormula } from '#contract/shared/csv-formula.ts';
import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import { findConfirmedAddress } from '#db/queries/owner-mails.ts';
import { defineOwnerMail, OwnerMailData } from '#server/platform/mail/define-mail.ts';
import type { Translator } from '#translations/translator.ts';

export type VisitorMessage = z.infer<typeof VisitorMessage>;
const VisitorMessage = z.object({
  page: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  answers: z
    .array(z.object({ type: z.string(), label: z.string(), value: z.string() }))
    .readonly()
    // Jobs of earlier versions have none.
    .default([]),
});

/** From the contact form of a page. */
export const visitorMessageMail = defineOwnerMail({
  kind: 'message',
  to: 'inbox',
  schema: OwnerMailData.extend({ message: VisitorMessage }),
  priority: -1,
  load: async (trx, mail) => {
    const address = await findConfirmedAddress(trx, mail.accountId);
    return address === undefined ? undefined : { ...mail, address };
  },
  write: ({ message: { page, name, email, message, answers } }, { t }) => {
    const subject = t('Message from {email} through your page', { email });
    const form = answers.map((answer) => [answer.label, formatAnswer(answer, t)] as const);
    return {
      isFromVisitor: true,
      replyTo: { name, address: email },
      subject,
      headline: t('A message through your page'),
      facts: [...(name ? [[t('Name'), name] as const] : []), [t('Email'), email], ...form],
      intro: [t('A visitor of your page {page} wrote:', { page }), `${QUOTE_PREFIX}${message}`],
      action: {
        label: t('Reply'),
        link: `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}`,
      },
      note: t('You can also reply to this mail. Either way, the visitor sees your address.'),
      // For a list of sign-ups. A form without questions needs none.
      ...(answers.length > 0 && {
        copiedRow: [
          ...[name, email].map(guardFormula),
          ...form.map(([, value], index) =>
            answers[index]!.type === 'number' ? value : guardFormula(value),
          ),
        ],
      }),
    };
  },
});

/** A kind of its own, because servers of 0.2.0 drop the answers. */
export const answeredFormMail = defineOwnerMail({
  ...visitorMessageMail,
  kind: 'answered-form',
});

function formatAnswer({ type, value }: { type: string; value: string }, t: Translator): string {
  if (type === 'tick') return value === '' ? t('No') : t('Yes');
  return value;
}
