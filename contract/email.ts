const DOMAIN_LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const FIRST_CHARACTER = "[A-Za-z0-9_'+&=~#*^{}$]";
const CHARACTER = "[A-Za-z0-9_'+&=/~#*^{}|$-]";

/**
 * A plain ASCII `local@domain` with a dot in the domain. Rejects comments, quotes, lists and routes, and
 * local parts that a mail server could interpret as an option, a file or a program.
 */
export const EMAIL_PATTERN = new RegExp(
  `^(?=[^@]{1,64}@)${FIRST_CHARACTER}${CHARACTER}*(?:\\.${CHARACTER}+)*@(?:${DOMAIN_LABEL}\\.)+(?=[A-Za-z0-9-]*[A-Za-z])${DOMAIN_LABEL}$`,
);
