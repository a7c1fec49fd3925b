import { refusal } from './refusal.ts';

/** Why the relay does not bring a message to the chat platform. */
export const CHAT_RELAY = {
  chatPlatformRefused: refusal(
    400,
    'The chat platform refuses the message.',
    'The chat platform answered: {answer}',
    { answer: 'Unknown Message' },
  ),
  webhookNotFound: refusal(
    400,
    'The chat platform no longer knows the webhook.',
    'The chat platform does not know this webhook: it was deleted, or the token in its URL is wrong.',
  ),
  chatPlatformFailed: refusal(
    500,
    'The chat platform could not be reached; nothing was sent.',
    'The chat platform could not be reached or failed; the message did not go out.',
  ),
  outcomeUnknown: refusal(
    500,
    'Whether the message went out is unknown.',
    'The chat platform gave no valid answer, so the message may have been sent. Check the channel before you send it again.',
  ),
  chatPlatformRateLimited: refusal(
    500,
    'The chat platform limits the webhook or this server.',
    'The chat platform accepts no more messages at the moment. Try again in {seconds} seconds.',
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
    'The chat platform accepts no messages from this service at the moment. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
  relayPausedForAccount: refusal(
    503,
    'The chat platform refused too many messages from this account.',
    'The chat platform refused too many messages from this account. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
  relayPaused: refusal(
    503,
    'The chat platform refused too many messages from this service.',
    'The chat platform refused too many messages from this service. Try again in {seconds} seconds.',
    { seconds: 600 },
  ),
};
