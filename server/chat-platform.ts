import type { ChatMessage } from '../contract/chat-message.ts';
import type { Webhook } from './webhook-url.ts';

/** Where messages are sent to: the chat platform, or a look-alike. */
export interface ChatPlatform {
  /** Sends a message and returns its id; throws a `RequestError` if it is refused or fails. */
  send: (webhook: Webhook, message: ChatMessage) => Promise<string>;
  /** Replaces a message and returns its id; throws a `RequestError` if it is refused or fails. */
  edit: (webhook: Webhook, messageId: string, message: ChatMessage) => Promise<string>;
}
