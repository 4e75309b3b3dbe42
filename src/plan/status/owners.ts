// Invalid owner references (D06, D15, D16): the owner is not in the namespace of what names it, so that the garbage collector takes it
// for absent and may delete the dependent at any time. Only of kinds that were read whole; what is not known is not told.
import { isJobKind, isPodKind, kindName } from '../../model/kind.ts';
import { isTerminating, type ObjectMeta, type OwnerReference } from '../../model/object.ts';
import type { NextCommand, StatusFinding } from '../../model/status.ts';
import { isWithinReach } from '../owner-place.ts';
import { type About, isRead, placeOf } from './about.ts';
import { jobctl, kubectl, typed } from './next.ts';

export function ownerFindings(about: About): StatusFinding[] {
  const { sources, jobs, pods } = about.snapshot;
  return [...sources, ...jobs, ...pods]
    .filter(object => !isTerminating(object))
    .flatMap(object => object.owners.flatMap((owner, at) => judge(object, owner, at, about)));
}

function judge(object: ObjectMeta, owner: OwnerReference, at: number, about: About): StatusFinding[] {
  const found = about.byUid.get(owner.uid)?.ref;
  if (found !== undefined && isWithinReach(found, object.ref)) return [];
  // a Pod whose Job is gone is leaked, or the collector's next one: that is told with the leaks
  const isPodOfJob = isPodKind(object.ref.kind) && isJobKind(owner);
  if (found === undefined && (isPodOfJob || !isRead(owner, about))) return [];
  const namespace = placeOf(object);
  const facts = { owner: `${kindName(owner)}/${owner.name}`, uid: owner.uid };
  const shared = { namespace, needs: true, targets: [object.ref] };
  const away = withoutReference(object, at);
  return found === undefined
    ? [
        {
          ...shared,
          code: 'owner-gone',
          facts,
          next: [jobctl(namespace, 'delete', typed(object.ref)), away],
        },
      ]
    : [
        {
          ...shared,
          code: 'owner-in-other-namespace',
          facts: { ...facts, other: found.namespace ?? '' },
          next: [away],
        },
      ];
}

/** The uid is tested, so that the patch takes no other reference away than the one that was looked at. */
function withoutReference(object: ObjectMeta, at: number): NextCommand {
  const path = `/metadata/ownerReferences/${at}`;
  const patch = [
    { op: 'test', path: `${path}/uid`, value: object.owners[at]?.uid },
    { op: 'remove', path },
  ];
  return kubectl(placeOf(object), 'patch', typed(object.ref), '--type=json', '-p', JSON.stringify(patch));
}
