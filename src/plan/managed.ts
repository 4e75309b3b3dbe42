// Who else manages Jobs that are changed or deleted: each manager is named once, with how many are its own. A template's labels are on all.
import type { ObjectMeta } from '../model/object.ts';
import type { Manager } from '../model/protection.ts';
import { label } from '../model/ref.ts';
import type { Note } from '../model/why.ts';

/** `named`: what is shown above these objects and has its managers named already. */
export function managedOnce(
  objects: readonly ObjectMeta[],
  named: readonly ObjectMeta[],
  says: (manager: Manager) => Note['code'] | undefined = () => 'managed-elsewhere',
): Note[] {
  const said = new Set(named.flatMap(({ managers }) => managers.map(keyOf)));
  const each = objects.flatMap(({ ref, managers }) => managers.map(manager => ({ ref, manager })));
  const byManager = Map.groupBy(each, ({ manager }) => keyOf(manager));
  return [...byManager].flatMap(([key, [first, ...others]]): Note[] => {
    if (first === undefined || said.has(key)) return [];
    const { tool, name } = first.manager;
    const code = says(first.manager);
    if (code === undefined) return [];
    const more = others.length === 0 ? {} : { more: others.length };
    return [{ code, facts: { object: label(first.ref), ...more, tool, name, only: '' } }];
  });
}

const keyOf = ({ tool, name }: Manager): string => `${tool} ${name}`;
