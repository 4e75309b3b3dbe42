// A stop's evidence: saved before its first write and again at its end. Without it nothing is begun, unless the user says otherwise.
import type { Event } from '../model/event.ts';
import type { Problem } from '../model/problem.ts';
import { ArchiveFailure, type SaveMoment } from '../model/saving.ts';
import { Evidence } from './save.ts';
import { StopEyes } from './stop-eyes.ts';
import type { Suspending } from './stop-sources.ts';

export class StopEvidence {
  readonly #at: Suspending;
  #evidence: Evidence | undefined;

  constructor(at: Suspending) {
    this.#at = at;
  }

  /** Answers whether the stop may go on. */
  async *save(moment: SaveMoment): AsyncGenerator<Event, boolean> {
    const { terms } = this.#at.plan;
    if (terms.save === undefined || terms.jobs.length === 0 || this.#at.run.signal.aborted) return true;
    const opened = await this.#open(terms.save.dir);
    if ('problem' in opened) return yield* this.#failed(moment, opened.problem);
    const { works, unreadable } = await new StopEyes(this.#at.plan, this.#at.doors.read).look();
    const [problem] = unreadable.values();
    if (problem !== undefined) return yield* this.#failed(moment, problem);
    const pods = works.flatMap(work => work.pods);
    const jobs = works.map(({ job }) => job.ref);
    const saved = yield* opened.evidence.save({ sources: terms.sources, jobs, pods }, moment);
    return saved.notSaved.length === 0 || terms.save.ignoreErrors;
  }

  async #open(dir: string): Promise<{ evidence: Evidence } | { problem: Problem }> {
    const { doors, run, plan } = this.#at;
    if (this.#evidence !== undefined) return { evidence: this.#evidence };
    try {
      const archive = await run.openArchive(dir);
      const evidence = new Evidence({
        archive,
        read: doors.read,
        signal: run.signal,
        by: { ...run.invocation, user: plan.terms.by },
      });
      this.#evidence = evidence;
      return { evidence };
    } catch (failure) {
      if (!(failure instanceof ArchiveFailure)) throw failure;
      return { problem: { code: 'not-written', text: failure.message } };
    }
  }

  *#failed(moment: SaveMoment, problem: Problem): Generator<Event, boolean> {
    const dir = this.#at.plan.terms.save?.dir ?? '';
    const notSaved = [{ what: 'index' as const, facts: {}, problem }];
    yield { type: 'saved', saved: { moment, dir, files: 0, bytes: 0, gone: [], notSaved } };
    return this.#at.plan.terms.save?.ignoreErrors === true;
  }
}
