// Every request, in the order in which it came, and what it was answered.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { fieldsOf } from './object.ts';
import type { Asked } from './request.ts';

export interface Logged extends Asked {
  /** Undefined until it was answered. */
  readonly status: number | 'silent' | 'reset' | undefined;
  /** Milliseconds since the server started. */
  readonly atMs: number;
  readonly ms: number | undefined;
}

export class RequestLog {
  readonly #entries: Logged[] = [];
  readonly #startedMs = performance.now();

  /** Answers the function that notes the end. */
  begin(asked: Asked): (status: Logged['status']) => void {
    const atMs = performance.now() - this.#startedMs;
    const entry = {
      ...asked,
      status: undefined as Logged['status'],
      atMs,
      ms: undefined as number | undefined,
    };
    this.#entries.push(entry);
    return status => {
      entry.status = status;
      entry.ms = performance.now() - this.#startedMs - atMs;
    };
  }

  all(): readonly Logged[] {
    return this.#entries;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** What asks for a change; a review, of access or of oneself, is a POST and no write. The tests' own hands are left out. */
  writes(): readonly Logged[] {
    return this.#entries.filter(
      ({ method, path, user }) =>
        method !== 'GET' && user !== 'admin' && !path.split('?')[0]?.endsWith('reviews'),
    );
  }

  /** `DELETE jobs batch/nightly-1`, for short comparisons. */
  lines(): string[] {
    return this.writes().map(
      ({ method, resource, namespace, name }) =>
        `${method} ${resource} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
    );
  }

  /** Resolves once so many matching requests have come in. */
  async until(matches: (entry: Logged) => boolean, count = 1, deadlineMs = 30_000): Promise<void> {
    const deadline = performance.now() + deadlineMs;
    while (this.#entries.filter(matches).length < count) {
      if (performance.now() > deadline)
        throw new Error(`fewer than ${count} such requests in ${deadlineMs} ms`);
      await sleep(5);
    }
  }

  /** Fails unless every delete says in its body what happens to dependents and which uid it means, and every patch which version. */
  assertWritesArePinned(): void {
    for (const entry of this.writes()) {
      const body = fieldsOf(entry.body);
      const told = `${entry.method} ${entry.path} ${JSON.stringify(entry.body)}`;
      if (entry.method === 'DELETE') {
        assert.ok(entry.name, `a collection was deleted: ${told}`);
        assert.ok(body['propagationPolicy'], `no propagationPolicy in the body: ${told}`);
        assert.ok(fieldsOf(body['preconditions'])['uid'], `no preconditions.uid in the body: ${told}`);
      } else if (entry.method === 'PATCH') {
        assert.ok(fieldsOf(body['metadata'])['resourceVersion'], `no resourceVersion: ${told}`);
        assert.match(entry.contentType, /^application\/merge-patch\+json$/, told);
      } else {
        assert.fail(`a write that is neither DELETE nor PATCH: ${told}`);
      }
    }
  }
}
