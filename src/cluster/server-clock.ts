// The server's clock, from the Date header of the newest answer: ages must not depend on the clock of a laptop.

export class ServerClock {
  readonly #elapsedMs: () => number;
  #seen: { readonly serverMs: number; readonly atMs: number } | undefined;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  learn(header: string | undefined): void {
    const serverMs = header === undefined ? Number.NaN : Date.parse(header);
    if (!Number.isNaN(serverMs)) this.#seen = { serverMs, atMs: this.#elapsedMs() };
  }

  now(): Date {
    return this.#seen === undefined
      ? new Date()
      : new Date(this.#seen.serverMs + this.#elapsedMs() - this.#seen.atMs);
  }
}
