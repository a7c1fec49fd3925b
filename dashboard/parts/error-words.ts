/** Why a form was not accepted. */
export interface FormProblem {
  /** The name of the field in the API, if the problem is about one. */
  field: string | undefined;
  /** The stable name of the refusal, if the server sent one. */
  code?: string | undefined;
  /** The sentence of the server, or of the dashboard itself. */
  sentence: string;
}

const WEB_ADDRESS = '{label} must be a web address, such as https://example.com.';

/**
 * Sentences of the dashboard by `field`, or by `field code` where a field is refused for more than one
 * reason. `{label}` is the label of the field. A field inside a block or a list goes by its last name.
 */
const SENTENCES: Readonly<Record<string, string>> = {
  'apiKey loginFailed': 'This key is wrong, expired or revoked.',
  avatar_url: WEB_ADDRESS,
  url: WEB_ADDRESS,
  'page_url importHostUnknown':
    'Only pages of these services can be read by their address. Paste the source of any other page.',
  'confirm confirmationMismatch': 'That is not the name of this account.',
  background_color: '{label} must be a colour such as #1d4ed8.',
  primary_color: '{label} must be a colour such as #1d4ed8.',
  text_color: '{label} must be a colour such as #1d4ed8.',
  accent_color: '{label} must be a colour such as #1d4ed8.',
};

/**
 * Words a problem for the field with this label: in a sentence of the dashboard's own, else in the
 * server's, which begins with the path of the field where the schema of the request refuses it.
 */
export function errorWords({ field = '', code, sentence }: FormProblem, label: string): string {
  const name = field.split('.').at(-1)!;
  const own = SENTENCES[`${name} ${code}`] ?? SENTENCES[name];
  if (own) return own.replace('{label}', label);
  return sentence.startsWith(`${field} `) ? label + sentence.slice(field.length) : sentence;
}
