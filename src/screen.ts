// Writes lines: data to standard output, everything else to standard error, and a few updating lines on a terminal.
import type { Lines } from './report/renderer.ts';

const quietMs = 2000;
const statusEveryMs = 100;
const plainStatusEveryMs = 15_000;

export class Screen {
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  /** Lines of the status that stand on the terminal now. */
  #standing = 0;
  #shownAtMs = 0;
  #requests = 0;
  /** Until the plan is shown: then there is something better to say. */
  #isReading = true;
  #showsProgress = true;
  readonly #startedMs = performance.now();
  #broken = false;

  constructor(out: NodeJS.WriteStream, err: NodeJS.WriteStream) {
    this.#out = out;
    this.#err = err;
    // a reader that went away (| head) is not an error of ours: the rest has nowhere to go
    for (const stream of [out, err])
      stream.on('error', () => {
        this.#broken = true;
      });
    this.#shownAtMs = performance.now();
  }

  /** Resolves once the lines are taken, so that a slow reader slows us down instead of filling memory. */
  async show(lines: Lines): Promise<void> {
    this.#isReading = false;
    if (lines.out !== undefined || lines.err !== undefined) this.#clear();
    if (lines.err !== undefined) await this.#write(this.#err, lines.err);
    if (lines.out !== undefined) await this.#write(this.#out, lines.out);
    if (lines.status !== undefined) this.#update(lines.status);
  }

  withoutProgress(): void {
    this.#showsProgress = false;
  }

  /** A line on standard error at once. */
  note(text: string): void {
    this.#clear();
    this.#err.write(`${text}\n`);
  }

  /** One request was answered: shown under -v, else counted for the line that says that reading takes long. */
  request(line: string, shown: boolean): void {
    this.#requests += 1;
    if (shown) this.note(line);
    else if (this.#isReading && performance.now() - this.#startedMs > quietMs) {
      this.#update(`reading … ${this.#requests} requests`);
    }
  }

  async flushed(): Promise<void> {
    this.#clear();
    // the callback comes when everything before it is out, or cannot go out any more
    await Promise.all(
      [this.#out, this.#err].map(stream => new Promise<void>(done => stream.write('', () => done()))),
    );
  }

  async #write(stream: NodeJS.WriteStream, lines: readonly string[]): Promise<void> {
    if (lines.length === 0 || this.#broken) return;
    if (!stream.write(`${lines.join('\n')}\n`)) await drained(stream);
  }

  #update(status: string): void {
    if (!this.#showsProgress) return;
    const now = performance.now();
    const everyMs = this.#err.isTTY ? statusEveryMs : plainStatusEveryMs;
    if (now - this.#shownAtMs < everyMs) return;
    this.#shownAtMs = now;
    if (!this.#err.isTTY) {
      this.#err.write(`${status}\n`);
      return;
    }
    // a line that wraps, or more of them than the terminal has, could not be taken back
    const width = Math.max(20, this.#err.columns - 1);
    const lines = status.split('\n').map(line => line.slice(0, width));
    const shown = lines.slice(0, Math.max(1, (this.#err.rows ?? 24) - 1));
    this.#clear();
    this.#err.write(shown.join('\n'));
    this.#standing = shown.length;
  }

  #clear(): void {
    if (this.#standing === 0) return;
    // to the start of the first of them, and away with everything below
    const up = this.#standing > 1 ? `\u001b[${this.#standing - 1}A` : '';
    this.#err.write(`\r${up}\u001b[J`);
    this.#standing = 0;
  }
}

/** Leaves no listener behind: a slow reader is waited for thousands of times. */
function drained(stream: NodeJS.WriteStream): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    stream.off('drain', done);
    stream.off('error', done);
    resolve();
  };
  stream.on('drain', done);
  stream.on('error', done);
  return promise;
}
