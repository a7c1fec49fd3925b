import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { TRAP_FIELD } from '#page/blocks/contact-form.ts';
import type { MessageResponse, MessageValues } from '#page/public-site.ts';
import type { Form } from '../form.ts';

export const MESSAGE_FIELDS = {
  name: LIMITS.visitorName,
  email: LIMITS.email,
  message: LIMITS.visitorMessage,
  [TRAP_FIELD]: 100,
};

const Message = z.object({ email: z.email(), message: z.string().min(1) });

/** Invisible characters that reorder text, which could disguise the sender. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An owner could title the form so that it asks for a key. The end of a key may be cut off. */
const API_KEYS = /\bnp_\w{16}\.\w+/g;

/** A name that is too long is cut. */
export function checkMessage({
  values: { [TRAP_FIELD]: trap, ...fields },
  tooLong,
}: Form<keyof typeof MESSAGE_FIELDS>): MessageResponse & { isTrapped: boolean } {
  const withoutKeys = (field: keyof MessageValues) => fields[field].replace(API_KEYS, 'np_…');
  const name = withoutKeys('name').replace(/\s+/g, ' ').replace(BIDI_CONTROLS, '');
  const values = { name, email: withoutKeys('email'), message: withoutKeys('message') };
  const { error } = Message.safeParse(values);
  const invalid = new Set([...tooLong, ...(error?.issues.map(({ path }) => path[0]) ?? [])]);
  return {
    values,
    problem: (['email', 'message'] as const).find((field) => invalid.has(field)),
    isTrapped: trap !== '',
  };
}
