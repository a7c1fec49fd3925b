import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Block } from '#contract/block.ts';
import { withAsciiDomain } from '#contract/shared/ascii-email.ts';
import { HOUR_MS } from '#contract/shared/durations.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { AccountDeletedError } from '#db/account-deleted.ts';
import { inTransaction } from '#db/connections/transaction.ts';
import { lockAccount } from '#db/queries/accounts.ts';
import { isMessageQueued } from '#db/queries/jobs.ts';
import { TRAP_FIELD } from '#page/blocks/contact-form.ts';
import { type FormField, formFieldsOf, inputName } from '#page/fields/form-fields.ts';
import type { MessageResponse } from '#page/public-site.ts';
import type { Core } from '#server/core.ts';
import { logEvent } from '#server/features/events/log-event.ts';
import type { Services } from '#server/features/services.ts';
import {
  type VisitorMessage,
  answeredFormMail,
  visitorMessageMail,
} from '#server/features/sites/visitor-message-mail.ts';
import { guardUnauthenticated } from '#server/platform/http/access/authentication-guard.ts';
import { clientNetwork, senderNetwork } from '#server/platform/http/access/client-address.ts';
import { refusalHeaders } from '#server/platform/http/responses/headers.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import { createPerNetworkQueue } from '#server/platform/limits/fair-queue.ts';
import { createRefuser, type RefusalError } from '#server/platform/refusal.ts';
import { BIDI_CONTROLS } from '#server/platform/text/printable-text.ts';
import { acceptForms, type Form } from '../form.ts';
import { PAGE_ROOTS } from './page-roots.ts';
import type { NameParams, SiteResponder } from './site-responder.ts';

const refuse = createRefuser(PAGE_REFUSALS);

/** Contact forms. A message is only stored in the mail queue, until it is sent. */
export function registerMessageRoutes(
  server: FastifyInstance,
  responder: SiteResponder,
  app: Services,
): void {
  const { rateLimits } = app;
  const queue = createPerNetworkQueue('messages');

  void server.register(async (messageApp) => {
    guardUnauthenticated(messageApp, { origin: app.pagesOrigin, instruments: app.instruments });
    const readForm = acceptForms(messageApp, MESSAGE_FIELDS, OTHER_FIELDS);

    for (const [root, hosts] of PAGE_ROOTS) {
      const path = `${root}/message`;
      // For visitors who reload the response by its address.
      messageApp.get<NameParams>(path, hosts, (request, reply) =>
        responder.redirectToPage(request, reply),
      );

      messageApp.post<NameParams>(path, hosts, async (request, reply) => {
        const { accountId, url, findForm, renderResponse } =
          await responder.findContactForm(request);
        const rateLimitError = await rateLimits.messages.count(request);
        const { isTrapped, ...form } = checkMessage(readForm(request), findForm);
        const respond = async (problem?: MessageResponse['problem'], refusal?: RefusalError) => {
          if (refusal) {
            request.refused = { reason: refusal.code };
            reply.status(refusal.status).headers(refusalHeaders(refusal));
          }
          const { type, headers, body } = await renderResponse(url, { ...form, problem });
          return reply
            .type(type)
            .headers({ ...headers, 'x-robots-tag': 'noindex' })
            .send(body);
        };
        if (rateLimitError) return respond('limit', rateLimitError);
        if (isTrapped) return respond();
        if (form.problem) return respond(form.problem, refuse('messageInvalid'));
        const pageLimitError = await rateLimits.pageMessages.count(request, accountId);
        if (pageLimitError) return respond('limit', pageLimitError);
        const message = { page: url, ...form.values, email: withAsciiDomain(form.values.email) };
        const mail = { accountId, sender: senderNetwork(request), message };
        const result = await queue.run(clientNetwork(request), () => queueMessage(app, mail));
        if (result === 'accountGone') throw await responder.notFoundError(request);
        return result === 'queued'
          ? respond()
          : respond('limit', refuse('messageRateLimited', retryAfter(HOUR_MS)));
      });
    }
  });
}

