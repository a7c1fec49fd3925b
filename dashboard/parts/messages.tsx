import { signal } from '@preact/signals';
import { sentenceOf } from '../api/refused.ts';

interface Message {
  id: number;
  text: string;
  isFailure: boolean;
  action?: { label: string; run: () => void } | undefined;
}

const STAYS_MS = 6_000;
const messages = signal<readonly Message[]>([]);
let count = 0;

/** Says that something was done, for a few seconds; with an action, for example to undo it. */
export function say(text: string, action?: Message['action']): void {
  add({ text, action, isFailure: false });
}

/** Says that something failed, until it is read. */
function complain(error: unknown): void {
  add({ text: sentenceOf(error), isFailure: true });
}

/** Does something whose failure is told in a message; gives `undefined` then. */
export async function showing<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    complain(error);
    return undefined;
  }
}

function add(message: Omit<Message, 'id'>): void {
  const id = (count += 1);
  // The same twice is said once.
  const others = messages.peek().filter(({ text }) => text !== message.text);
  messages.value = [...others.slice(-2), { id, ...message }];
  if (!message.isFailure) setTimeout(() => dismiss(id), message.action ? 2 * STAYS_MS : STAYS_MS);
}

function dismiss(id: number): void {
  messages.value = messages.peek().filter((message) => message.id !== id);
}

/** Where messages appear, which a screen reader reads when they come. */
export function Messages() {
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.value.map(({ id, text, isFailure, action }) => (
        <p key={id} class={isFailure ? 'message bad' : 'message'}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="link"
              onClick={() => {
                action.run();
                dismiss(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="link" onClick={() => dismiss(id)}>
            Close
          </button>
        </p>
      ))}
    </div>
  );
}
