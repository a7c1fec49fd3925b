export interface FormProblem {
  /** Dotted path of the invalid field, if the error is about one. */
  field: string | undefined;
  code?: string | undefined;
  text: string;
}

const WEB_ADDRESS_MESSAGE = '{label} must be a web address, such as https://example.com.';

const HTTPS_ADDRESS = '{label} must be a web address that starts with https://.';

/**
 * Messages that replace the server's. Keys are a field name (the last segment of the path),
 * optionally followed by a space and the error code. `{label}` is replaced with the field's label.
 */
const FIELD_MESSAGES: Readonly<Record<string, string>> = {
  'apiKey loginFailed': 'This key is wrong, expired or revoked.',
  avatar_url: WEB_ADDRESS_MESSAGE,
  url: WEB_ADDRESS_MESSAGE,
  'page_url importHostUnknown':
    'This service is not supported. Paste the source of the page instead.',
  'confirm confirmationMismatch': 'This is not the name of the account.',
  imprint_url: HTTPS_ADDRESS,
  privacy_url: HTTPS_ADDRESS,
  terms_url: HTTPS_ADDRESS,
  contact: '{label} must be an email address or a web address that starts with https://.',
  color: '{label} must be a color such as #1d4ed8.',
  background_color: '{label} must be a color such as #1d4ed8.',
  primary_color: '{label} must be a color such as #1d4ed8.',
  text_color: '{label} must be a color such as #1d4ed8.',
  accent_color: '{label} must be a color such as #1d4ed8.',
};

/**
 * The message to show below a field. If a server message starts with the field's path, the label
 * replaces the path.
 */
export function fieldErrorMessage({ field = '', code, text }: FormProblem, label: string): string {
  const name = field.split('.').at(-1)!;
  const customMessage = FIELD_MESSAGES[`${name} ${code}`] ?? FIELD_MESSAGES[name];
  if (customMessage) return customMessage.replace('{label}', label);
  return text.startsWith(`${field} `) ? label + text.slice(field.length) : text;
}
