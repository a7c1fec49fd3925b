import { z } from 'zod';
import { LIMITS } from '#contract/shared/limits.ts';
import { SITE_TEXTS } from '#contract/shared/site-fields.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { ANA_ID, exampleLink, JANE_ID } from '../examples.ts';
import {
  booleanField,
  booleanParam,
  field,
  idField,
  listParam,
  nullableTextField,
  objectSchema,
  resultSchema,
  timeField,
} from '../fields.ts';
import { forField, refusal } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { limitedText } from '../text.ts';
import { uuid } from '../uuid.ts';

const id = idField('The id of the account.', ANA_ID);

const look = {
  display_name: nullableTextField(
    'The display name of the account, or null.',
    LIMITS.displayNameMax,
    'ana-silva',
  ),
  page_title: nullableTextField(
    'The name that its page shows, or null.',
    SITE_TEXTS.display_name.max,
    'Ana Silva',
  ),
  avatar_url: nullableTextField(
    'The URL of the picture that its page shows, or null.',
    LIMITS.url,
    null,
  ),
};

const AccountFace = objectSchema('AccountFace', 'An account, as others see it.', { id, ...look });

const isOwner = booleanField('Whether it is the owner of the account.', false);

const names = (description: string) =>
  z
    .array(z.string().meta({ maxLength: LIMITS.keyLabel }))
    .meta({ description, examples: [['status page']] });

const Keeper = objectSchema('Keeper', 'Somebody who looks after the account.', {
  account_id: id,
  ...look,
  owner: isOwner,
  suspended: booleanField('Whether the account of the keeper is suspended.', false),
  since: timeField('Since when', '2026-01-31T09:30:00.000Z'),
  keys: names('The labels, or else the ids, of the keys that they made in the account.'),
  connections: names('The names of the connections that they made in the account.'),
  apps: names('The names of the apps that they connected to the account.'),
});

/** For operators. */
export const MemberKeeper = objectSchema('MemberKeeper', 'Somebody who looks after the account.', {
  account_id: id,
  ...look,
  owner: isOwner,
});

const invitation = {
  id: idField('The id of the invitation.', '5d1c7a3e-8f0b-4b7e-9a52-0c6f4e2d1b90'),
  expires_at: timeField('When the invitation ends', '2026-02-14T09:30:00.000Z'),
};

const SentInvitation = objectSchema('KeeperInvitation', 'An invitation that waits.', {
  ...invitation,
  account_id: id,
  ...look,
});

const ReceivedInvitation = objectSchema('AccountInvitation', 'An invitation to keep an account.', {
  ...invitation,
  account: AccountFace,
  invited_by: AccountFace,
});

const MEMBER_NOT_FOUND = refusal(
  404,
  'No other member has this name, or the account is suspended, waits, or is kept by others.',
  'There is no member @{name} who could keep this account.',
  { name: 'ana-silva' },
);

/** Of members who keep a new account. */
export const keeperNames = field(
  'keepersInvalid',
  listParam(
    limitedText(LIMITS.displayNameMax, 'must be the display name of a member.'),
    1,
    LIMITS.keepers,
    'display names',
  ).optional(),
  'The display names of members who keep the account, such as that of a club. The first one owns it. It then has neither a key nor a login of its own.',
  ['jane-doe', 'joe-bloggs'],
);

export const KEEPER_NAME_REFUSALS = {
  memberNotFound: forField('keepers', MEMBER_NOT_FOUND),
  keepersOff: refusal(
    409,
    'The server runs without the feature `keepers`, so that nobody could open the account.',
    'On this server, nobody keeps an account for others.',
  ),
};

export const LAST_KEEPER_REFUSALS = {
  lastKeeper: refusal(
    409,
    'Afterwards, nobody could sign in for an account: invited and suspended people do not count.',
    'Nobody else can sign in for {account}. Hand it over or delete it first.',
    { account: '@rowing-club' },
  ),
};

export const ACCOUNT_KEPT_REFUSALS = {
  accountKept: refusal(
    409,
    'A keeper owns the account, so it has no login of its own.',
    'This account has no login of its own. Its keepers open it.',
  ),
};

const invitationId = field(
  'invitationIdInvalid',
  uuid('must be the id of one of your invitations.'),
  'The id of an invitation in `accounts.listAccounts`.',
  '5d1c7a3e-8f0b-4b7e-9a52-0c6f4e2d1b90',
);

const keeperId = field(
  'accountIdInvalid',
  uuid('must be the id of a keeper.'),
  'The account of the keeper.',
  ANA_ID,
);

const KEEPER_UNKNOWN_REFUSALS = {
  keeperNotFound: forField(
    'account_id',
    refusal(
      404,
      'The account has no such keeper or invitation.',
      'This account has no such keeper.',
    ),
  ),
};

const INVITATION_UNKNOWN_REFUSALS = {
  invitationNotFound: refusal(
    404,
    'The invitation was accepted, declined or withdrawn, has expired, or is for another account.',
    'This invitation is no longer valid, or it is for another account.',
  ),
};

export const accounts = defineOwnerEndpoints('accounts', AUTHENTICATED_DEFAULTS, {
  listAccounts: {
    method: 'GET',
    summary: 'List the accounts that you keep',
    description:
      'Lists your own account, the accounts that you keep, and your invitations to keep others. To act for an account with a session, send its id in the header `Nameplate-Account`; an API key always acts for its own account.',
    response: resultSchema('The accounts that you can act for.', {
      accounts: z
        .array(
          objectSchema('KeptAccount', 'An account that you can act for.', {
            id,
            ...look,
            owner: isOwner,
            only_keeper: booleanField(
              'Whether you are the only person who can sign in to this account. If so, you can neither leave it nor delete your own account.',
              false,
            ),
          }),
        )
        .meta({ description: 'The accounts: your own first, then by display name.' }),
      invitations: z
        .array(ReceivedInvitation)
        .meta({ description: 'Invitations that wait for your answer.' }),
    }),
    listField: 'accounts',
    untrustedFields: 'all',
    failure: 'The accounts could not be fetched.',
  },
});

