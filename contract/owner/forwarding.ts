import { z } from 'zod';
import { area } from '../area.ts';
import { LIMITS } from '../limits.ts';
import { AUTHENTICATED } from '../surfaces.ts';
import { time } from '../fields.ts';

const address = z.string().nullable();

const ForwardingResponse = z
  .object({
    address: address.meta({
      description: 'The forwarding address; null if the account has no display name.',
      maxLength: 320,
      examples: ['jane-doe@example.org'],
    }),
    available: z.boolean().meta({
      description:
        'Whether the service forwards mail at all; without a mail provider it only keeps what is wanted.',
      examples: [true],
    }),
    enabled: z
      .boolean()
      .meta({ description: 'Whether its mail is to be forwarded.', examples: [true] }),
    email: address.meta({
      description: 'The stored destination, kept while forwarding is off.',
      maxLength: LIMITS.email,
      examples: ['jane@example.com'],
    }),
    confirmed: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether the owner of the destination confirmed it. Login links and notices go to confirmed destinations only; turning forwarding on asks for confirmation. Null if there is no destination, or the service sends no mail.',
        examples: [true],
      }),
    known: address.meta({
      description: 'Where the provider was last seen to send the mail; null if nowhere.',
      maxLength: LIMITS.email,
      examples: ['jane@example.com'],
    }),
    stage: z
      .enum([
        'settled',
        'waiting',
        'waits for confirmation',
        'waits for an answer',
        'nobody forwards',
      ])
      .nullable()
      .meta({
        description:
          'How far it is: the provider agrees; it does not yet, and is asked again; the owner of the destination has not agreed; the provider has not answered; or the service has no provider. Null if the name never had mail.',
        examples: ['settled'],
      }),
    attempts: z
      .int()
      .min(0)
      .meta({
        description: 'How often the provider refused or failed since it last agreed.',
        examples: [0],
      }),
    last_error: z
      .string()
      .nullable()
      .meta({
        description: "The provider's last error; null if it agreed.",
        maxLength: LIMITS.sentence,
        examples: [null],
      }),
    next_try_at: time('When it is asked again', '2026-01-31T09:45:00.000Z').nullable(),
  })
  .meta({
    id: 'ForwardingResponse',
    description: 'The forwarding of the account, and how far it is.',
  });

/** The forwarding of the account. */
export const forwarding = area(AUTHENTICATED, {
  getForwarding: {
    method: 'GET',
    path: '/owner/forwarding/get-forwarding',
    summary: 'Read the email forwarding',
    description:
      'Tells what is wanted, what the provider has, what went wrong and when it is tried again.',
    responses: { 200: ForwardingResponse },
    metadata: { failure: 'The forwarding could not be fetched.' },
  },
});