/** `limitReached`: the page got too many messages, or the sender used its share. */
type QueueResult = 'queued' | 'limitReached' | 'accountGone';

async function queueMessage(
  app: Pick<Core, 'allowances' | 'db' | 'jobs' | 'outbox'>,
  { accountId, sender, message }: { accountId: string; sender: string; message: VisitorMessage },
): Promise<QueueResult> {
  try {
    return await inTransaction(app.db, async (trx) => {
      // Without the lock, concurrent messages could exceed the limit, or be two mails.
      await lockAccount(trx, accountId);
      if (await isMessageQueued(trx, accountId, message)) return 'queued';
      const data = { accountId, message };
      const mail = message.answers.length > 0 ? answeredFormMail : visitorMessageMail;
      if (!(await app.outbox.mailOwner(trx, mail, data, { sender }))) return 'limitReached';
      const detail = { page: message.page };
      await logEvent(trx, app, { accountId, type: 'contact_message_received', detail });
      return 'queued';
    });
  } catch (error) {
    if (error instanceof AccountDeletedError) return 'accountGone';
    throw error;
  }
}

const MESSAGE_FIELDS = {
  form: 36,
  name: LIMITS.visitorName,
  email: LIMITS.email,
  message: LIMITS.visitorMessage,
  [TRAP_FIELD]: 100,
};
const OTHER_FIELDS = {
  count: LIMITS.formFields,
  maxNameLength: LIMITS.blockText + inputName({ label: '' }).length,
  maxLength: LIMITS.blockText,
};

const Message = z.object({ email: z.email(), message: z.string().min(1) });

/** An owner could title the form so that it asks for a key. The end of a key may be cut off. */
const API_KEYS = /\bnp_\w{16}\.\w+/g;

const withoutKeys = (text: string) => text.replace(API_KEYS, 'np_…');
const toLine = (text: string) => withoutKeys(text).replace(/\s+/g, ' ').replace(BIDI_CONTROLS, '');

/** A name that is too long is cut. */
function checkMessage(
  form: Form<keyof typeof MESSAGE_FIELDS>,
  findForm: (id: string) => Block,
): MessageResponse & { isTrapped: boolean } {
  const { values: fields, tooLong } = form;
  const block = findForm(fields.form);
  const checkedFields = formFieldsOf(block).map((field) => checkAnswer(form, field));
  const values = {
    name: toLine(fields.name),
    email: withoutKeys(fields.email),
    message: withoutKeys(fields.message),
    answers: checkedFields.map(({ answer }) => answer),
  };
  const { error } = Message.safeParse({ ...values, email: withAsciiDomain(values.email) });
  const invalid = new Set([...tooLong, ...(error?.issues.map(({ path }) => path[0]) ?? [])]);
  // In the order of the form.
  const problems = [
    invalid.has('email') && ('email' as const),
    ...checkedFields.map(({ problem }) => problem),
    invalid.has('message') && ('message' as const),
  ];
  return {
    form: block.id,
    values,
    problem: problems.find((problem) => problem !== false),
    isTrapped: fields[TRAP_FIELD] !== '',
  };
}

/** Also with a comma, and as browsers send large numbers. */
const NUMBER = /^[+-]?\d{1,40}(?:[.,]\d{1,40})?(?:e[+-]?\d{1,3})?$/i;

function checkAnswer({ readOther }: Form<string>, field: FormField) {
  const { type, label, options, isRequired } = field;
  const { value: typed, isTooLong } = readOther(inputName(field), LIMITS.blockText);
  const line = toLine(typed);
  const value = type === 'tick' && line !== '' ? 'yes' : line;
  const isMissing = value === '' && isRequired;
  const isWrong =
    isTooLong ||
    (value !== '' && type === 'number' && !NUMBER.test(value)) ||
    (value !== '' && type === 'choice' && !options.some((option) => toLine(option) === value));
  return {
    answer: { type, label, value },
    problem: (isMissing || isWrong) && { label, isMissing },
  };
}
