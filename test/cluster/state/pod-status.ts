// The status of a Pod as a kubelet would write it.
import type { Fields } from '../admin.ts';
import { apiTime, type Moment, toDate } from './draft.ts';

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** How it came to where it is. */
export interface Course {
  readonly started?: Moment;
  /** For Succeeded and Failed. */
  readonly ended?: Moment;
  readonly exitCode?: number;
  /** Of the ended container (`OOMKilled`) or the waiting one (`ImagePullBackOff`). */
  readonly reason?: string;
}

function terminated(phase: Phase, how: Course): Fields {
  const failed = phase === 'Failed';
  return {
    exitCode: how.exitCode ?? (failed ? 1 : 0),
    reason: how.reason ?? (failed ? 'Error' : 'Completed'),
    startedAt: apiTime(toDate(how.started ?? '2m')),
    finishedAt: apiTime(toDate(how.ended ?? '0s')),
  };
}

function containerState(phase: Phase, wanted: Course): Fields {
  if (phase === 'Pending') return { waiting: { reason: wanted.reason ?? 'ContainerCreating' } };
  if (phase === 'Running') return { running: { startedAt: apiTime(toDate(wanted.started ?? '2m')) } };
  return { terminated: terminated(phase, wanted) };
}

export function podStatus(wanted: Course & { readonly phase?: Phase; readonly restarts?: number }): Fields {
  const { phase = 'Pending', restarts = 0 } = wanted;
  const ready = phase === 'Running';
  return {
    phase,
    startTime: apiTime(toDate(wanted.started ?? '2m')),
    conditions: [
      { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: apiTime(new Date()) },
    ],
    containerStatuses: [
      {
        name: 'main',
        image: 'registry.example/none:1',
        imageID: '',
        ready,
        restartCount: restarts,
        state: containerState(phase, wanted),
        ...(restarts > 0
          ? { lastState: { terminated: terminated('Failed', { started: '10m', ended: '5m' }) } }
          : {}),
      },
    ],
  };
}