export const keepers = defineOwnerEndpoints('keepers', AUTHENTICATED_DEFAULTS, {
  listKeepers: {
    method: 'GET',
    summary: 'List the keepers',
    description:
      'Returns everybody who looks after the account, its owner first, and the invitations that wait.',
    response: resultSchema('The keepers of the account.', {
      keepers: z.array(Keeper).meta({ description: 'The keepers: the owner, then by time.' }),
      invitations: z
        .array(SentInvitation)
        .meta({ description: 'Invitations that wait. Only the owner sees them.' }),
    }),
    listField: 'keepers',
    untrustedFields: 'all',
    failure: 'The keepers could not be fetched.',
  },
  inviteKeeper: {
    method: 'POST',
    summary: 'Invite a keeper',
    description: `Invites a member of this server, for 14 days and by mail if they have a confirmed address, to look after the account, too. Keepers do everything that the owner does, except changing keepers, the login and where mail goes, exporting and deleting the account; at most ${LIMITS.keepers} keepers and invitations.`,
    body: {
      display_name: field(
        'nameMissing',
        limitedText(LIMITS.displayNameMax, 'must be the display name of a member.'),
        'The display name of the member.',
        'ana-silva',
      ),
    },
    response: resultSchema('The invitation.', { invitation: SentInvitation }),
    actor: 'owner',
    recentLogin: true,
    failure: 'The keeper could not be invited.',
    refusals: {
      keeperLimitReached: refusal(
        409,
        'The account has as many keepers and invitations as it may.',
        'This account already has {limit} keepers and invitations.',
        { limit: LIMITS.keepers },
      ),
      memberNotFound: forField('display_name', MEMBER_NOT_FOUND),
      alreadyKeeper: forField(
        'display_name',
        refusal(
          409,
          'The member keeps the account already.',
          '@{name} keeps this account already.',
          {
            name: 'ana-silva',
          },
        ),
      ),
    },
  },
  getKeeperInvitation: {
    method: 'POST',
    summary: 'Read a mailed invitation',
    description:
      'Returns the invitation of a mailed link, also to another member, who cannot accept it. Changes nothing.',
    body: {
      invitation_url: limitedText(LIMITS.url, 'must be the mailed link.').meta({
        description: 'The mailed link, or its part after the #.',
        examples: [exampleLink('keep')],
      }),
    },
    response: resultSchema('The invitation.', {
      invitation: ReceivedInvitation,
      keeper: AccountFace.meta({ description: 'The account that may accept it.' }),
    }),
    actor: 'self',
    readOnly: true,
    untrustedFields: 'all',
    failure: 'The invitation could not be fetched.',
    refusals: INVITATION_UNKNOWN_REFUSALS,
  },
  acceptKeeperInvitation: {
    method: 'POST',
    summary: 'Accept or decline an invitation',
    description:
      'Makes you a keeper of the account, or declines. Only the invited account can answer.',
    body: {
      invitation_id: invitationId,
      accept: field(
        'acceptInvalid',
        booleanParam().default(true),
        'False to decline. Default: true.',
        true,
      ),
    },
    response: SuccessResponse,
    actor: 'self',
    failure: 'The invitation could not be answered.',
    refusals: INVITATION_UNKNOWN_REFUSALS,
  },
  removeKeeper: {
    method: 'POST',
    summary: 'Remove a keeper, leave, or withdraw an invitation',
    description:
      'Ends the access of a keeper at once; the owner may remove all others, and each keeper themselves. Keys that they made are revoked, their connections switched off, unless the owner hands both to another keeper or to themselves, and apps that they connected end.',
    body: {
      account_id: keeperId,
      hand_to: field(
        'handToInvalid',
        uuid('must be the id of another keeper.').optional(),
        'The keeper who gets their keys and connections. Default: these end.',
        JANE_ID,
      ),
    },
    response: SuccessResponse,
    actor: 'handler',
    failure: 'The keeper could not be removed.',
    destructive: true,
    refusals: {
      ...KEEPER_UNKNOWN_REFUSALS,
      ...LAST_KEEPER_REFUSALS,
      ownerCannotLeave: refusal(
        409,
        'The keeper is the owner of the account.',
        'The owner cannot leave. Hand the account over first.',
      ),
      keeperForbidden: refusal(
        403,
        'A keeper wants to remove another one, or to hand keys or connections on.',
        'Only the owner of this account may do that.',
      ),
    },
  },
  transferAccount: {
    method: 'POST',
    summary: 'Hand the account over',
    description:
      'Makes a keeper the owner; the former owner stays as a keeper. An account with a sign-in of its own loses that: its sessions, keys, connected apps, passkeys, single sign-on and login links end, and only its keepers can open it.',
    body: { account_id: keeperId },
    response: SuccessResponse,
    actor: 'handler',
    recentLogin: true,
    failure: 'The account could not be handed over.',
    destructive: true,
    refusals: {
      ...KEEPER_UNKNOWN_REFUSALS,
      transferForbidden: refusal(
        403,
        'A keeper who is not the owner wants to hand the account over.',
        'Only the owner of this account may do that.',
      ),
      accountNotTransferable: refusal(
        409,
        'The account is an operator, or keeps other accounts.',
        'An account that is an operator or keeps other accounts cannot be handed over.',
      ),
    },
  },
});
