// What a complaint about words and flags looks like.
import assert from 'node:assert/strict';

/** For assert.rejects: a usage error whose sentence matches. */
export const isUsageError =
  (expected: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Error && 'kind' in error && error.kind === 'usage', String(error));
    assert.match(error.message, expected);
    return true;
  };
