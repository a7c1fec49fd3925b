import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { sentenceOf } from '../api/sentence-of.ts';
import { visits } from '../router.ts';

interface Action {
  label: string;
  run: () => void;
  /** Whether the action still does what the message offers; the message goes when it does not. */
  isCurrent?: () => boolean;
}

interface Message {
  text: string;
  isFailure: boolean;
  action?: Action | undefined;
}

const STAYS_MS = 6_000;
const message = signal<Message>();
const announcement = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says that something was done, for a few seconds; with an action, for example to undo it. */
export function say(text: string, action?: Action): void {
  show({ text, action, isFailure: false });
}

/** Tells screen readers alone what everybody else sees happen. */
export function announce(text: string): void {
  announcement.value = text;
}

/** Does something whose failure is told in a message; gives `undefined` then. */
export async function showing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    // A failure stays until it is read.
    show({ text: sentenceOf(error), isFailure: true });
    return undefined;
  }
}

function show(next: Message): void {
  clearTimeout(timer);
  message.value = next;
  if (!next.isFailure) timer = setTimeout(dismiss, next.action ? 2 * STAYS_MS : STAYS_MS);
}

function dismiss(): void {
  message.value = undefined;
}

/** Shows the newest message, which a screen reader reads when it comes. */
export function Messages() {
  const { text, isFailure, action } = message.value ?? {};
  const isShown = text !== undefined && (action?.isCurrent?.() ?? true);
  useEffect(() => {
    // An offer belongs to the screen on which it was made.
    if (message.peek()?.action) dismiss();
  }, [visits.value]);
  return (
    <>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
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
              Close
            </button>
          </p>
        )}
      </div>
    </>
  );
}
