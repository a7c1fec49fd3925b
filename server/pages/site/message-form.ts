import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { limitedText } from '#contract/text.ts';
import { TRAP_FIELD } from '#page/blocks/contact-form.ts';
import type { MessageResponse, MessageValues } from '#page/public-site.ts';
import { replaceControlCharacters } from './report-form.ts';

const Message = z.object({
  email: z.email().max(LIMITS.email),
  message: limitedText(LIMITS.visitorMessage, '').min(1),
});

/** Invisible characters that reorder text, which could disguise the sender. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** An owner could title the form so that it asks for a key. */
const API_KEYS = /\bnp_\w{16}\.\w{38}/g;

export function parseMessageForm(body: string): MessageResponse & { isTrapped: boolean } {
  const params = new URLSearchParams(body);
  const value = (field: keyof MessageValues) =>
    replaceControlCharacters(params.get(field) ?? '')
      .replace(API_KEYS, 'np_…')
      .trim();
  const name = value('name').replace(/\s+/g, ' ').replace(BIDI_CONTROLS, '');
  const values = {
    name: [...name].slice(0, LIMITS.visitorName).join(''),
    email: value('email'),
    message: value('message'),
  };
  const { error } = Message.safeParse(values);
  return {
    values,
    problem: error?.issues[0]?.path[0] as keyof typeof Message.shape | undefined,
    isTrapped: Boolean(params.get(TRAP_FIELD)),
  };
}
