// How a kind is written so that it is read as that kind again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KindCatalog } from '../../../src/cluster/contract.ts';
import { isFor, jobKind, wellKnown, written } from '../../../src/complete/kinds.ts';
import type { Kind } from '../../../src/model/kind.ts';
import { findKind } from '../../../src/select/resolve-kind.ts';

const otherJob: Kind = { ...jobKind, group: 'batch.volcano.sh', version: 'v1alpha1' };
const catalog: KindCatalog = { silentGroups: [], kinds: [...wellKnown.kinds, otherJob] };

test('a word that means another kind is written with its group', () => {
  assert.equal(written(jobKind, catalog, false), 'jobs');
  assert.equal(written(otherJob, catalog, false), 'jobs.batch.volcano.sh');
  assert.equal(written(jobKind, catalog, true), 'job/');
  assert.equal(written(otherJob, catalog, true), 'jobs.batch.volcano.sh/');
});

test('what is written is found again', () => {
  for (const kind of catalog.kinds)
    for (const slashed of [false, true])
      assert.equal(findKind(catalog, written(kind, catalog, slashed).replace('/', '')), kind);
});

test('stop and resume are for what makes Jobs and for Jobs; an owner is no Job; what cannot be deleted is not offered to delete', () => {
  const words = (which: Parameters<typeof isFor>[1]) =>
    wellKnown.kinds.filter(kind => isFor(kind, which)).map(({ resource }) => resource);
  assert.deepEqual(words('unfinished'), ['cronjobs', 'jobs', 'scaledjobs']);
  assert.deepEqual(words('stopped'), ['cronjobs', 'jobs', 'scaledjobs']);
  assert.deepEqual(words('owners'), ['cronjobs', 'scaledjobs']);
  assert.deepEqual(words('any'), ['pods', 'namespaces', 'cronjobs', 'jobs', 'scaledjobs']);
  assert.ok(!isFor({ ...jobKind, verbs: ['create'] }, 'any'));
  assert.ok(!isFor({ ...jobKind, verbs: ['create'] }, 'stuck'));
});
