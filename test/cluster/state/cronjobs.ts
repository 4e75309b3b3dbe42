// CronJobs, suspended unless a test wants otherwise: no Job appears behind its back.
import { type Admin, collection, type Fields, type KubeObject } from '../admin.ts';
import { metadataOf, podSpec, type Wanted } from './draft.ts';

export interface WantedCronJob extends Wanted {
  /** Merged into the spec; `{ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }` */
  readonly spec?: Fields;
}

export const cronJobPath = (namespace: string, name?: string): string =>
  collection('batch/v1', 'cronjobs', namespace) + (name === undefined ? '' : `/${name}`);

/**
 * The real CronJob controller keeps the history limits of what it owns, suspended or not: finished Jobs beyond them are
 * gone seconds later. A test that wants too much history starts the controller-manager without that controller.
 */
export const createCronJob = (admin: Admin, wanted: WantedCronJob): Promise<KubeObject> =>
  admin.create(cronJobPath(wanted.namespace), {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadataOf(wanted),
    spec: {
      schedule: '0 0 1 1 *',
      suspend: true,
      jobTemplate: { spec: { template: { spec: podSpec() } } },
      ...wanted.spec,
    },
  });
