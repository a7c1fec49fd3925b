import type { StoredMessage } from '#contract/refusal.ts';
import type { ConnectionKind } from '#contract/shared/connection-kinds.ts';
import type { DeliveryRow } from '#db/queries/deliveries.ts';
import type { Core } from '#server/core.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Translator } from '#translations/translator.ts';
import type { ChatService } from '../../chat/chat-service.ts';
import type { EventMessage } from '../event-message.ts';
import type { Receivers } from '../receivers.ts';

/** What sending to any kind of connection needs. */
export type ConnectionServices = Core & { chat: ChatService; connections: Receivers };

/** A connection with its decrypted fields. */
export interface OpenReceiver {
  id: string;
  kind: ConnectionKind;
  accountId: string;
  /** Empty if the kind has no URL. */
  url: string;
  /** The token that the owner set, or the keys: the newest first. */
  secrets: readonly string[];
}

export interface Attempt {
  /** `refused`: another attempt would fail, too. `gone`: the URL or token is no longer valid. */
  outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  error?: StoredMessage;
  response_status?: number;
  /** The start of the response, without secrets. */
  response?: string;
  retryAfterSeconds?: number | undefined;
}

interface Outgoing {
  receiver: OpenReceiver;
  delivery: Pick<DeliveryRow, 'id' | 'type' | 'data' | 'created_at'>;
  /** The event in words. */
  message: EventMessage;
  signal: AbortSignal;
}

/** A kind without `url` sends to the account itself. */
export interface KindOfConnection {
  url?: {
    /** Describes a valid URL. */
    rule: (t: Translator, config: Config) => string;
    /** Returns the URL to store, or undefined if it is not valid. Accepts what it returned. */
    parse: (config: Config, text: string) => string | undefined;
    /** The URL without its secret part. */
    mask: (url: string) => string;
    /** Whether `app.connections` calls the URL, which limits calls and private origins. */
    isReceiver?: true;
  };
  /** The form of a valid token. */
  token?: RegExp;
  /** Whether the receiver calls addresses that its owner chooses. */
  isRelay?: (url: URL, token: string | null | undefined) => boolean;
  send: (app: ConnectionServices, outgoing: Outgoing) => Promise<Attempt>;
}
