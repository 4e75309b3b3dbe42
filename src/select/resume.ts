// `resume`, the reads: what is to be given back, its Jobs, and what we may do. Without words: everything here that is stopped.
import { isFinished } from '../model/job.ts';
import type { ResumeOptions } from '../model/options.ts';
import type { ResumeSnapshot } from '../model/stop-snapshot.ts';
import { readPatchRights } from './access.ts';
import { needed } from './needed.ts';
import { stopMoment } from './stop-moment.ts';
import { readResumeRights } from './stop-rights.ts';
import { addJobs, findStoppable, type Looking, readPodsOf } from './stoppable.ts';

export async function selectResume(options: ResumeOptions, at: Looking): Promise<ResumeSnapshot> {
  const { read } = at;
  const catalog = needed(await read.kinds(), 'the list of kinds');
  const found = await findStoppable(options, catalog, at);
  if (options.words.by === 'nothing')
    found.keepOnly(
      ({ remembered }) => remembered.state === 'remembered' || remembered.state === 'unreadable',
    );
  await addJobs(found, read);
  const sources = [...found.sources.values()];
  const jobs = [...found.jobs.values()];
  const stopped = jobs.filter(({ remembered }) => remembered.state === 'remembered');
  const refs = [...sources, ...stopped].map(({ ref }) => ref);
  // a list of what is stopped says nothing of Pods
  const half = options.words.by === 'nothing' ? [] : stopped.filter(({ state }) => !isFinished(state));
  return {
    ...(await stopMoment(read, options.allNamespaces, refs)),
    sources,
    jobs,
    pods: await readPodsOf(half, read),
    asked: found.asked,
    mayPatch: await readPatchRights(read, refs),
    ...(await readResumeRights(read, sources, options)),
  };
}
