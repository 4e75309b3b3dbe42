// At most N calls at once; results come in the order in which they end. A stop keeps what has not begun from beginning.

/** For calls that are not to be stopped. */
export const never: AbortSignal = new AbortController().signal;

export interface Pooled<T, R> {
  readonly item: T;
  readonly result: R;
}

/** Yields each result as it comes. After `signal` no new call begins; those under way are waited for. */
export async function* pool<T, R>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  call: (item: T) => Promise<R>,
): AsyncGenerator<Pooled<T, R>> {
  const running = new Map<number, Promise<{ id: number; item: T; result: R }>>();
  let next = 0;
  const start = (): void => {
    while (next < items.length && running.size < atOnce && !signal.aborted) {
      const id = next++;
      const item = items[id] as T;
      running.set(
        id,
        call(item).then(result => ({ id, item, result })),
      );
    }
  };
  for (start(); running.size > 0; start()) {
    const { id, item, result } = await Promise.race(running.values());
    running.delete(id);
    yield { item, result };
  }
}
