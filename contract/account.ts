import { z } from 'zod';
import { defineEndpoints } from './define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from './recent-login.ts';
import { LIMITS } from './limits.ts';
import { messageField, success } from './result-fields.ts';
import { forField, invalidField, refusal } from './refusal.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';

const DisplayNameResponse = z
  .object({
    display_name: z.string().meta({
      description: 'The display name. Empty if none was ever set.',
      pattern: '^(?:[a-z0-9](?:[a-z0-9\\-]*[a-z0-9])?)?$',
      maxLength: LIMITS.displayNameMax,
      examples: ['jane-doe'],
    }),
  })
  .meta({ id: 'DisplayNameResponse', description: 'The display name of the account.' });

const DISPLAY_NAME_REQUIRED = 'A display name is required.';

export const UpdateDisplayNameRequest = z
  .object({
    display_name: z
      .string(DISPLAY_NAME_REQUIRED)
      .refine((name) => name.trim() !== '', DISPLAY_NAME_REQUIRED)
      .meta({
        description: `The new name. It is trimmed and lower-cased, white space becomes a hyphen and every other character outside a-z, 0-9 and - is removed; ${LIMITS.displayNameMin} to ${LIMITS.displayNameMax} characters must remain, without a hyphen at either end. Unique across all accounts.`,
        examples: ['Jane Doe'],
      }),
  })
  .meta({ id: 'UpdateDisplayNameRequest', description: 'The display name to set.' });
export type UpdateDisplayNameRequest = z.infer<typeof UpdateDisplayNameRequest>;

const UpdateDisplayNameResponse = z
  .object({
    success,
    message: messageField(
      'The display name was updated to jane-doe. Email forwarding was disabled and can be re-enabled via the API or dashboard.',
    ),
  })
  .meta({
    id: 'UpdateDisplayNameResponse',
    description: 'The display name was changed. Read it to see the result.',
  });

/** Why a text does not become the display name of an account. */
export const DISPLAY_NAME_REFUSALS = {
  displayNameTooShort: forField(
    'display_name',
    refusal(
      400,
      'The sanitized name is too short.',
      `The display name must be at least ${LIMITS.displayNameMin} characters long: letters a-z, digits and hyphens count, hyphens at the ends do not.`,
    ),
  ),
  displayNameInvalid: forField(
    'display_name',
    refusal(
      400,
      'The name has letters that a display name cannot have, or is too long.',
      'The display name is not valid. How about {suggestion}?',
      { suggestion: 'jose-doe' },
    ),
  ),
  displayNameReserved: forField(
    'display_name',
    refusal(
      409,
      'The name is on the list of reserved names.',
      'The display name {name} is not available.',
      { name: 'admin' },
    ),
  ),
  displayNameTaken: forField(
    'display_name',
    refusal(409, 'Another account has the name.', 'The display name {name} is already taken.', {
      name: 'jane-doe',
    }),
  ),
};

/** Why an account that has a key can still not be changed. */
export const PROFILE_REFUSALS = {
  profileNotFound: refusal(
    404,
    'The key is valid, but the profile is gone.',
    'The profile could not be found; the session may be stale.',
  ),
};

/** Why an account does not change its name for now. */
export const NAME_CHANGE_REFUSALS = {
  nameChangeLimitReached: refusal(
    429,
    'The account reached its limit of name changes for today (UTC).',
    'This account has reached its daily limit of name changes. Try again in {wait}.',
    { wait: '5 hours' },
  ),
  heldNameLimitReached: refusal(
    429,
    'The account would hold back more former names than the operator allows.',
    'This account holds back too many former names. Take one of them again, or try again in {wait}.',
    { wait: '12 days' },
  ),
};

/** The display name of the account. */
export const account = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  getDisplayName: {
    method: 'GET',
    path: '/account/get-display-name',
    summary: 'Read the display name',
    description: "Returns the display name of the key's owner; empty if none was ever set.",
    responses: { 200: DisplayNameResponse },
    metadata: { failure: 'The display name could not be fetched.' },
  },
  updateDisplayName: {
    method: 'POST',
    path: '/account/update-display-name',
    summary: 'Change the display name',
    description:
      'Sanitizes and claims the name. Email forwarding is disabled, its address is cleared and the alias of the old name is removed, also when the name stays the same. A name that is reserved or taken is refused with 409, one that cannot be a display name with 400 and a suggestion. With a session, clearing a confirmed address needs a login within the last 60 minutes.',
    body: UpdateDisplayNameRequest,
    responses: { 200: UpdateDisplayNameResponse },
    metadata: {
      failure: 'The display name could not be updated.',
      destructive: true,
      idempotent: true,
      refusals: {
        displayNameMissing: invalidField(
          'display_name',
          'No name was sent.',
          DISPLAY_NAME_REQUIRED,
        ),
        ...DISPLAY_NAME_REFUSALS,
        ...NAME_CHANGE_REFUSALS,
        ...PROFILE_REFUSALS,
        ...RECENT_LOGIN_REFUSALS,
      },
    },
  },
});
