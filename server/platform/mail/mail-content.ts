export interface Mail {
  /** Display name of the sender. */
  from?: string | undefined;
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: { name: string; address: string } | undefined;
  unsubscribeUrl?: string | undefined;
  /** The Message-ID, without the domain. */
  id?: string | undefined;
  /** A person wrote the mail to the recipient. */
  isPersonal?: true | undefined;
}

export interface MailContent extends Pick<Mail, 'to' | 'replyTo' | 'unsubscribeUrl' | 'id'> {
  /** A visitor wrote facts and quotes, in which no address becomes a link. */
  isFromVisitor?: true;
  host: string;
  subject: string;
  /** Instead of the subject. */
  headline?: string;
  /** A label above the headline. */
  status?: 'security' | 'attention' | undefined;
  /** Whether the plate is large. */
  isWelcome?: true;
  /** Text of the plate instead of the name of the installation. */
  plate?: string | undefined;
  facts?: readonly (readonly [label: string, value: string])[];
  intro: readonly string[];
  /** Whether the link of the action is shown in full, too. */
  hasOneTimeLink?: boolean;
  action?: { label: string; link: string };
  /** Instead of one action, several with a title each. */
  choices?: readonly { title: string; label: string; link: string }[];
  /** In small print below the button. */
  note?: string;
  outro?: readonly string[];
  /** In small print. */
  textLink?: { label: string; link: string };
  /** Cells to copy into a table. */
  copiedRow?: readonly string[];
  /** Why the recipient gets this mail. By default: the address belongs to an account. */
  footer?: string;
}
