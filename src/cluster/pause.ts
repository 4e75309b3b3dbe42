// A wait that ends early, without an error, when the user interrupts.

/** `ms` milliseconds, or until the signal comes. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(done, ms);
  signal.addEventListener('abort', done, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', done);
}
