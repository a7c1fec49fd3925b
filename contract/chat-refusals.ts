import { refusal } from './refusal.ts';

/** Why the relay does not bring a message to the chat platform. */
export const CHAT_REFUSALS = {
  chatPlatformRefused: refusal(
    400,
    'The chat platform refuses the message.',
    'Discord answered: {answer}',
    { answer: 'Unknown Message' },
  ),
  webhookNotFound: refusal(
    400,
    'The chat platform no longer knows the webhook.',
    'Discord does not know this webhook: it was deleted, or the token in its URL is wrong.',
  ),
  chatPlatformFailed: refusal(
    500,
    'The chat platform could not be reached; nothing was sent.',
    'Discord could not be reached or failed; the message was not sent.',
  ),
  outcomeUnknown: refusal(
    500,
    'Whether the message went out is unknown.',
    'Discord gave no valid answer, so the message may have been sent. Check the channel before you send it again.',
  ),
  chatPlatformRateLimited: refusal(
    500,
    'The chat platform limits the webhook or this server.',
    'Discord accepts no more messages at the moment. Try again in {seconds} seconds.',
    { seconds: 5 },
  ),
  relayOverloaded: refusal(
    503,
    'Too many messages are being sent at once.',
    'Too many messages are being sent. Try again in a moment.',
  ),
  relayRateLimited: refusal(
    503,
    'The account sends too many messages.',
    'This account sends too many messages. Try again in {seconds} seconds.',
    { seconds: 30 },
  ),
  relayBlocked: refusal(
    503,
    'The chat platform has blocked this server for a while.',
    'Discord accepts no messages from this service at the moment. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
  relayPausedForAccount: refusal(
    503,
    'The chat platform refused too many messages from this account.',
    'Discord refused too many messages from this account. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
  relayPaused: refusal(
    503,
    'The chat platform refused too many messages from this service.',
    'Discord refused too many messages from this service. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
};
