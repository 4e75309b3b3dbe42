// Events, counted. Only what was seen to be gone counts as gone.
import { exitCodes } from '../errors.ts';
import type { Event } from '../model/event.ts';
import type { Ref } from '../model/ref.ts';
import { countedOfStop } from './stop-tally.ts';
import { emptyTally, type Tally } from './tally.ts';

/** A fold that owns its tally: counting 50,000 events must not copy 50,000 lists. */
export class Counting {
  readonly #gone: Ref[] = [];
  readonly #pending = new Map<string, Ref>();
  #tally: Tally = emptyTally;

  get tally(): Tally {
    return { ...this.#tally, targetsGone: this.#gone, targetsPending: this.#pending };
  }

  add(event: Event): void {
    switch (event.type) {
      case 'plan':
        this.#tally = { ...this.#tally, plan: event.plan };
        return;
      case 'deleted':
        this.#deleted(event);
        return;
      case 'seen-gone':
        if (event.as === 'target') this.#targetGone(event.target);
        else this.#dependentGone(event.by);
        return;
      case 'failed':
        this.#count(
          event.as === 'target'
            ? { failed: this.#tally.failed + 1 }
            : { dependentsFailed: this.#tally.dependentsFailed + 1 },
        );
        return;
      case 'freed':
        this.#count(
          event.state === 'already-gone'
            ? { alreadyGone: this.#tally.alreadyGone + 1 }
            : { freed: this.#tally.freed + 1 },
        );
        return;
      case 'changed':
      case 'pod-ended':
      case 'job-closed':
      case 'lost':
      case 'put-back':
      case 'stopped-half-way':
      case 'saved':
        this.#count(countedOfStop(event, this.#tally));
        return;
      case 'not-changed':
      case 'not-freed':
        this.#count({ failed: this.#tally.failed + 1 });
        return;
      case 'stays-held':
        this.#count({ staysHeld: this.#tally.staysHeld + 1 });
        return;
      case 'spared':
        this.#count({ spared: this.#tally.spared + 1 });
        return;
      case 'hook-failed':
        this.#count({ hooksFailed: this.#tally.hooksFailed + 1 });
        return;
      case 'timeout':
        this.#count({ timedOut: true });
        return;
      case 'interrupted':
        this.#count({ interrupted: true });
        return;
      case 'end':
        this.#count({ ms: event.ms, throttled: event.throttled });
        return;
      case 'halted':
      case 'made-anew':
      case 'progress':
      case 'waiting':
      case 'appeared':
      case 'given-up':
      case 'grace-used-up':
      case 'hooks-unknown':
      case 'work':
      case 'pause-not-seen':
      case 'saving':
        return;
    }
  }

  #count(change: Partial<Tally>): void {
    this.#tally = { ...this.#tally, ...change };
  }

  #deleted(event: Extract<Event, { type: 'deleted' }>): void {
    const { target } = event.action;
    if (event.state === 'held') {
      if (event.as === 'target') this.#pending.set(target.uid, target);
      return;
    }
    if (event.as === 'target' && event.state === 'already-gone')
      this.#count({ alreadyGone: this.#tally.alreadyGone + 1 });
    if (event.as === 'target') this.#targetGone(target);
    else this.#dependentGone(event.state === 'already-gone' ? 'collector' : 'us');
  }

  #targetGone(target: Ref): void {
    this.#pending.delete(target.uid);
    this.#gone.push(target);
  }

  #dependentGone(by: 'us' | 'collector'): void {
    const { dependentsGone, byUs, byCollector } = this.#tally;
    const change = by === 'us' ? { byUs: byUs + 1 } : { byCollector: byCollector + 1 };
    this.#count({ dependentsGone: dependentsGone + 1, ...change });
  }
}

export function exitCodeOf(tally: Tally): number {
  if (tally.interrupted) return exitCodes.interrupted;
  const { failed, dependentsFailed, hooksFailed, staysHeld, lost, putBack, notSaved } = tally;
  const isPartial =
    failed + dependentsFailed + staysHeld + lost + putBack + hooksFailed + refusedOf(tally) > 0;
  const { plan } = tally;
  const mayMiss = plan?.verb === 'stop' && plan.terms.save?.ignoreErrors === true;
  if (isPartial || tally.halfWay || (notSaved > 0 && !mayMiss)) return exitCodes.partial;
  if (tally.timedOut) return exitCodes.timeout;
  return exitCodes.done;
}

/** Named objects that were left alone while others were freed. A refusal of the whole plan has an exit code of its own. */
const refusedOf = ({ plan }: Tally): number =>
  plan?.verb === 'unstick' && plan.actions.length > 0
    ? plan.findings.filter(({ verdict }) => verdict === 'refused').length
    : 0;
