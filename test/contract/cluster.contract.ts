// What our fake and a real API server must both do. The fake may only stand in for a server because both are asked these questions:
// a rule that is learned from an incident goes in here first.
import { askAboutDeletes } from './delete.contract.ts';
import { askAboutDependents } from './dependents.contract.ts';
import { askAboutEvidence } from './evidence.contract.ts';
import { askAboutPatches } from './patch.contract.ts';
import type { PlaceOf } from './place.ts';
import { askAboutReads } from './read.contract.ts';

export function askEverything(placeOf: PlaceOf): void {
  askAboutDeletes(placeOf);
  askAboutDependents(placeOf);
  askAboutEvidence(placeOf);
  askAboutPatches(placeOf);
  askAboutReads(placeOf);
}
