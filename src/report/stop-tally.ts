// What the events of a stop or a resume add to the tally.
import type { Event } from '../model/event.ts';
import type { Tally } from './tally.ts';

type OfStop = Extract<
  Event,
  { type: 'changed' | 'pod-ended' | 'job-closed' | 'lost' | 'put-back' | 'stopped-half-way' | 'saved' }
>;

/** What one event of a stop or a resume adds. */
export function countedOfStop(event: OfStop, tally: Tally): Partial<Tally> {
  switch (event.type) {
    case 'changed': {
      if (event.state === 'already-gone') return { alreadyGone: tally.alreadyGone + 1 };
      const { does } = event.action;
      const isSource = does === 'suspend' || does === 'pause';
      return { changed: tally.changed + 1, suspended: tally.suspended + (isSource ? 1 : 0) };
    }
    case 'pod-ended':
      return { podsEnded: tally.podsEnded + 1, lastPod: event.pod.target };
    case 'job-closed':
      return { jobsClosed: tally.jobsClosed + 1 };
    case 'lost':
      return event.foretold ? {} : { lost: tally.lost + 1 };
    case 'put-back':
      return { putBack: tally.putBack + 1 };
    case 'stopped-half-way':
      return { halfWay: true };
    case 'saved':
      return { notSaved: tally.notSaved + event.saved.notSaved.length };
  }
}
