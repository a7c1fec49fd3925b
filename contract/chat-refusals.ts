import { refusal } from './refusal.ts';

export const CHAT_REFUSALS = {
  chatPlatformRefused: refusal(
    400,
    'Discord rejected the message. Change what its answer names.',
    'Discord answered: {answer}',
    {
      answer: 'Unknown Message',
    },
  ),
  webhookNotFound: refusal(
    400,
    'The webhook does not exist at Discord. Create one in the settings of the channel.',
    'Discord does not know this webhook: it was deleted, or the token in its URL is wrong.',
  ),
  chatPlatformFailed: refusal(
    500,
    'Discord could not be reached, so the message was not sent.',
    'Discord could not be reached or failed; the message was not sent.',
  ),
  outcomeUnknown: refusal(
    500,
    'It is unknown whether Discord received the message.',
    'Discord gave no valid answer, so the message may have been sent. Check the channel before you send it again.',
  ),
  chatPlatformRateLimited: refusal(
    500,
    'Discord rate-limits the webhook or this server.',
    'Discord accepts no more messages at the moment. Try again in {seconds} seconds.',
    { seconds: 5 },
  ),
  relayOverloaded: refusal(
    503,
    'The server is sending too many messages at once.',
    'Too many messages are being sent. Try again in a moment.',
  ),
  relayRateLimited: refusal(
    503,
    'The account is sending too many messages.',
    'This account sends too many messages. Try again in {seconds} seconds.',
    { seconds: 30 },
  ),
  relayBlocked: refusal(
    503,
    'Discord has temporarily blocked this server.',
    'Discord accepts no messages from this service at the moment. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
  relayPausedForAccount: refusal(
    503,
    'Discord rejected too many messages from this account, so sending is paused for the account.',
    'Discord refused too many messages from this account. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
  relayPaused: refusal(
    503,
    'Discord rejected too many messages from this server, so sending is paused for everyone.',
    'Discord refused too many messages from this service. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
};
