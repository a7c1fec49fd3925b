import { MINUTE_MS } from '../../../contract/durations.ts';
import { evaluateAlerts, type Evaluation } from './evaluate-alerts.ts';
import { type AlertSending, sendAlerts } from './send-alerts.ts';

/** How often each process looks for what is due: an alert itself is due once a minute. */
const TICK_MS = 10_000;

/** Evaluates alerts and sends their messages until it is closed. Several may do so on one database. */
export class AlertRunner {
  readonly #on: Evaluation & AlertSending;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(on: Evaluation & AlertSending, tickMs = TICK_MS) {
    this.#on = on;
    this.#timer = setInterval(() => void this.run(), tickMs).unref();
  }

  /** Does what is due, once at a time. */
  run(): Promise<void> {
    return (this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    }));
  }

  /** Begins nothing more, and waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #work(): Promise<void> {
    try {
      await evaluateAlerts(this.#on, this.#minute());
      await sendAlerts(this.#on, this.#minute());
    } catch (error) {
      this.#on.onError(error);
    }
  }

  /** A minute of its own for each part, so that slow evaluations keep no message back. */
  #minute(): () => boolean {
    const end = performance.now() + MINUTE_MS;
    return () => this.#isClosed || performance.now() > end;
  }
}
