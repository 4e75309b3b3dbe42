// The fake as every scenario of the command line uses it: whatever a test is about, no write may go out unpinned.
import type { TestContext } from 'node:test';
import { type FakeApi, type FakeOptions, startFakeApi } from '../support/fake-api.ts';

export async function aFake(t: TestContext, options: FakeOptions = {}): Promise<FakeApi> {
  const api = await startFakeApi(t, options);
  t.after(() => api.log.assertWritesArePinned());
  return api;
}
