// What hangs under some objects, through any number of owners, by uid and nothing else.
import type { ObjectMeta } from '../model/object.ts';

export function belongingTo(above: readonly string[], owned: readonly ObjectMeta[]): ObjectMeta[] {
  const within = new Set(above);
  const found = new Set<ObjectMeta>();
  for (let before = -1; before !== within.size; ) {
    before = within.size;
    for (const object of owned) {
      if (within.has(object.ref.uid) || !object.owners.some(owner => within.has(owner.uid))) continue;
      within.add(object.ref.uid);
      found.add(object);
    }
  }
  return [...found];
}
