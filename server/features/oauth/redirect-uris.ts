import { LOOPBACK } from '#server/platform/settings/loopback.ts';

/**
 * Schemes of apps: a reversed domain, as RFC 8252 asks for, or one of known AI clients. Others start
 * programs of the system, or belong to a website (`web+…`).
 */
const APP_SCHEME =
  /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)+|claude|cursor|goose|vscode|vscode-insiders|windsurf|zed):$/;
const MAX_LENGTH = 2_000;

/** Of an app: https, http on this computer, or a scheme of its own (RFC 8252). */
export function isAppRedirectUri(text: unknown): text is string {
  const url = parse(text);
  return url !== undefined && (isWebOrLoopback(url) || APP_SCHEME.test(url.protocol));
}

/** Of a website: https, or http on this computer. */
export function isWebsiteUri(text: string): boolean {
  const url = parse(text);
  return url !== undefined && isWebOrLoopback(url);
}

export function isOnThisComputer(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'http:' && LOOPBACK.test(hostname);
}

/** Undefined for an app on a computer. A scheme of an app may name any host, such as `evil://claude.ai`. */
export function findReceiverHost(uri: string): string | undefined {
  const { protocol, host } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !isOnThisComputer(uri) ? host : undefined;
}

function parse(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || /[#\s\\\p{Cc}]/u.test(text))
    return undefined;
  const url = URL.parse(text);
  return url?.username === '' && url.password === '' ? url : undefined;
}

function isWebOrLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
