// Leaves out what was not given, so that "not given" and "given as nothing" stay two things (exactOptionalPropertyTypes).

type Given<V> = { readonly [K in keyof V]?: Exclude<V[K], undefined> };

export function given<V extends object>(values: V): Given<V> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<V>;
}
