import { z } from 'zod';
import { defineEndpoints } from './define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from './endpoint-defaults.ts';
import { field, objectSchema, resultSchema } from './fields.ts';
import { RECENT_LOGIN_REFUSALS } from './recent-login.ts';
import { forField, refusal } from './refusal.ts';
import { messageField, success } from './result-fields.ts';
import { LIMITS } from './shared/limits.ts';

const DisplayNameResponse = objectSchema(
  'DisplayNameResponse',
  'The display name of the account.',
  {
    display_name: z.string().meta({
      description: 'The display name. Empty if the account never set one.',
      pattern: '^(?:[a-z0-9](?:[a-z0-9\\-]*[a-z0-9])?)?$',
      maxLength: LIMITS.displayNameMax,
      examples: ['jane-doe'],
    }),
  },
);

const DISPLAY_NAME_MESSAGE = 'A display name is required.';

export const UpdateDisplayNameRequest = objectSchema(
  'UpdateDisplayNameRequest',
  'The display name to set.',
  {
    display_name: field(
      'displayNameMissing',
      z
        .string({
          error: (issue) =>
            issue.input === undefined
              ? DISPLAY_NAME_MESSAGE
              : 'A display name is required: display_name must be a string.',
        })
        .refine((name) => name.trim() !== '', DISPLAY_NAME_MESSAGE),
      `The new name: lower-cased, with hyphens for white space, without punctuation and emoji; other letters, such as é, are refused with a suggestion. The result must have ${LIMITS.displayNameMin} to ${LIMITS.displayNameMax} characters, not start or end with a hyphen, and be unique across all accounts.`,
      'Jane Doe',
    ),
  },
);
export type UpdateDisplayNameRequest = z.infer<typeof UpdateDisplayNameRequest>;

/** Refusals for a display name that breaks a rule or is not available. */
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
      'The sanitized name has characters that are not allowed, or is too long.',
      'The display name is not valid. How about {suggestion}?',
      { suggestion: 'jose-doe' },
    ),
  ),
  displayNameReserved: forField(
    'display_name',
    refusal(
      409,
      'The name is on the list of reserved names. Choose another one.',
      'The display name {name} is not available.',
      { name: 'admin' },
    ),
  ),
  displayNameTaken: forField(
    'display_name',
    refusal(
      409,
      'Another account has this name. Choose another one.',
      'The display name {name} is already taken.',
      {
        name: 'jane-doe',
      },
    ),
  ),
};

export const PROFILE_REFUSALS = {
  profileNotFound: refusal(
    404,
    'The key is valid, but the account no longer exists.',
    'The profile could not be found; the session may be stale.',
  ),
};

/** Refusals for too many name changes, or too many held-back names. */
export const NAME_CHANGE_REFUSALS = {
  nameChangeLimitReached: refusal(
    429,
    'The account reached its daily limit of name changes (UTC).',
    'An account can change its name {limit} times a day. Try again in {wait}.',
    { limit: 20, wait: '5 hours' },
  ),
  heldNameLimitReached: refusal(
    429,
    'The account would hold back more former names than the operator allows.',
    'Too many former names are held back for this account. Change back to one of them, or try again in {wait}.',
    { wait: '12 days' },
  ),
};

export const account = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  getDisplayName: {
    method: 'GET',
    path: '/account/get-display-name',
    summary: 'Read the display name',
    description:
      'Returns the display name of the account. It is empty if the account never set one.',
    response: DisplayNameResponse,
    failure: 'The display name could not be fetched.',
  },
  updateDisplayName: {
    method: 'POST',
    path: '/account/update-display-name',
    summary: 'Change the display name',
    description:
      'Sanitizes and claims the name, which turns email forwarding off and clears its destination address, even if the name stays the same. A session needs a login within the last 60 minutes to clear a confirmed destination address.',
    body: UpdateDisplayNameRequest,
    response: resultSchema('The display name was changed. `getDisplayName` returns the result.', {
      success,
      message: messageField(
        'The display name was updated to jane-doe. Email forwarding was disabled and can be re-enabled via the API or dashboard.',
      ),
    }),
    failure: 'The display name could not be updated.',
    destructive: true,
    // The public API always accepted them.
    refusesUnknownFields: false,
    idempotent: true,
    refusals: {
      ...DISPLAY_NAME_REFUSALS,
      ...NAME_CHANGE_REFUSALS,
      ...PROFILE_REFUSALS,
      ...RECENT_LOGIN_REFUSALS,
    },
  },
});
