// Where Jobs stand, in one namespace and in all of them.
import { createLeakedPod } from '../../../test/cluster/state/pods.ts';
import type { Stage } from '../stage.ts';

/** Beside what the other stories have made: Pods that were left behind, one of them at work. */
export async function status(stage: Stage): Promise<{ readonly one: string; readonly all: string }> {
  const { admin } = stage;
  const namespace = 'imports';
  await stage.namespace(namespace);
  const left = { namespace, jobName: 'load-29360', jobUid: '5d1f0a1c-6f0f-4c86-9d37-2b1f6c2f7a11' };
  await createLeakedPod(admin, { ...left, name: 'load-29360-7hjk2', phase: 'Succeeded', ended: '9d' });
  await createLeakedPod(admin, { ...left, name: 'load-29360-q6wvz', phase: 'Running', started: '9d' });
  await pause(tenSecondsMs);
  const looking = await stage.session({ role: 'status', namespace });
  await looking.kubectl('jobctl status -A');
  const one = await stage.session({ role: 'status', namespace: 'billing' });
  await one.kubectl('jobctl status');
  return { one: one.text(), all: looking.text() };
}

/** An age of two digits, so that the columns are as wide every time. */
const tenSecondsMs = 10_000;
const pause = (ms: number) => new Promise(done => setTimeout(done, ms));
