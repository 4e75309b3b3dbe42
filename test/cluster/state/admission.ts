// When the apiserver has taken notice of a webhook or a policy: it says nothing, so something that they forbid is tried.
import { type Admin, ApiFailure, type Fields } from '../admin.ts';
import { until } from '../until.ts';

/** A write that only pretends: a merge patch with dryRun=All. */
export interface Probe {
  /** An object that the rules cover. */
  readonly path: string;
  /** What is forbidden; the removal of every finalizer if not said. */
  readonly patch?: Fields;
  /** Who writes, for what forbids it to some only. */
  readonly by?: Admin;
}

/** A name that the whole cluster knows, and the one namespace that is affected; without it, every object of the rules. */
export interface Scope {
  readonly name: string;
  readonly namespace?: string;
}

export const namespaceSelector = ({ namespace }: Scope): Fields =>
  namespace === undefined ? {} : { matchLabels: { 'kubernetes.io/metadata.name': namespace } };

/** Answers once the probe fails with a message that has `name` in it, or `isSeen` says that it was noticed otherwise. */
export function untilInForce(
  admin: Admin,
  name: string,
  { path, patch = { metadata: { finalizers: null } }, by = admin }: Probe,
  isSeen = () => false,
): Promise<true> {
  return until(`${name} to be in force`, 30_000, async () => {
    const refusal = await by.patch(`${path}?dryRun=All`, patch).catch((error: unknown) => error);
    if (isSeen()) return true;
    if (!(refusal instanceof ApiFailure)) return false;
    if (refusal.message.includes(name)) return true;
    throw refusal;
  });
}
