// The eyes of a stop: Jobs and their Pods, read together again and again. The Jobs first, so that a Pod made since is seen too; and
// from consistent lists, because what a stale one does not show may be running.
import type { ClusterReader, Read } from '../cluster/contract.ts';
import { isFinished } from '../model/job.ts';
import { controllerOf } from '../model/object.ts';
import type { StopPlan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Ref } from '../model/ref.ts';
import type { Work } from '../model/stopping.ts';
import type { WorkingJob } from '../model/working-job.ts';
import { isActive, type WorkingPod } from '../model/working-pod.ts';
import { podsOfJobs } from './pods-of-jobs.ts';

/** So many Jobs of a namespace are read one by one rather than in a list. */
const fewJobs = 3;
/** The Job controller's watch of Pods may lag behind its watch of Jobs, by milliseconds mostly; it replaces a failed Pod after 10 s. */
const longEndedAfterMs = 3000;

export interface Sight {
  readonly works: readonly Work[];
  /** Uids of Jobs that were there and are not any more. */
  readonly gone: ReadonlySet<string>;
  /** By namespace: what could not be read now, so that nothing is known there. */
  readonly unreadable: ReadonlyMap<string, Problem>;
}

export class StopEyes {
  readonly #read: ClusterReader;
  readonly #makers: ReadonlySet<string>;
  readonly #leaves: ReadonlySet<string>;
  readonly #namespaces: readonly string[];
  /** Jobs of the plan, and those that its sources have made since. */
  readonly #known: Map<string, Ref>;
  readonly silentNodes: Set<string>;
  /** Since when Pods are seen to have ended, by uid. */
  readonly #endedSinceMs = new Map<string, number>();

  constructor(plan: StopPlan, read: ClusterReader) {
    const { sources, makers, leaves, jobs } = plan.terms;
    this.#read = read;
    this.#makers = new Set(makers);
    this.#leaves = new Set(leaves);
    this.#known = new Map(jobs.map(job => [job.uid, job]));
    const making = sources.filter(({ uid }) => this.#makers.has(uid));
    this.#namespaces = [...new Set([...jobs, ...making].map(({ namespace = '' }) => namespace))];
    this.silentNodes = new Set();
  }

  async look(): Promise<Sight> {
    const works: Work[] = [];
    const gone = new Set<string>();
    const unreadable = new Map<string, Problem>();
    for (const namespace of this.#namespaces) {
      const seen = await this.#lookInto(namespace);
      if ('problem' in seen) {
        unreadable.set(namespace, seen.problem);
        continue;
      }
      works.push(...seen.works);
      const there = new Set(seen.works.map(({ job }) => job.ref.uid));
      for (const ref of this.#known.values())
        if ((ref.namespace ?? '') === namespace && !there.has(ref.uid)) gone.add(ref.uid);
    }
    return { works, gone, unreadable };
  }

  /** One Job and its Pods, right before a write that would delete what it does not know of. */
  async lookAgain(job: Ref): Promise<Work | undefined> {
    const { name, namespace = '', uid } = job;
    const now = await this.#read.getWorkingJob(name, namespace);
    if (now.state !== 'read' || now.value.ref.uid !== uid) return undefined;
    const pods = await podsOfJobs([now.value], namespace, this.#read);
    if (pods.state !== 'read') return undefined;
    return this.#toWork(now.value, pods.value);
  }

  async #lookInto(namespace: string): Promise<{ works: Work[] } | { problem: Problem }> {
    const jobs = await this.#jobs(namespace);
    if (jobs.state === 'unreadable') return { problem: jobs.problem };
    const found = jobs.state === 'read' ? jobs.value : [];
    for (const { ref } of found) this.#known.set(ref.uid, ref);
    const pods = await podsOfJobs(found, namespace, this.#read);
    if (pods.state === 'unreadable') return { problem: pods.problem };
    const byJob = Map.groupBy(pods.state === 'read' ? pods.value : [], pod => controllerOf(pod)?.uid);
    const works = found.map(job => this.#toWork(job, byJob.get(job.ref.uid) ?? []));
    return { works };
  }

  #toWork(job: WorkingJob, pods: readonly WorkingPod[]): Work {
    const nowMs = this.#read.now().getTime();
    const longEnded = new Set<string>();
    for (const pod of pods.filter(pod => !isActive(pod))) {
      const { uid } = pod.ref;
      const sinceMs = this.#endedSinceMs.get(uid) ?? nowMs;
      this.#endedSinceMs.set(uid, sinceMs);
      if (nowMs - sinceMs >= longEndedAfterMs) longEnded.add(uid);
    }
    return { job, pods, silentNodes: this.silentNodes, longEnded };
  }

  async #jobs(namespace: string): Promise<Read<WorkingJob[]>> {
    const known = [...this.#known.values()].filter(ref => (ref.namespace ?? '') === namespace);
    if (this.#makers.size > 0 || known.length > fewJobs)
      return await this.#read.listWorkingJobs({ namespace }, job => this.#isOurs(job));
    const jobs: WorkingJob[] = [];
    for (const { name, uid } of known) {
      const job = await this.#read.getWorkingJob(name, namespace);
      if (job.state === 'unreadable') return job;
      if (job.state === 'read' && job.value.ref.uid === uid) jobs.push(job.value);
    }
    return { state: 'read', value: jobs };
  }

  #isOurs(job: WorkingJob): boolean {
    if (this.#known.has(job.ref.uid)) return true;
    if (this.#leaves.has(job.ref.uid)) return false;
    const isMade = this.#makers.has(controllerOf(job)?.uid ?? '');
    return isMade && !isFinished(job.state) && !job.suspended && job.deletingSince === undefined;
  }
}
