import { signal } from '@preact/signals';
import { useId, useLayoutEffect } from 'preact/hooks';
import { isReachable } from '../api/connection.ts';
import { errorMessage } from '../api/error-message.ts';
import { navigationCount } from '../router.ts';
import { readStored, store } from '../storage.ts';
import { t } from '../translate.ts';

interface Action {
  label: string;
  run: () => void;
  /** If this returns false, the message is hidden. */
  isCurrent?: () => boolean;
}

interface Message {
  text: string;
  isFailure: boolean;
  /** The server is unreachable. The message disappears when it is reachable again. */
  isOffline: boolean;
  action?: Action | undefined;
}

const MESSAGE_MS = 6_000;
const message = signal<Message>();
const announcement = signal('');
/** Where messages can appear. Only in the dialog opened last can they be seen, used and read aloud. */
const regions = signal<readonly string[]>([]);
// On navigation, drop a message with an action, which belongs to the previous screen.
navigationCount.subscribe(() => message.peek()?.action && dismiss());
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a few seconds, with an optional button such as Undo. */
export function showMessage(text: string, action?: Action): void {
  displayMessage({ text, action, isFailure: false, isOffline: false });
}

const NEXT_KEY = 'nameplate-message';

/** Opens another document, as that of another account, and shows the message there. */
export function showMessageIn(url: string, text: string): void {
  store(NEXT_KEY, text, 'sessionStorage');
  location.assign(url);
}

const nextText = readStored(NEXT_KEY, 'sessionStorage');
store(NEXT_KEY, null, 'sessionStorage');
if (nextText) showMessage(nextText);

/** Tells screen readers what others see. */
export function announce(text: string): void {
  announcement.value = text;
}

/** If the promise rejects, shows the error as a message and resolves to undefined. */
export async function withErrorMessage<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    showError(errorMessage(error));
    return undefined;
  }
}

/** Shows an error until the user closes it or another message replaces it. */
export function showError(text: string, action?: Action): void {
  displayMessage({ text, action, isFailure: true, isOffline: !isReachable.peek() });
}

function displayMessage(next: Message): void {
  clearTimeout(timer);
  message.value = next;
  if (!next.isFailure) timer = setTimeout(dismiss, next.action ? 2 * MESSAGE_MS : MESSAGE_MS);
}

function dismiss(): void {
  message.value = undefined;
}

export function Announcements() {
  return (
    <p class="visually-hidden" role="status">
      {announcement.value}
    </p>
  );
}

export function Messages() {
  const { text, isFailure, isOffline, action } = message.value ?? {};
  const id = useId();
  useLayoutEffect(() => {
    regions.value = [...regions.peek(), id];
    return () => (regions.value = regions.peek().filter((other) => other !== id));
  }, [id]);
  const isShown =
    text !== undefined &&
    regions.value.at(-1) === id &&
    !(isOffline && isReachable.value) &&
    (action?.isCurrent?.() ?? true);
  return (
    <div class="messages" role="status">
      {isShown && (
        <p class={isFailure ? 'message bad' : 'message'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="link"
              onClick={() => {
                dismiss();
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="link" onClick={dismiss}>
            {t('Close')}
          </button>
        </p>
      )}
    </div>
  );
}
