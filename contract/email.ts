const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const FIRST = "[A-Za-z0-9_'+&=~#*^{}$]";
const ATOM = "[A-Za-z0-9_'+&=/~#*^{}|$-]";

/**
 * One plain ASCII `local@domain` with a dot in the domain: no comments, quotes, lists or routes, and
 * nothing that a mail server could take for an option, a file or a program.
 */
export const EMAIL_PATTERN = new RegExp(
  `^(?=[^@]{1,64}@)${FIRST}${ATOM}*(?:\\.${ATOM}+)*@(?:${LABEL}\\.)+(?=[A-Za-z0-9-]*[A-Za-z])${LABEL}$`,
);
