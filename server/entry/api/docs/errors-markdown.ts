import { formatMessage } from '#contract/refusal.ts';
import { ERRORS_INTRO, type DeclaredError, isTemporary, listErrorsByCode } from './list-errors.ts';

const MAX_SHOWN_ROUTES = 3;

export function renderErrorsMarkdown(pathsOff: ReadonlySet<string>): string {
  const entries = listErrorsByCode(pathsOff).flatMap(([code, errors]) => [
    `## ${code}`,
    errors.map(describeError).join('\n'),
  ]);
  return `${['# Errors', ERRORS_INTRO, ...entries].join('\n\n')}\n`;
}

function describeError(error: DeclaredError): string {
  const { status, when, message, example, section, routes } = error;
  const text = formatMessage(message, example);
  const endpoints =
    routes.length > MAX_SHOWN_ROUTES
      ? [`${routes.length} endpoints`]
      : routes.map(({ method, path }) => `\`${method} ${path}\``);
  const places = section === 'Single endpoints' ? endpoints : [section, ...endpoints];
  return [
    `- ${status}, ${isTemporary(error) ? 'retry' : 'no retry'}.`,
    when,
    ...(text === when ? [] : [`Message: “${text}”`]),
    `(${places.join(', ')})`,
  ].join(' ');
}
