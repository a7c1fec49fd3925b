import { t } from '../translate.ts';

export interface FormProblem {
  /** Dotted path of the invalid field, if the error is about one. */
  field: string | undefined;
  code?: string | undefined;
  text: string;
}

const webAddressMessage = (label: string) =>
  t('{label} must be a web address, such as https://example.com.', { label });

const urlMessage = (label: string, text: string) => label + text.slice('url'.length);

const httpsAddressMessage = (label: string) =>
  t('{label} must be a web address that starts with https://.', { label });

const colorMessage = (label: string) => t('{label} must be a color such as #1d4ed8.', { label });

/**
 * Messages that replace the server's, from the field's label. Keys are a field name (the last
 * segment of the path), optionally followed by a space and the error code.
 */
const FIELD_MESSAGES: Readonly<Record<string, (label: string, text: string) => string>> = {
  'api_key loginFailed': () => t('This key is wrong, expired or revoked.'),
  // The server knows what the kind of the connection needs.
  'url connectionUrlInvalid': urlMessage,
  'url connectionUrlInsecure': urlMessage,
  'url connectionUrlPrivate': urlMessage,
  avatar_url: webAddressMessage,
  url: webAddressMessage,
  'source sourceIsAddress': () => t('Paste the source of the page instead of its address.'),
  'confirm confirmationMismatch': () => t('This is not the name of the account.'),
  imprint_url: httpsAddressMessage,
  privacy_url: httpsAddressMessage,
  terms_url: httpsAddressMessage,
  contact: (label) =>
    t('{label} must be an email address or a web address that starts with https://.', { label }),
  color: colorMessage,
  background_color: colorMessage,
  primary_color: colorMessage,
  text_color: colorMessage,
  accent_color: colorMessage,
};

/**
 * The message to show below a field. If a server message starts with the field's path, the label
 * replaces the path.
 */
export function fieldErrorMessage(
  { field = '', code, text }: FormProblem,
  label: string,
  value = '',
): string {
  // The server explains lengths and domains such as münchen.de, which others do not need.
  if (text.includes('xn--') && /^[ -~]+$/.test(value))
    return t('Enter an address such as jane@example.org.');
  const name = field.split('.').at(-1)!;
  const customMessage = FIELD_MESSAGES[`${name} ${code}`] ?? FIELD_MESSAGES[name];
  if (customMessage) return customMessage(label, text);
  return text.startsWith(`${field} `) ? label + text.slice(field.length) : text;
}
